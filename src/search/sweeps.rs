//! The sweeps over all tiles of which an epoch is made: chunks of tiles on all cores, halved until they are small enough.
//! No result depends on where they are cut.

use std::time::{Duration, Instant};

use rayon::join;

use super::trajectory::Sums;
use super::{Chunk, Search, Tally};
use crate::fitness::{Score, Staged, TileScorer};
use crate::population::instructions::{Instructions, Task};
use crate::population::prefetch::IN_CACHE;
use crate::population::{LANES, Lanes};

/// Tiles below which handing work to another thread costs more than it brings.
pub(super) const CHUNK_TILES: usize = 64;

/// Tiles that are proposed and then staged: they lie in the first-level cache in between, and the clock that tells the
/// one from the other is read seldom enough.
const STAGED_TOGETHER: usize = 8;

/// What an epoch, or a part of it, adds up to.
#[derive(Default)]
pub(super) struct EpochSummary<T> {
    pub sums: Sums,
    pub tally: T,
}

impl<T: Tally> Tally for EpochSummary<T> {
    fn merge(self, other: Self) -> Self {
        EpochSummary { sums: self.sums.merge(other.sums), tally: self.tally.merge(other.tally) }
    }
}

/// Work that adds up to nothing.
impl Tally for () {
    fn merge(self, (): ()) {}
}

/// What threads spent on proposals and on staging them.
#[derive(Clone, Copy, Default)]
pub struct Spent {
    proposing: Duration,
    staging: Duration,
}

impl Spent {
    /// The share of a sweep's wall time that went into proposals.
    pub fn proposing_of(self, wall: Duration) -> Duration {
        let both = (self.proposing + self.staging).as_secs_f64();
        if both > 0.0 { wall.mul_f64(self.proposing.as_secs_f64() / both) } else { Duration::ZERO }
    }
}

impl Tally for Spent {
    fn merge(self, other: Self) -> Self {
        Spent { proposing: self.proposing + other.proposing, staging: self.staging + other.staging }
    }
}

/// Successive tiles that can be cut anywhere.
trait Divisible: Sized + Send {
    /// The number of tiles.
    fn length(&self) -> usize;

    /// The first `tiles` tiles, and the others.
    fn cut_at(self, tiles: usize) -> (Self, Self);
}

impl<C: Chunk> Divisible for C {
    fn length(&self) -> usize {
        self.tiles()
    }

    fn cut_at(self, tiles: usize) -> (Self, Self) {
        self.split_at(tiles)
    }
}

/// A chunk with the staging memory of the same tiles.
struct Staging<'a, C> {
    chunk: C,
    staged: Staged<'a>,
}

impl<C: Chunk> Divisible for Staging<'_, C> {
    fn length(&self) -> usize {
        self.staged.tiles()
    }

    fn cut_at(self, tiles: usize) -> (Self, Self) {
        let (chunk, other_chunk) = self.chunk.split_at(tiles);
        let (staged, other_staged) = self.staged.split_at(tiles);
        (Staging { chunk, staged }, Staging { chunk: other_chunk, staged: other_staged })
    }
}

/// Makes all proposals.
pub(super) fn propose<S: Search>(search: &mut S, chunk_tiles: usize) {
    cut(search.chunk(), 0, chunk_tiles, &|chunk, _| Instructions::best().run(Propose { chunk }));
}

/// Makes the proposals of as many tiles as there is staging memory for, from tile `first` on, each put there while it
/// lies in cache: a large population is not read from memory once more.
pub(super) fn propose_into<S: Search>(search: &mut S, first: usize, staged: Staged<'_>, chunk_tiles: usize) -> Spent {
    let (chunk, _) = search.chunk().split_at(first).1.split_at(staged.tiles());
    cut(Staging { chunk, staged }, first * LANES, chunk_tiles, &|part, _| Instructions::best().run(part))
}

/// Stages proposals that were made before.
pub(super) fn stage<S: Search>(search: &S, first: usize, staged: Staged<'_>) {
    let proposals = search.proposals();
    let cells = proposals.shape().cells();
    let lanes: &[Lanes] = &proposals.lanes()[first * cells..][..staged.tiles() * cells];
    staged.write_all(lanes);
}

/// Proposes, scores and accepts, each tile while it lies in cache.
pub(super) fn sweep<S: Search>(search: &mut S, chunk_tiles: usize, scorer: &dyn TileScorer) -> EpochSummary<S::Tally> {
    let len = search.population().len();
    let from_memory = size_of_val(search.population().lanes()) > IN_CACHE;
    cut(search.chunk(), 0, chunk_tiles, &|chunk, first| {
        scorer.instructions().run(Sweep { chunk, first, len, from_memory, scorer })
    })
}

/// Accepts all proposals by the scores of their slots.
pub(super) fn accept<S: Search>(search: &mut S, chunk_tiles: usize, scores: &[Score]) -> EpochSummary<S::Tally> {
    let len = search.population().len();
    cut(search.chunk(), 0, chunk_tiles, &|chunk, first| {
        Instructions::best().run(Accept { chunk, first, len, scores: &scores[first..] })
    })
}

/// Halves tiles, of which the first begins at slot `first`, until their parts are small, works on all parts in parallel,
/// and merges what they add up to.
fn cut<C: Divisible, T: Tally>(part: C, first: usize, chunk_tiles: usize, work: &(impl Fn(C, usize) -> T + Sync)) -> T {
    if part.length() <= chunk_tiles {
        return work(part, first);
    }
    let tiles = part.length() / 2;
    let (front, back) = part.cut_at(tiles);
    let middle = first + tiles * LANES;
    let (front, back) = join(|| cut(front, first, chunk_tiles, work), || cut(back, middle, chunk_tiles, work));
    front.merge(back)
}

/// Both results, of work done at the same time if it is worth it.
pub(super) fn both<A: Send, B: Send>(
    parallel: bool,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if parallel { join(one, other) } else { (one(), other()) }
}

/// Proposing for every tile.
struct Propose<C> {
    chunk: C,
}

impl<C: Chunk> Task for Propose<C> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        for tile in 0..self.chunk.tiles() {
            self.chunk.propose(tile);
        }
    }
}

/// Proposing for every tile, and staging what was proposed.
impl<C: Chunk> Task for Staging<'_, C> {
    type Output = Spent;

    #[inline(always)]
    fn run(self) -> Spent {
        let Staging { mut chunk, mut staged } = self;
        let mut spent = Spent::default();
        let mut begun = Instant::now();
        for first in (0..chunk.tiles()).step_by(STAGED_TOGETHER) {
            let tiles = first..chunk.tiles().min(first + STAGED_TOGETHER);
            for tile in tiles.clone() {
                chunk.propose(tile);
            }
            let proposed = Instant::now();
            for tile in tiles {
                staged.write(tile, chunk.lanes(tile));
            }
            let done = Instant::now();
            spent.proposing += proposed - begun;
            spent.staging += done - proposed;
            begun = done;
        }
        spent
    }
}

/// Proposing, scoring and accepting tile by tile; `first` is the chunk's first slot, `len` the whole population's length.
struct Sweep<'a, C> {
    chunk: C,
    first: usize,
    len: usize,
    /// True if tiles to come are to be asked for.
    from_memory: bool,
    scorer: &'a dyn TileScorer,
}

impl<C: Chunk> Task for Sweep<'_, C> {
    type Output = EpochSummary<C::Tally>;

    #[inline(always)]
    fn run(self) -> EpochSummary<C::Tally> {
        let Sweep { mut chunk, first, len, from_memory, scorer } = self;
        let mut summary = EpochSummary::<C::Tally>::default();
        let mut scores = [Score::default(); LANES];
        for tile in 0..chunk.tiles() {
            if from_memory {
                chunk.prefetch(tile);
            }
            chunk.propose(tile);
            scorer.score_tile(chunk.lanes(tile), &mut scores);
            accept_tile(&mut chunk, tile, first + tile * LANES, len, &scores, &mut summary);
        }
        summary
    }
}

/// Accepting tile by tile what a batch has scored.
struct Accept<'a, C> {
    chunk: C,
    first: usize,
    len: usize,
    scores: &'a [Score],
}

impl<C: Chunk> Task for Accept<'_, C> {
    type Output = EpochSummary<C::Tally>;

    #[inline(always)]
    fn run(self) -> EpochSummary<C::Tally> {
        let Accept { mut chunk, first, len, scores } = self;
        let mut summary = EpochSummary::<C::Tally>::default();
        for (tile, scores) in scores.as_chunks::<LANES>().0.iter().enumerate().take(chunk.tiles()) {
            accept_tile(&mut chunk, tile, first + tile * LANES, len, scores, &mut summary);
        }
        summary
    }
}

#[inline(always)]
fn accept_tile<C: Chunk>(
    chunk: &mut C,
    tile: usize,
    slot: usize,
    len: usize,
    scores: &[Score; LANES],
    summary: &mut EpochSummary<C::Tally>,
) {
    match len - slot {
        left @ 0..LANES => summary.sums.add_scores(slot as u32, &scores[..left]),
        _ => summary.sums.add_tile(slot as u32, scores),
    }
    chunk.accept(tile, scores, &mut summary.tally);
}
