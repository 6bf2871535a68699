//! Several epochs of a swarm at once, on the masks of lines: see `line_swarm` for an epoch of them.
//!
//! The masks hold the slots while a stride goes on, and after it. Cells, scores and ages stay what they were before it, from which
//! any epoch of the stride can be reached again, until somebody looks at them or the next stride begins: then they are
//! brought up to the masks.

use super::{AcceptanceTable, Parents, Rule, Swarm, SwarmTally};
use crate::population::LANES;
use crate::population::instructions::Instructions;
use crate::population::pages::Pages;
use crate::search::parts::line_swarm::{self, LineAcceptance, LineEpoch, LineGrid, LineSwarm, LineTile};
use crate::search::parts::lines::LineTables;
use crate::search::parts::stagnation::Stagnation;
use crate::search::parts::strides;
use crate::search::{Best, Engine, Sums};
use crate::sudoku::Grid;

/// The slots as masks of lines, for strides.
pub(super) struct Lines {
    tables: LineTables,
    acceptance: LineAcceptance,
    tiles: Pages<LineTile>,
    state: LineState,
    /// The state before the last stride beside the slots, which the cells still hold while the masks are ahead.
    before: Before,
    /// The best of each epoch of the last stride, where slots meet.
    bests: Vec<(usize, LineGrid)>,
}

/// How the masks stand to the cells, scores and ages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LineState {
    /// They were changed since.
    Behind,
    /// They hold the same.
    Equal,
    /// They are those after the last stride, the cells those before it.
    Ahead,
}

/// What passes from epoch to epoch beside the slots.
#[derive(Clone, Default)]
struct Before {
    epoch: u32,
    workers: usize,
    child_slot: Option<usize>,
    child: Vec<u8>,
    stagnation: Stagnation,
    best_and_worst: (usize, usize),
}

impl Lines {
    /// Those of a swarm of this rule, where the shape allows them.
    pub(super) fn new(rule: &Rule) -> Option<Lines> {
        let AcceptanceTable { mutation, by_delta } = &rule.acceptance;
        Some(Lines {
            tables: LineTables::new(&rule.blocks)?,
            acceptance: LineAcceptance::new(by_delta, *mutation),
            tiles: Pages::zeroed(0),
            state: LineState::Behind,
            before: Before::default(),
            bests: Vec::new(),
        })
    }
}

impl Swarm {
    /// Goes so many epochs on at most, and tells of each; by none where this swarm has no masks, these instructions are no
    /// faster on them, or the epochs are too few.
    pub(super) fn go_on(
        &mut self,
        instructions: Instructions,
        most: u32,
        chunk_tiles: usize,
        each: &mut dyn FnMut(Sums, Best),
    ) {
        let epochs = self.stride_epochs(most);
        if self.lines.is_none() || !line_swarm::runs_on(instructions) || epochs < strides::SHORTEST {
            return;
        }
        self.start_stride(instructions);
        self.walk(instructions, epochs, chunk_tiles, each);
    }

    /// The grid of the slot that was the best after an epoch of the last stride.
    pub(super) fn best_within(&self, epoch: u32, slot: usize) -> Option<Grid> {
        let lines = self.lines.as_ref()?;
        if lines.bests.is_empty() {
            return self.grid_of_tile(epoch, slot);
        }
        lines.bests.get(epoch as usize - 1).filter(|best| best.0 == slot).map(|best| best.1.grid())
    }

    /// Goes back to the state after an epoch of the last stride.
    pub(super) fn go_back_to(&mut self, epoch: u32) -> bool {
        let Some(lines) = self.lines.as_mut().filter(|lines| lines.state == LineState::Ahead) else { return false };
        lines.state = LineState::Behind;
        let before = lines.before.clone();
        self.go_back(before);
        self.start_stride(Instructions::best());
        self.walk(Instructions::best(), epoch, Engine::CHUNK / LANES, &mut |_, _| {}).is_some()
    }

    /// Epochs of the next stride; none of epoch 0, which is made of fills.
    fn stride_epochs(&self, most: u32) -> u32 {
        if self.rule.epoch == 0 {
            0
        } else {
            strides::epochs(self.population.slots(), self.rule.epoch, strides::MOST_EPOCHS).min(most)
        }
    }

    /// True if no slot meets another before the best total has stood for a while: tiles may go on by themselves.
    fn is_independent(&self) -> bool {
        self.rule.workers == self.rule.population && !self.roles.is_adaptive()
    }

    /// The masks no longer hold what counts.
    pub(super) fn leave_lines(&mut self) {
        if let Some(lines) = &mut self.lines {
            lines.state = LineState::Behind;
        }
    }

    /// Brings cells, scores and ages up to the masks, if these are ahead.
    pub(super) fn write_cells(&mut self) {
        let Swarm { lines, population, scores, ages, .. } = self;
        if let Some(lines) = lines.as_mut().filter(|lines| lines.state == LineState::Ahead)
            && line_swarm::write_all(Instructions::best(), &lines.tiles, population, scores, ages)
        {
            lines.state = LineState::Equal;
        }
    }

    /// Makes the cells, and what is kept beside them, the state before a stride, and the masks equal to them.
    fn start_stride(&mut self, instructions: Instructions) {
        self.write_cells();
        let Swarm { rule, lines, population, scores, ages, stagnation, best_slot, worst_slot, .. } = self;
        let Some(lines) = lines else { return };
        let is_behind = lines.state == LineState::Behind;
        if is_behind && line_swarm::read_all(instructions, population, scores, ages, &mut lines.tiles) {
            lines.state = LineState::Equal;
        }
        let before = &mut lines.before;
        before.child.clone_from(&rule.child);
        (before.epoch, before.workers, before.child_slot) = (rule.epoch, rule.workers, rule.child_slot);
        (before.stagnation, before.best_and_worst) = (*stagnation, (*best_slot, *worst_slot));
    }

    /// Takes back what passed from epoch to epoch beside the slots.
    fn go_back(&mut self, before: Before) {
        let Before { epoch, workers, child_slot, child, stagnation, best_and_worst } = before;
        let rule = &mut self.rule;
        (rule.epoch, rule.workers, rule.child_slot, rule.child) = (epoch, workers, child_slot, child);
        (self.stagnation, (self.best_slot, self.worst_slot)) = (stagnation, best_and_worst);
    }

    /// Goes this many epochs on, or to the first that solves the puzzle, and tells of each.
    fn walk(
        &mut self,
        instructions: Instructions,
        epochs: u32,
        chunk_tiles: usize,
        each: &mut dyn FnMut(Sums, Best),
    ) -> Option<()> {
        let mut child = self.rule.child_grid(self.rule.child_slot, &self.rule.child);
        let independent = self.is_independent();
        let lines = self.lines.as_mut().filter(|lines| lines.state == LineState::Equal)?;
        lines.state = LineState::Ahead;
        lines.bests.clear();
        if independent {
            let chunk_tiles = strides::chunk_tiles(chunk_tiles, epochs);
            let made = self.advance::<{ strides::MOST_EPOCHS }>(instructions, child, epochs as usize, chunk_tiles)?;
            for epoch in &made[..epochs as usize] {
                self.rule.child_slot = None;
                let best = self.note_line_epoch(epoch);
                each(epoch.epoch.sums, best);
            }
            return Some(());
        }
        let chunk_tiles = strides::chunk_tiles(chunk_tiles, 1);
        for _ in 0..epochs {
            let [epoch] = self.advance(instructions, child, 1, chunk_tiles)?;
            child = self.merge_lines(&epoch);
            let best = self.note_line_epoch(&epoch);
            let lines = self.lines.as_mut()?;
            lines.bests.push((best.slot, LineGrid::of_slot(&lines.tiles, best.slot)));
            each(epoch.epoch.sums, best);
            if best.score.total() == 0 {
                break;
            }
        }
        if let Some((_, child)) = child {
            self.rule.blocks.digits(&child.grid(), &mut self.rule.child);
        }
        Some(())
    }

    fn advance<const EPOCHS: usize>(
        &mut self,
        instructions: Instructions,
        child: Option<(usize, LineGrid)>,
        epochs: usize,
        chunk_tiles: usize,
    ) -> Option<[LineEpoch; EPOCHS]> {
        let Lines { tables, acceptance, tiles, .. } = self.lines.as_mut()?;
        self.rule.line_swarm(tables, acceptance, child).advance(instructions, tiles, 0, epochs, chunk_tiles)
    }

    fn merge_lines(&mut self, epoch: &LineEpoch) -> Option<(usize, LineGrid)> {
        self.rule.child_slot = None;
        let Parents { worker, explorer, worst } = tally_of(epoch).parents()?;
        let [choice, ..] = self.rule.merge_key.words(self.rule.epoch, 0, 0);
        let tiles = &self.lines.as_ref()?.tiles;
        self.rule.child_slot = Some(worst);
        Some((worst, LineGrid::of_slot(tiles, worker).merge(&LineGrid::of_slot(tiles, explorer), choice)))
    }

    fn note_line_epoch(&mut self, epoch: &LineEpoch) -> Best {
        self.note_epoch(&tally_of(epoch));
        let (_, slot, score) = epoch.epoch.best.expect("a population is not empty");
        Best { score, slot }
    }

    /// The grid of a slot so many epochs after the start of a stride of which every tile went its own way.
    fn grid_of_tile(&self, epochs: u32, slot: usize) -> Option<Grid> {
        let lines = self.lines.as_ref().filter(|lines| lines.state == LineState::Ahead)?;
        let Lines { tables, acceptance, before, .. } = lines;
        let child = self.rule.child_grid(before.child_slot, &before.child);
        let rule = self.rule.line_swarm(tables, acceptance, child);
        let swarm = LineSwarm { epoch: before.epoch, workers: before.workers, ..rule };
        let (tile, cells) = (slot / LANES, self.population.shape().cells());
        let lanes = &self.population.lanes()[tile * cells..][..cells];
        let slots = tile * LANES..(tile + 1) * LANES;
        swarm.grid_after(
            Instructions::best(),
            epochs as usize,
            lanes,
            &self.scores[slots.clone()],
            &self.ages[slots],
            slot,
        )
    }
}

impl Rule {
    /// A child as masks, with the slot that it waits for.
    fn child_grid(&self, slot: Option<usize>, child: &[u8]) -> Option<(usize, LineGrid)> {
        Some((slot?, LineGrid::of(&self.blocks.completed(child))))
    }

    fn line_swarm<'a>(
        &'a self,
        tables: &'a LineTables,
        acceptance: &'a LineAcceptance,
        child: Option<(usize, LineGrid)>,
    ) -> LineSwarm<'a> {
        let Rule { blocks, fill_key, step_key, epoch, max_age, population, workers, .. } = self;
        LineSwarm {
            tables,
            blocks,
            fill_key: *fill_key,
            step_key: *step_key,
            epoch: *epoch,
            acceptance,
            max_age: *max_age,
            population: *population,
            workers: *workers,
            child,
        }
    }
}

fn tally_of(epoch: &LineEpoch) -> SwarmTally {
    SwarmTally { workers: epoch.workers, explorers: epoch.explorers }
}
