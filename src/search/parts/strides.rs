//! Several epochs of an annealing before the next tile is touched: a *stride*.
//!
//! Chains do not meet, so the result is that of the same epochs one by one. There are two forms: tiles of 9x9 grids as the masks
//! of their lines, in registers (`lines`), and one chain after another as counts of the digits in its lines (`chains`).

use super::chains::{self, ChainTables, ChainTask};
use super::lines::{CELLS, LineTables, MOST_TILES, NO_KEY, Places, any_swap, best_of_key, read, write};
use super::step::Thresholds;
use crate::fitness::Score;
use crate::population::instructions::Instructions;
use crate::population::moves::FreeUnits;
use crate::population::rng::Key;
use crate::population::vector::{self, VectorTask, WIDTH, Words16};
use crate::population::{LANES, Lanes};
use crate::search::sweeps::both;
use crate::search::trajectory::Sums;

/// The most epochs of a stride of masks.
pub(crate) const MOST_EPOCHS: usize = 64;

/// Epochs below which a stride costs more than it saves: it takes grids to lines and back.
pub(crate) const SHORTEST: u32 = 4;

/// Epochs of the first stride.
const FIRST: u32 = 8;

/// Candidates scored in a stride at most, except that it has [`SHORTEST`] epochs: less than a tenth of a second of one core, so
/// that an interrupt or a time limit is soon obeyed.
const MOST_EVALUATIONS: usize = 1 << 23;

/// Epochs of a stride of so many slots that begins with this epoch, `most` at most: more as the run goes on, so that one that ends soon does
/// few in vain.
pub(crate) fn epochs(slots: usize, epoch: u32, most: usize) -> u32 {
    let by_size = (MOST_EVALUATIONS / slots).max(SHORTEST as usize).min(most);
    (by_size as u32).min((epoch / 4).max(FIRST))
}

/// Tiles that a thread takes at a time for so many epochs, where it takes `chunk_tiles` for one on cells: more work, since a
/// step in registers takes a fraction of the time, and a thread is awake some 50 microseconds after it is called.
pub(crate) fn chunk_tiles(chunk_tiles: usize, epochs: u32) -> usize {
    (chunk_tiles.saturating_mul(16) / epochs as usize).max(1)
}

/// The bits of an epoch's thresholds, by how much higher the total would be.
pub(crate) type ThresholdBits = [u32; WIDTH];

/// Thresholds as a step looks them up.
pub(crate) fn threshold_bits(thresholds: &Thresholds) -> ThresholdBits {
    let mut bits = [0; WIDTH];
    bits.iter_mut().zip(thresholds).for_each(|(bits, threshold)| *bits = threshold.bits());
    bits
}

/// True if annealing of grids of so many cells has strides on these instructions, with some swaps at least.
pub(crate) fn exist(instructions: Instructions, cells: usize) -> bool {
    cells >= LARGE || cells == CELLS && instructions != Instructions::Portable
}

/// Cells of grids whose chains are faster as counts, with swaps at conflicts; with any swap those of more cells.
const LARGE: usize = 16 * 16;

/// What strides look up about a puzzle.
pub(crate) struct StrideTables {
    cells: usize,
    /// Where the shape has this form.
    lines: Option<LineTables>,
    chains: ChainTables,
}

impl StrideTables {
    /// The tables of a puzzle.
    pub(crate) fn new(blocks: &FreeUnits) -> StrideTables {
        StrideTables {
            cells: blocks.puzzle().shape().cells(),
            lines: LineTables::new(blocks),
            chains: ChainTables::new(blocks),
        }
    }

    /// Those of masks of lines, where these instructions are fastest on them. With AVX2 masks take the place of registers, and
    /// only swaps at conflicts gain.
    fn lines_on(&self, instructions: Instructions, at_conflicts: bool) -> Option<&LineTables> {
        match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(_) => self.lines.as_ref(),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(_) if at_conflicts => self.lines.as_ref(),
            _ => None,
        }
    }

    /// The most epochs of a stride; 0 where epochs one by one are faster: of the smaller shapes, and with any swap of 16x16.
    pub(crate) fn most_epochs(&self, instructions: Instructions, at_conflicts: bool) -> usize {
        match self.lines_on(instructions, at_conflicts) {
            Some(_) => MOST_EPOCHS,
            None if self.cells > LARGE || at_conflicts && self.cells == LARGE => chains::MOST_EPOCHS,
            None => 0,
        }
    }
}

/// The rule of a stride, for all chains.
#[derive(Clone, Copy)]
pub(crate) struct Stride<'a> {
    pub(crate) tables: &'a StrideTables,
    /// True if swaps begin at a conflict.
    pub(crate) at_conflicts: bool,
    pub(crate) key: Key,
    /// The first epoch.
    pub(crate) epoch: u32,
    /// For each epoch the bits of its thresholds.
    pub(crate) thresholds: &'a [ThresholdBits],
    pub(crate) population: usize,
}

/// Successive tiles before and after a stride, the first of which begins at slot `first`.
pub(crate) struct StrideTiles<'a> {
    pub(crate) first: usize,
    pub(crate) from: &'a [Lanes],
    pub(crate) to: &'a mut [Lanes],
    pub(crate) old_scores: &'a [Score],
    pub(crate) scores: &'a mut [Score],
}

impl<'a> StrideTiles<'a> {
    /// The number of tiles.
    pub(crate) fn tiles(&self) -> usize {
        self.scores.len() / LANES
    }

    /// The first `tiles` tiles, each of so many cells, and the others.
    pub(crate) fn split_at(self, cells: usize, tiles: usize) -> (Self, Self) {
        let StrideTiles { first, from, to, old_scores, scores } = self;
        let (from, other_from) = from.split_at(tiles * cells);
        let (to, other_to) = to.split_at_mut(tiles * cells);
        let (old_scores, other_old_scores) = old_scores.split_at(tiles * LANES);
        let (scores, other_scores) = scores.split_at_mut(tiles * LANES);
        let others = StrideTiles {
            first: first + tiles * LANES,
            from: other_from,
            to: other_to,
            old_scores: other_old_scores,
            scores: other_scores,
        };
        (StrideTiles { first, from, to, old_scores, scores }, others)
    }
}

/// The sums of an epoch and its best individual, of some tiles.
#[derive(Clone, Copy, Default)]
pub(crate) struct StrideEpoch {
    pub(crate) sums: Sums,
    /// Total, slot and score.
    pub(crate) best: Option<(u32, usize, Score)>,
}

impl StrideEpoch {
    /// The epoch of both parts.
    pub(crate) fn merge(self, other: StrideEpoch) -> StrideEpoch {
        let better = |one: (u32, usize, Score), other: (u32, usize, Score)| {
            if (one.0, one.1) <= (other.0, other.1) { one } else { other }
        };
        let best = match (self.best, other.best) {
            (Some(one), Some(other)) => Some(better(one, other)),
            (one, other) => one.or(other),
        };
        StrideEpoch { sums: self.sums.merge(other.sums), best }
    }
}

/// All epochs of a stride, as many as it has thresholds.
pub(crate) type StrideEpochs = Vec<StrideEpoch>;

impl Stride<'_> {
    /// Advances these tiles, on all threads where there are more than `chunk_tiles`.
    pub(crate) fn advance(
        self,
        instructions: Instructions,
        tiles: StrideTiles<'_>,
        chunk_tiles: usize,
    ) -> StrideEpochs {
        let all = tiles.tiles();
        if all <= chunk_tiles.min(MOST_TILES) {
            return self.advance_part(instructions, tiles);
        }
        let (front, back) = tiles.split_at(self.tables.cells, all / 2);
        let (mut front, back) = both(
            all > chunk_tiles,
            || self.advance(instructions, front, chunk_tiles),
            || self.advance(instructions, back, chunk_tiles),
        );
        front.iter_mut().zip(back).for_each(|(epoch, other)| *epoch = epoch.merge(other));
        front
    }

    /// Advances at most [`MOST_TILES`] tiles, in the form that is best.
    fn advance_part(self, instructions: Instructions, tiles: StrideTiles<'_>) -> StrideEpochs {
        let Stride { tables, at_conflicts, key, epoch, thresholds, population } = self;
        match tables.lines_on(instructions, at_conflicts) {
            Some(tables) => vector::run(instructions, LineTask { tables, stride: self, tiles })
                .expect("masks of lines are the form of vectors"),
            None => {
                let tables = &tables.chains;
                instructions.run(ChainTask { tables, at_conflicts, key, epoch, thresholds, population, tiles })
            }
        }
    }
}

/// Masks of lines of at most [`MOST_TILES`] tiles.
struct LineTask<'a> {
    tables: &'a LineTables,
    stride: Stride<'a>,
    tiles: StrideTiles<'a>,
}

impl VectorTask for LineTask<'_> {
    type Output = StrideEpochs;

    #[inline(always)]
    fn run<S: Words16>(self, simd: S) -> StrideEpochs {
        match self.stride.at_conflicts {
            false => self.run_all::<S, false>(simd),
            true => self.run_all::<S, true>(simd),
        }
    }
}

/// What the tiles of a stride add up to in one epoch, by place in a vector.
#[derive(Clone, Copy)]
struct Totals {
    sums: [[u32; WIDTH]; 2],
    best: [u32; WIDTH],
}

impl Totals {
    const NONE: Totals = Totals { sums: [[0; WIDTH]; 2], best: [NO_KEY; WIDTH] };

    fn add_up(&self, first: usize) -> StrideEpoch {
        let best = self.best.iter().fold(NO_KEY, |best, key| best.min(*key));
        StrideEpoch { sums: Sums::of_parts(&self.sums), best: best_of_key(best, first) }
    }
}

impl LineTask<'_> {
    #[inline(always)]
    fn run_all<S: Words16, const CONFLICTS: bool>(self, simd: S) -> StrideEpochs {
        let LineTask { tables, stride, tiles } = self;
        let epochs = stride.thresholds.len();
        let mut totals = [Totals::NONE; MOST_EPOCHS];
        let mut words = [[[0; WIDTH]; 4]; MOST_EPOCHS];
        let (totals, words) = (&mut totals[..epochs], &mut words[..epochs]);
        let cells = tiles.from.chunks_exact(CELLS).zip(tiles.to.chunks_exact_mut(CELLS));
        let scores = tiles.old_scores.as_chunks::<LANES>().0.iter().zip(tiles.scores.as_chunks_mut::<LANES>().0);
        for (tile, ((from, to), (old_scores, scores))) in cells.zip(scores).enumerate() {
            let slot = tiles.first + tile * LANES;
            for (epoch, words) in (stride.epoch..).zip(words.iter_mut()) {
                *words = stride.key.words_of_lanes::<WIDTH>(epoch, slot as u32 / 2, 0);
            }
            let mut chains = [read(simd, from, old_scores, 0), read(simd, from, old_scores, 1)];
            for (parity, half) in chains.iter_mut().enumerate() {
                let places = Places::new(simd, tile, slot, parity, stride.population);
                let mut lines = *half;
                for ((thresholds, words), totals) in stride.thresholds.iter().zip(&*words).zip(totals.iter_mut()) {
                    let (moves, draws) = (simd.load(&words[2 * parity]), simd.load(&words[2 * parity + 1]));
                    let swap = match CONFLICTS {
                        false => any_swap(simd, tables, moves, simd.first_places(WIDTH)),
                        true => lines.swap_at_conflict(simd, tables, moves),
                    };
                    let proposal = lines.propose(simd, swap);
                    places.add_up(simd, &mut totals.sums, proposal.scores);
                    let more = simd.max_signed(proposal.more, simd.splat(0));
                    let threshold = simd.look_up(simd.load(thresholds), more);
                    lines.accept(simd, &proposal, simd.below(simd.shift_right::<1>(draws), threshold));
                    let keys = places.best_keys(simd, lines.scores);
                    totals.best = simd.store(simd.min_in(simd.load(&totals.best), places.used, keys));
                }
                *half = lines;
            }
            *scores = *old_scores;
            write(simd, &chains, to, &mut scores[..stride.population.saturating_sub(slot).min(LANES)]);
        }
        totals.iter().map(|totals| totals.add_up(tiles.first)).collect()
    }
}
