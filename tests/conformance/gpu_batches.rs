//! Batches under way: several at once, in any order, on devices that are lost.

use std::ops::ControlFlow;

use swarmdoku::fitness::gpu::GpuLimits;
use swarmdoku::fitness::{Backend, BatchScorer, BatchTimes, Staged, Ticket};
use swarmdoku::search::{Budget, Engine, Swarm, SwarmParameters, run};
use swarmdoku::{Candidates, Error, Evaluator, GpuEvaluator, Grid, LANES, Population, Puzzle, Score, Shape};

use crate::candidates::mixed;
use crate::cases::Case;
use crate::compare::{compare, oracle_scores};
use crate::subject::{Subject, gpu_evaluator};

pub const ALL: &[Case] = &[
    Case::new("batches_under_way_at_once_keep_apart_and_are_finished_in_any_order", at_once),
    Case::new("every_batch_under_way_on_a_lost_device_is_staged_and_scored_again", lost_under_way),
    Case::new("a_ticket_that_stands_for_no_batch_is_refused_and_the_next_is_scored", strange_tickets),
    Case::new("an_evaluator_dropped_with_batches_under_way_does_no_harm_to_the_next", dropped),
    Case::new("epochs_make_no_buffer_bind_group_or_pipeline_after_the_second", nothing_made),
    Case::without_scores("a_search_goes_its_way_on_a_device_that_is_lost_again_and_again", fragile_search),
];

/// Hands out the tiles of a population, piece after piece.
fn writer(population: &Population) -> impl FnMut(Staged<'_>) {
    let (cells, mut first) = (population.shape().cells(), 0);
    move |staged| {
        let tiles = staged.tiles();
        staged.write_all(&population.lanes()[first * cells..][..tiles * cells]);
        first += tiles;
    }
}

fn submit(evaluator: &mut GpuEvaluator, population: &Population) -> Result<Ticket, String> {
    evaluator.submit(population.tiles(), &mut writer(population)).map_err(|error| error.to_string())
}

/// Finishes the batch of a population, and compares its scores with the oracle's.
fn finish(evaluator: &mut GpuEvaluator, ticket: Ticket, population: &Population) -> Result<usize, String> {
    let mut found = vec![Score::from_bits(u32::MAX); population.slots()];
    evaluator.finish(ticket, &mut writer(population), &mut found).map_err(|error| error.to_string())?;
    compare(&oracle_scores(population.candidates()), &found)
}

fn evaluator() -> Result<GpuEvaluator, String> {
    gpu_evaluator(Shape::NINE, 100, None).map_err(|error| error.to_string())
}

fn at_once(_: &Subject) -> Result<usize, String> {
    let mut evaluator = evaluator()?;
    let mut compared = 0;
    for (round, order) in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]].into_iter().enumerate() {
        let populations =
            [1_000, 33, 0, 5_000].map(|len| mixed(Shape::NINE, len + round * LANES, (len + round) as u64));
        let mut tickets = Vec::new();
        for population in &populations {
            tickets.push(Some(submit(&mut evaluator, population)?));
        }
        for batch in order {
            let ticket = tickets[batch].take().expect("each is finished once");
            compared += finish(&mut evaluator, ticket, &populations[batch])?;
        }
    }
    assert_eq!(compared, 3 * (32 + 2 + 157) * LANES + (1 + 2) * 4 * LANES);
    Ok(compared)
}

fn lost_under_way(_: &Subject) -> Result<usize, String> {
    let mut evaluator = evaluator()?;
    let populations = [100, 3_000].map(|len| mixed(Shape::NINE, len, len as u64));
    let mut compared = 0;
    for recoveries in 1..4 {
        let first = submit(&mut evaluator, &populations[0])?;
        if recoveries < 3 {
            evaluator.destroy_device();
        }
        let second = submit(&mut evaluator, &populations[1])?;
        evaluator.destroy_device();
        compared += finish(&mut evaluator, second, &populations[1])?;
        compared += finish(&mut evaluator, first, &populations[0])?;
        assert_eq!(evaluator.recoveries(), recoveries);
    }
    assert_eq!(compared, 3 * (4 + 94) * LANES);
    Ok(compared)
}

fn strange_tickets(_: &Subject) -> Result<usize, String> {
    let mut evaluator = evaluator()?;
    let population = mixed(Shape::NINE, 100, 1);
    let mut scores = vec![Score::default(); 4 * LANES];
    let ticket = submit(&mut evaluator, &population)?;
    let number = ticket.number();
    let mut refused = |evaluator: &mut GpuEvaluator, number, slots: usize| {
        let outcome = evaluator.finish(Ticket::new(number), &mut writer(&population), &mut scores[..slots]);
        assert!(matches!(outcome, Err(Error::Internal(_))), "{outcome:?}");
    };
    refused(&mut evaluator, number, 3 * LANES);
    refused(&mut evaluator, number + 7, 4 * LANES);
    let compared = finish(&mut evaluator, ticket, &population)?;
    refused(&mut evaluator, number, 4 * LANES);
    let ticket = submit(&mut evaluator, &population)?;
    Ok(compared + finish(&mut evaluator, ticket, &population)?)
}

fn dropped(_: &Subject) -> Result<usize, String> {
    let population = mixed(Shape::NINE, 3_000, 1);
    let mut compared = 0;
    for lost in [false, true] {
        let mut fated = evaluator()?;
        let [_first, _second] = [submit(&mut fated, &population)?, submit(&mut fated, &population)?];
        if lost {
            fated.destroy_device();
        }
        drop(fated);
        let mut next = evaluator()?;
        let ticket = submit(&mut next, &population)?;
        compared += finish(&mut next, ticket, &population)?;
    }
    Ok(compared)
}

/// wgpu counts what there is, not what is made; but what a submission needs is there until the submission is done, so that
/// what an epoch made for itself alone would be seen while it is under way.
fn nothing_made(_: &Subject) -> Result<usize, String> {
    let mut evaluator = evaluator()?;
    let populations = [3_000, 5_000].map(|len| mixed(Shape::NINE, len, len as u64));
    let mut compared = 0;
    let mut seen = Vec::new();
    for _ in 0..5 {
        let first = submit(&mut evaluator, &populations[0])?;
        let one_under_way = evaluator.living_objects();
        let second = submit(&mut evaluator, &populations[1])?;
        let two_under_way = evaluator.living_objects();
        compared += finish(&mut evaluator, first, &populations[0])?;
        compared += finish(&mut evaluator, second, &populations[1])?;
        seen.push([one_under_way, two_under_way, evaluator.living_objects()]);
    }
    let [buffers, bind_groups, pipelines, _] = seen[1][2].ok_or("a session that works is there")?;
    assert!(buffers >= 8 && bind_groups >= 2 && pipelines >= 1, "wgpu counts: {seen:?}");
    for later in &seen[1..] {
        assert_eq!(*later, [seen[1][2]; 3], "made after the second epoch: {seen:?}");
    }
    Ok(compared)
}

/// A GPU that is lost before every third batch and, at other times, after every second.
struct Fragile {
    gpu: GpuEvaluator,
    batches: usize,
}

impl Evaluator for Fragile {
    fn shape(&self) -> Shape {
        self.gpu.shape()
    }

    fn backend(&self) -> Backend {
        self.gpu.backend()
    }

    fn describe(&self) -> String {
        format!("{}, lost {} times", self.gpu.describe(), self.gpu.recoveries())
    }

    fn score(&mut self, candidates: Candidates<'_>, scores: &mut [Score]) -> Result<(), Error> {
        self.gpu.score(candidates, scores)
    }

    fn last_batch_times(&self) -> Option<BatchTimes> {
        self.gpu.last_batch_times()
    }

    fn batch_scorer(&mut self) -> Option<&mut dyn BatchScorer> {
        Some(self)
    }
}

impl BatchScorer for Fragile {
    fn submit(&mut self, tiles: usize, write: &mut dyn FnMut(Staged<'_>)) -> Result<Ticket, Error> {
        self.batches += 1;
        if self.batches.is_multiple_of(3) {
            self.gpu.destroy_device();
        }
        let ticket = self.gpu.submit(tiles, write);
        if self.batches.is_multiple_of(2) {
            self.gpu.destroy_device();
        }
        ticket
    }

    fn finish(
        &mut self,
        ticket: Ticket,
        rewrite: &mut dyn FnMut(Staged<'_>),
        scores: &mut [Score],
    ) -> Result<(), Error> {
        self.gpu.finish(ticket, rewrite, scores)
    }
}

fn fragile_search(subject: &Subject) -> Result<usize, String> {
    let puzzle = Puzzle::new(Grid::empty(Shape::NINE)).expect("no conflict");
    let budget = Budget { epochs: Some(9), restarts: Some(1), ..Budget::default() };
    let parameters = SwarmParameters { population: 2_500, ..SwarmParameters::SEED };
    let trajectory = |evaluator: Box<dyn Evaluator>| -> Result<(u64, String), String> {
        let mut search = Swarm::new(&puzzle, &parameters, 1).map_err(|error| error.to_string())?;
        let mut engine = Engine::new(evaluator);
        let outcome = run(&mut search, &mut engine, &puzzle, &budget, |_| ControlFlow::Continue(()));
        Ok((outcome.map_err(|error| error.to_string())?.trajectory, engine.evaluator().describe()))
    };
    let (expected, _) = trajectory(subject.evaluator(Shape::NINE, 0)?)?;
    // Four buffers hold the population, so that it is proposed, and staged again, in four pieces.
    let limits = GpuLimits {
        max_workgroups_per_dimension: u32::MAX,
        max_binding_bytes: u64::MAX,
        max_buffer_bytes: (25 * 81 * LANES) as u64,
    };
    let gpu = gpu_evaluator(Shape::NINE, 0, Some(limits)).map_err(|error| error.to_string())?;
    let (found, who) = trajectory(Box::new(Fragile { gpu, batches: 0 }))?;
    assert_eq!(found, expected, "{who}");
    assert!(who.ends_with("lost 7 times"), "{who}");
    Ok(0)
}
