//! Epochs of a swarm on 9x9 grids as the masks of their lines: see `lines` for what a mask holds.
//!
//! The slots of a tile are two sets of 16, of its even and its odd lanes, each 20 registers: the lines of 16 grids, their scores
//! and their ages. An epoch of them is what it is on cells, with the same words:
//!
//! 1. *forced* slots are replaced: by a fresh fill (explorers, and workers past the maximum age) or by the merge's child;
//! 2. every other slot proposes a swap and decides on it;
//! 3. ages follow, and the best and the worst of workers and explorers are found by their keys.
//!
//! Workers meet explorers when an epoch ends, so a swarm with explorers goes through all tiles once an epoch. One without
//! goes through each tile once for several epochs.

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use super::lines::{
    CELLS, LINE_WORDS, LineMasks, LineTables, MOST_TILES, NO_KEY, Places, any_swap, best_of_key, empty, load,
    places_below, read, worst_of_key, write,
};
use super::rank::Extremes;
use super::step::MAX_DELTA;
use super::strides::{MOST_EPOCHS, StrideEpoch, ThresholdBits};
use crate::fitness::Score;
use crate::population::instructions::Instructions;
use crate::population::moves::{FreeUnits, LaneSet};
use crate::population::pages::Pages;
use crate::population::prefetch::prefetch_line;
use crate::population::rng::{Key, Threshold};
use crate::population::vector::{self, VectorTask, WIDTH, Words16};
use crate::population::{LANES, Lanes, Population};
use crate::search::Tally;
use crate::search::sweeps::both;
use crate::search::trajectory::Sums;
use crate::sudoku::Grid;

/// The even or the odd slots of a tile: the words of their lines and scores, and their ages.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct HalfTile {
    lines: [[u32; WIDTH]; LINE_WORDS],
    ages: [u32; WIDTH],
}

/// The slots of a tile as masks.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct LineTile([HalfTile; 2]);

/// One grid as masks.
#[derive(Clone, Copy)]
pub(crate) struct LineGrid(LineMasks<u32>);

impl LineGrid {
    /// A grid whose blocks are permutations.
    pub(crate) fn of(grid: &Grid) -> LineGrid {
        LineGrid(LineMasks::of(grid))
    }

    /// The grid in a slot of a population.
    pub(crate) fn of_slot(tiles: &[LineTile], slot: usize) -> LineGrid {
        let lane = slot % LANES;
        LineGrid(LineMasks::at(&tiles[slot / LANES].0[lane % 2].lines, lane / 2))
    }

    /// The child of this grid and another: see [`FreeUnits::merge`].
    pub(crate) fn merge(&self, other: &LineGrid, choice: u32) -> LineGrid {
        LineGrid(self.0.merge(&other.0, choice))
    }

    /// The grid in cells.
    pub(crate) fn grid(&self) -> Grid {
        self.0.grid()
    }
}

/// What every slot's step reads and none writes.
#[derive(Clone, Copy)]
pub(crate) struct LineSwarm<'a> {
    pub(crate) tables: &'a LineTables,
    pub(crate) blocks: &'a FreeUnits,
    pub(crate) fill_key: Key,
    pub(crate) step_key: Key,
    /// The first epoch.
    pub(crate) epoch: u32,
    pub(crate) acceptance: &'a LineAcceptance,
    pub(crate) max_age: u32,
    pub(crate) population: usize,
    pub(crate) workers: usize,
    /// The grid that is forced into a slot in the first epoch.
    pub(crate) child: Option<(usize, LineGrid)>,
}

/// Thresholds as a step looks them up.
pub(crate) struct LineAcceptance {
    /// By how much higher the total would be, plus [`MAX_DELTA`].
    by_delta: ThresholdBits,
    mutation: u32,
}

impl LineAcceptance {
    /// A lower total is always accepted, others by these thresholds.
    pub(crate) fn new(by_delta: &[Threshold; MAX_DELTA + 1], mutation: Threshold) -> LineAcceptance {
        let mut bits = [Threshold::ALWAYS.bits(); WIDTH];
        bits[MAX_DELTA..].iter_mut().zip(by_delta).for_each(|(bits, threshold)| *bits = threshold.bits());
        LineAcceptance { by_delta: bits, mutation: mutation.bits() }
    }
}

/// What some tiles add up to in an epoch.
#[derive(Clone, Copy, Default)]
pub(crate) struct LineEpoch {
    pub(crate) epoch: StrideEpoch,
    pub(crate) workers: Extremes,
    pub(crate) explorers: Extremes,
}

impl LineEpoch {
    fn merge(self, other: LineEpoch) -> LineEpoch {
        LineEpoch {
            epoch: self.epoch.merge(other.epoch),
            workers: self.workers.merge(other.workers),
            explorers: self.explorers.merge(other.explorers),
        }
    }
}

/// True if these epochs are faster than those on cells.
pub(crate) fn runs_on(instructions: Instructions) -> bool {
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512(_) => true,
        _ => false,
    }
}

/// Steps that take as long as a fill.
const FILL_COST: usize = 5;

/// Tiles that a thread reads or writes at a time.
const TILES_AT_ONCE: usize = 64;

/// The slots of a population as masks, in the room of `tiles`; false, and nothing done, without vectors.
pub(crate) fn read_all(
    instructions: Instructions,
    population: &Population,
    scores: &[Score],
    ages: &[u32],
    tiles: &mut Pages<LineTile>,
) -> bool {
    if tiles.is_empty() {
        *tiles = Pages::zeroed(population.tiles());
    }
    let cells = population.lanes().par_chunks(TILES_AT_ONCE * CELLS);
    let slots = scores.par_chunks(TILES_AT_ONCE * LANES).zip(ages.par_chunks(TILES_AT_ONCE * LANES));
    let parts = tiles.par_chunks_mut(TILES_AT_ONCE).zip(cells).zip(slots);
    parts.all(|((tiles, lanes), (scores, ages))| {
        vector::run(instructions, Read { lanes, scores, ages, tiles }).is_some()
    })
}

/// Writes the slots as cells, scores and ages; false, and nothing done, without vectors.
pub(crate) fn write_all(
    instructions: Instructions,
    tiles: &[LineTile],
    population: &mut Population,
    scores: &mut [Score],
    ages: &mut [u32],
) -> bool {
    let len = population.len();
    let lanes = population.lanes_mut().par_chunks_mut(TILES_AT_ONCE * CELLS);
    let slots = scores.par_chunks_mut(TILES_AT_ONCE * LANES).zip(ages.par_chunks_mut(TILES_AT_ONCE * LANES));
    let parts = tiles.par_chunks(TILES_AT_ONCE).zip(lanes).zip(slots).enumerate();
    parts.all(|(part, ((tiles, lanes), (scores, ages)))| {
        let used = len - part * TILES_AT_ONCE * LANES;
        vector::run(instructions, Write { tiles, lanes, scores, ages, used }).is_some()
    })
}

struct Read<'a> {
    lanes: &'a [Lanes],
    scores: &'a [Score],
    ages: &'a [u32],
    tiles: &'a mut [LineTile],
}

impl VectorTask for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Words16>(self, simd: S) {
        let slots = self.scores.as_chunks::<LANES>().0.iter().zip(self.ages.as_chunks::<LANES>().0);
        for ((tile, lanes), (scores, ages)) in self.tiles.iter_mut().zip(self.lanes.chunks_exact(CELLS)).zip(slots) {
            for parity in 0..2 {
                let half = &mut tile.0[parity];
                read(simd, lanes, scores, parity).store(simd, &mut half.lines);
                for place in 0..WIDTH {
                    half.ages[place] = ages[2 * place + parity];
                }
            }
        }
    }
}

struct Write<'a> {
    tiles: &'a [LineTile],
    lanes: &'a mut [Lanes],
    scores: &'a mut [Score],
    ages: &'a mut [u32],
    /// Individuals in these tiles and those that follow.
    used: usize,
}

impl VectorTask for Write<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Words16>(self, simd: S) {
        let slots = self.scores.chunks_exact_mut(LANES).zip(self.ages.as_chunks_mut::<LANES>().0);
        let tiles = self.tiles.iter().zip(self.lanes.chunks_exact_mut(CELLS)).zip(slots);
        for (index, ((LineTile(halves), lanes), (scores, ages))) in tiles.enumerate() {
            let grids = [load(simd, &halves[0].lines), load(simd, &halves[1].lines)];
            write(simd, &grids, lanes, &mut scores[..self.used.saturating_sub(index * LANES).min(LANES)]);
            for (lane, age) in ages.iter_mut().enumerate() {
                *age = halves[lane % 2].ages[lane / 2];
            }
        }
    }
}

impl LineSwarm<'_> {
    /// The grid of a slot so many epochs later, where every tile goes its own way: `lanes`, `scores` and `ages` are those of
    /// the slot's tile now.
    pub(crate) fn grid_after(
        &self,
        instructions: Instructions,
        epochs: usize,
        lanes: &[Lanes],
        scores: &[Score],
        ages: &[u32],
        slot: usize,
    ) -> Option<Grid> {
        let mut tiles = [LineTile::zeroed()];
        vector::run(instructions, Read { lanes, scores, ages, tiles: &mut tiles })?;
        self.advance::<MOST_EPOCHS>(instructions, &mut tiles, slot / LANES * LANES, epochs, 1)?;
        Some(LineGrid::of_slot(&tiles, slot % LANES).grid())
    }

    /// Advances the tiles that begin at slot `first` by `epochs` epochs, at most `EPOCHS`, on all threads where they are more
    /// work than `chunk_tiles` tiles of workers; none without vectors.
    pub(crate) fn advance<const EPOCHS: usize>(
        &self,
        instructions: Instructions,
        tiles: &mut [LineTile],
        first: usize,
        epochs: usize,
        chunk_tiles: usize,
    ) -> Option<[LineEpoch; EPOCHS]> {
        let all = tiles.len();
        let (work, middle) = self.cut(first, all);
        if all <= MOST_TILES && (all == 1 || work <= chunk_tiles) {
            return vector::run(instructions, Epochs { swarm: self, tiles, first, epochs });
        }
        let (front, back) = tiles.split_at_mut(middle);
        let (mut front, back): (Option<[LineEpoch; EPOCHS]>, _) = both(
            work > chunk_tiles,
            || self.advance(instructions, front, first, epochs, chunk_tiles),
            || self.advance::<EPOCHS>(instructions, back, first + middle * LANES, epochs, chunk_tiles),
        );
        let (made, others) = (front.as_mut()?, back?);
        made.iter_mut().zip(others).for_each(|(epoch, other)| *epoch = epoch.merge(other));
        front
    }

    /// The work of so many tiles, in tiles of workers, and where they are cut in two parts of equal work: explorers come after
    /// the workers and are filled in every epoch.
    fn cut(&self, first: usize, tiles: usize) -> (usize, usize) {
        let workers = (self.workers / LANES).saturating_sub(first / LANES).min(tiles);
        let work = workers + FILL_COST * (tiles - workers);
        let half = work / 2;
        let middle = if half <= workers { half } else { workers + (half - workers) / FILL_COST };
        (work, middle.clamp(1, tiles.max(2) - 1))
    }
}

/// Epochs of at most [`MOST_TILES`] tiles.
struct Epochs<'a, 's, const EPOCHS: usize> {
    swarm: &'a LineSwarm<'s>,
    tiles: &'a mut [LineTile],
    /// The first slot.
    first: usize,
    epochs: usize,
}

/// What tiles add up to in one epoch, by place in a vector.
#[derive(Clone, Copy)]
struct Totals {
    sums: [[u32; WIDTH]; 2],
    workers: RoleKeys,
    explorers: RoleKeys,
}

/// The keys of the best and the worst of a role.
#[derive(Clone, Copy)]
struct RoleKeys {
    best: [u32; WIDTH],
    worst: [u32; WIDTH],
}

impl RoleKeys {
    const NONE: RoleKeys = RoleKeys { best: [NO_KEY; WIDTH], worst: [NO_KEY; WIDTH] };

    /// Takes the individuals of the set into account.
    #[inline(always)]
    fn add<S: Words16>(&mut self, simd: S, places: &Places<S>, scores: S::V, set: S::Set) {
        let (best, worst) = (places.best_keys(simd, scores), places.worst_keys(simd, scores));
        self.best = simd.store(simd.min_in(simd.load(&self.best), set, best));
        self.worst = simd.store(simd.min_in(simd.load(&self.worst), set, worst));
    }

    fn best(&self) -> u32 {
        self.best.iter().fold(NO_KEY, |best, key| best.min(*key))
    }

    fn extremes(&self, first: usize) -> Extremes {
        let worst = self.worst.iter().fold(NO_KEY, |worst, key| worst.min(*key));
        let mut extremes = Extremes::default();
        if let (Some((best, best_slot, _)), Some((worst, worst_slot))) =
            (best_of_key(self.best(), first), worst_of_key(worst, first))
        {
            extremes.add(best, best_slot as u32);
            extremes.add(worst, worst_slot as u32);
        }
        extremes
    }
}

impl Totals {
    const NONE: Totals = Totals { sums: [[0; WIDTH]; 2], workers: RoleKeys::NONE, explorers: RoleKeys::NONE };

    fn add_up(&self, first: usize) -> LineEpoch {
        let best = best_of_key(self.workers.best().min(self.explorers.best()), first);
        LineEpoch {
            epoch: StrideEpoch { sums: Sums::of_parts(&self.sums), best },
            workers: self.workers.extremes(first),
            explorers: self.explorers.extremes(first),
        }
    }
}

impl<const EPOCHS: usize> VectorTask for Epochs<'_, '_, EPOCHS> {
    type Output = [LineEpoch; EPOCHS];

    #[inline(always)]
    fn run<S: Words16>(self, simd: S) -> [LineEpoch; EPOCHS] {
        let Epochs { swarm, tiles, first, epochs } = self;
        let mut totals = [Totals::NONE; EPOCHS];
        let mut words = [[[0; WIDTH]; 4]; EPOCHS];
        let (totals, words) = (&mut totals[..epochs], &mut words[..epochs]);
        let mut fills = None;
        for index in 0..tiles.len() {
            let (tile, ahead) = split_tile(tiles, index);
            let slot = first + index * LANES;
            if slot < swarm.workers {
                for (epoch, words) in (swarm.epoch..).zip(words.iter_mut()) {
                    *words = swarm.step_key.words_of_lanes::<WIDTH>(epoch, slot as u32 / 2, 0);
                }
            }
            for (parity, half) in tile.0.iter_mut().enumerate() {
                if let Some(ahead) = ahead {
                    prefetch(&ahead.0[parity]);
                }
                let mut slots = Slots::new(simd, swarm, half, index, slot, parity);
                for (epoch, (words, totals)) in words.iter().zip(totals.iter_mut()).enumerate() {
                    let steps = slots.force(simd, swarm, swarm.epoch + epoch as u32, &mut fills);
                    let proposed = match simd.is_empty(steps) {
                        true => slots.lines.scores,
                        false => slots.step(simd, swarm, steps, &words[2 * parity], &words[2 * parity + 1]),
                    };
                    slots.count(simd, proposed, totals);
                }
                slots.lines.store(simd, &mut half.lines);
                half.ages = simd.store(slots.ages);
            }
        }
        let mut made = [LineEpoch::default(); EPOCHS];
        for (made, totals) in made.iter_mut().zip(&*totals) {
            *made = totals.add_up(first);
        }
        made
    }
}

/// A tile, and the one after it.
#[inline(always)]
fn split_tile(tiles: &mut [LineTile], index: usize) -> (&mut LineTile, Option<&LineTile>) {
    let (front, back) = tiles.split_at_mut(index + 1);
    (&mut front[index], back.first())
}

/// Asks the memory for slots that are soon to be read: no hardware does, as a step jumps about in its tables meanwhile.
#[inline(always)]
fn prefetch(half: &HalfTile) {
    for words in &half.lines {
        prefetch_line(words.as_ptr());
    }
    prefetch_line(half.ages.as_ptr());
}

/// The even or the odd slots of a tile in registers.
struct Slots<S: Words16> {
    lines: LineMasks<S::V>,
    ages: S::V,
    places: Places<S>,
    /// The first slot of the tile, and which of its slots these are.
    slot: usize,
    parity: usize,
    workers: S::Set,
    explorers: S::Set,
    /// The slot that the child is forced into, until it was.
    child: S::Set,
}

impl<S: Words16> Slots<S> {
    #[inline(always)]
    fn new(simd: S, swarm: &LineSwarm<'_>, half: &HalfTile, index: usize, slot: usize, parity: usize) -> Slots<S> {
        let places = Places::new(simd, index, slot, parity, swarm.population);
        let workers = places_below(simd, slot, parity, swarm.workers);
        let child = match swarm.child {
            Some((child, _)) => simd.both(
                places_below(simd, slot, parity, child + 1),
                simd.others(places_below(simd, slot, parity, child)),
            ),
            None => simd.first_places(0),
        };
        Slots {
            lines: load(simd, &half.lines),
            ages: simd.load(&half.ages),
            slot,
            parity,
            workers,
            explorers: simd.both(places.used, simd.others(workers)),
            child,
            places,
        }
    }

    /// Replaces the slots that are forced in this epoch, and gives the others: those of workers that propose a swap.
    #[inline(always)]
    fn force(&mut self, simd: S, swarm: &LineSwarm<'_>, epoch: u32, fills: &mut Option<Fills<S>>) -> S::Set {
        let young = simd.others(simd.below(simd.splat(swarm.max_age), self.ages));
        let not_child = simd.others(self.child);
        let steps = simd.both(simd.both(self.workers, young), not_child);
        let forced = simd.both(self.places.used, simd.others(steps));
        if simd.is_empty(forced) {
            return steps;
        }
        let filled = simd.both(forced, not_child);
        if !simd.is_empty(filled) {
            if fills.is_none() {
                *fills = Some(Fills::new(simd, swarm));
            }
            if let Some(fills) = fills {
                self.lines.replace(simd, filled, fills.of_half(simd, swarm, epoch, self.slot, self.parity));
            }
        }
        if let (Some((_, LineGrid(child))), false) = (&swarm.child, simd.is_empty(self.child)) {
            let mut child = child.splat(simd);
            child.score(simd);
            self.lines.replace(simd, self.child, &child);
            self.child = simd.first_places(0);
        }
        self.ages = simd.select(self.ages, forced, simd.splat(0));
        steps
    }

    /// The steps of these slots; gives the scores of all proposals.
    #[inline(always)]
    fn step(
        &mut self,
        simd: S,
        swarm: &LineSwarm<'_>,
        steps: S::Set,
        moves: &[u32; WIDTH],
        draws: &[u32; WIDTH],
    ) -> S::V {
        let LineAcceptance { by_delta, mutation } = swarm.acceptance;
        let swap = any_swap(simd, swarm.tables, simd.load(moves), steps);
        let proposal = self.lines.propose(simd, swap);
        let draws = simd.shift_right::<1>(simd.load(draws));
        let threshold = simd.look_up(simd.load(by_delta), simd.add(proposal.more, simd.splat(MAX_DELTA as u32)));
        self.lines.accept(simd, &proposal, simd.both(steps, simd.below(draws, threshold)));

        // An age is kept where the word mutates, is 0 where the total falls, and else grows.
        let keeps = simd.below(draws, simd.splat(*mutation));
        let falls = simd.any_bit(proposal.more, simd.splat(1 << (u32::BITS - 1)));
        let grows = simd.both(steps, simd.others(keeps));
        self.ages = simd.add_in(self.ages, grows, simd.splat(1));
        self.ages = simd.select(self.ages, simd.both(steps, falls), simd.splat(0));
        proposal.scores
    }

    /// Counts the scores of the proposals, and what the slots hold now.
    #[inline(always)]
    fn count(&self, simd: S, proposed: S::V, totals: &mut Totals) {
        self.places.add_up(simd, &mut totals.sums, proposed);
        if !simd.is_empty(self.workers) {
            totals.workers.add(simd, &self.places, self.lines.scores, self.workers);
        }
        if !simd.is_empty(self.explorers) {
            totals.explorers.add(simd, &self.places, self.lines.scores, self.explorers);
        }
    }
}

/// Fresh fills of the slots of one tile in one epoch.
struct Fills<S: Words16> {
    tile: [Lanes; CELLS],
    halves: [LineMasks<S::V>; 2],
    /// Whose they are: epoch and first slot.
    of: Option<(u32, usize)>,
}

impl<S: Words16> Fills<S> {
    #[inline(always)]
    fn new(simd: S, swarm: &LineSwarm<'_>) -> Fills<S> {
        let mut tile = [Lanes([0; LANES]); CELLS];
        for (lanes, given) in tile.iter_mut().zip(swarm.blocks.puzzle().givens().cells()) {
            *lanes = Lanes([*given; LANES]);
        }
        Fills { tile, halves: [empty(simd); 2], of: None }
    }

    /// The fills of the even or the odd slots of the tile that begins at `slot`.
    #[inline(always)]
    fn of_half(&mut self, simd: S, swarm: &LineSwarm<'_>, epoch: u32, slot: usize, parity: usize) -> &LineMasks<S::V> {
        if self.of != Some((epoch, slot)) {
            self.of = Some((epoch, slot));
            swarm.blocks.fill_lanes(&mut self.tile, LaneSet::MAX, swarm.fill_key, epoch, slot as u32);
            for parity in 0..2 {
                self.halves[parity] = read(simd, &self.tile, &[Score::default(); LANES], parity);
                self.halves[parity].score(simd);
            }
        }
        &self.halves[parity]
    }
}
