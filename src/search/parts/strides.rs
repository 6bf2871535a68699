//! Several epochs of an annealing on 9x9 grids while a tile lies in registers: a *stride*.
//!
//! Chains do not meet, so the result is that of the same epochs one by one. The representation is that of `lines`.

use super::lines::{CELLS, LineTables, MOST_TILES, NO_KEY, Places, any_swap, best_of_key, read, write};
use super::step::Thresholds;
use crate::fitness::Score;
use crate::population::instructions::Instructions;
use crate::population::rng::Key;
use crate::population::vector::{self, VectorTask, WIDTH, Words16};
use crate::population::{LANES, Lanes};
use crate::search::sweeps::both;
use crate::search::trajectory::Sums;

/// The most epochs of a stride.
pub(crate) const MOST_EPOCHS: usize = 64;

/// Epochs below which a stride costs more than it saves: it takes grids to lines and back.
pub(crate) const SHORTEST: u32 = 4;

/// Epochs of the first stride.
const FIRST: u32 = 8;

/// Candidates scored in a stride at most, except that it has [`SHORTEST`] epochs: less than a tenth of a second of one core, so
/// that an interrupt or a time limit is soon obeyed.
const MOST_EVALUATIONS: usize = 1 << 23;

/// Epochs of a stride of so many slots that begins with this epoch: more as the run goes on, so that one that ends soon does
/// few in vain.
pub(crate) fn epochs(slots: usize, epoch: u32) -> u32 {
    let by_size = (MOST_EVALUATIONS / slots).clamp(SHORTEST as usize, MOST_EPOCHS);
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

/// The rule of a stride, for all chains.
#[derive(Clone, Copy)]
pub(crate) struct Stride<'a> {
    pub(crate) tables: &'a LineTables,
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

    /// The first `tiles` tiles, and the others.
    pub(crate) fn split_at(self, tiles: usize) -> (Self, Self) {
        let StrideTiles { first, from, to, old_scores, scores } = self;
        let (from, other_from) = from.split_at(tiles * CELLS);
        let (to, other_to) = to.split_at_mut(tiles * CELLS);
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
pub(crate) type StrideEpochs = [StrideEpoch; MOST_EPOCHS];

/// True if a stride on these instructions is faster than its epochs one by one. With AVX2 masks take the place of registers,
/// and only swaps at conflicts gain.
pub(crate) fn runs_on(instructions: Instructions, at_conflicts: bool) -> bool {
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512(_) => true,
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(_) => at_conflicts,
        Instructions::Portable => false,
    }
}

impl Stride<'_> {
    /// Advances these tiles, on all threads where there are more than `chunk_tiles`; none on the portable instructions.
    pub(crate) fn advance(
        self,
        instructions: Instructions,
        tiles: StrideTiles<'_>,
        chunk_tiles: usize,
    ) -> Option<StrideEpochs> {
        let all = tiles.tiles();
        if all <= chunk_tiles.min(MOST_TILES) {
            return vector::run(instructions, StrideTask { stride: self, tiles });
        }
        let (front, back) = tiles.split_at(all / 2);
        let (mut front, back) = both(
            all > chunk_tiles,
            || self.advance(instructions, front, chunk_tiles),
            || self.advance(instructions, back, chunk_tiles),
        );
        let (epochs, others) = (front.as_mut()?, back?);
        epochs.iter_mut().zip(others).for_each(|(epoch, other)| *epoch = epoch.merge(other));
        front
    }
}

/// A stride of at most [`MOST_TILES`] tiles.
struct StrideTask<'a> {
    stride: Stride<'a>,
    tiles: StrideTiles<'a>,
}

impl VectorTask for StrideTask<'_> {
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

impl StrideTask<'_> {
    #[inline(always)]
    fn run_all<S: Words16, const CONFLICTS: bool>(self, simd: S) -> StrideEpochs {
        let StrideTask { stride, tiles } = self;
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
                        false => any_swap(simd, stride.tables, moves, simd.first_places(WIDTH)),
                        true => lines.swap_at_conflict(simd, stride.tables, moves),
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
        let mut made = [StrideEpoch::default(); MOST_EPOCHS];
        for (made, totals) in made.iter_mut().zip(&*totals) {
            *made = totals.add_up(tiles.first);
        }
        made
    }
}
