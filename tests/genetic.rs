//! The rules of the genetic algorithms, told a second time: one plain grid after another, scored by the oracle.

use std::ops::ControlFlow;

use swarmdoku::fitness::oracle;
use swarmdoku::population::rng::{Key, Stream, Words, bounded, shuffle};
use swarmdoku::population::sample::{self, CandidateKind};
use swarmdoku::search::{
    Budget, Crossover, Encoding, Engine, GaColumnsParameters, GaNaiveParameters, GeneticParameters, Outcome,
    Parameters, Resumable, Search, Selection, Variant, run,
};
use swarmdoku::{Cpu, Grid, Population, Puzzle, Scalar, Shape};

/// A puzzle with about this part of a random solution's cells given.
fn puzzle(shape: Shape, seed: u64, given: f64) -> Puzzle {
    let solution = sample::candidate(shape, CandidateKind::Solved, seed, 0);
    let mut words = Words::new(Key::new(seed, 0, Stream::Sample), u32::MAX, 0);
    let cells = solution.cells().iter();
    let givens: Vec<u8> =
        cells.map(|digit| if f64::from(words.next_word()) < given * 2f64.powi(32) { *digit } else { 0 }).collect();
    Puzzle::new(Grid::new(shape, givens).unwrap()).unwrap()
}

/// The free cells of every unit of an encoding.
fn free_cells(puzzle: &Puzzle, encoding: Option<Encoding>) -> Vec<Vec<usize>> {
    let shape = puzzle.shape();
    let unit_of = |cell: usize| match encoding {
        None => 0,
        Some(Encoding::Blocks) => shape.block(cell),
        Some(Encoding::Rows) => shape.row(cell),
        Some(Encoding::Columns) => shape.column(cell),
    };
    let units = if encoding.is_none() { 1 } else { shape.side() };
    (0..units).map(|unit| puzzle.free_cells().filter(|cell| unit_of(*cell) == unit).collect()).collect()
}

/// The digits that the givens leave for these cells of one unit, ascending.
fn missing(puzzle: &Puzzle, encoding: Option<Encoding>, unit: usize) -> Vec<u8> {
    let shape = puzzle.shape();
    let cells: Vec<usize> = match encoding {
        None => (0..shape.cells()).collect(),
        Some(Encoding::Blocks) => shape.block_cells(unit).collect(),
        Some(Encoding::Rows) => shape.row_cells(unit).collect(),
        Some(Encoding::Columns) => shape.column_cells(unit).collect(),
    };
    let times = cells.len() / shape.side();
    (1..=shape.side() as u8)
        .flat_map(|digit| {
            let given = cells.iter().filter(|cell| puzzle.givens().get(**cell) == digit).count();
            vec![digit; times - given]
        })
        .collect()
}

/// Random numbers of one child: several draws to a word as long as the product of their bounds is at most 2^20.
struct Dice {
    words: Vec<u32>,
    word: u32,
    served: u64,
}

impl Dice {
    fn new(seed: u64, generation: u32, slot: usize) -> Dice {
        let key = Key::new(seed, 0, Stream::Variation);
        let shared = key.words(generation, slot as u32 / 2, 0);
        let mut words = shared[2 * (slot % 2)..][..2].to_vec();
        words.extend((1..200).flat_map(|draw| key.words(generation, slot as u32, draw)));
        words.reverse();
        Dice { words, word: 0, served: u64::MAX }
    }

    fn word(&mut self) -> u32 {
        self.words.pop().unwrap()
    }

    fn below(&mut self, bound: usize) -> usize {
        if bound == 1 {
            return 0;
        }
        self.served = self.served.saturating_mul(bound as u64);
        if self.served > 1 << 20 {
            (self.word, self.served) = (self.word(), bound as u64);
        }
        bounded(&mut self.word, bound as u32) as usize
    }

    fn chance(&mut self, probability: f64) -> bool {
        f64::from(self.word() >> 1) < (probability * 2f64.powi(31)).round()
    }

    /// `count` of the items, drawn one after another.
    fn sample<T>(&mut self, mut items: Vec<T>, count: usize) -> Vec<T> {
        for k in 0..count {
            let other = k + self.below(items.len() - k);
            items.swap(k, other);
        }
        items.truncate(count);
        items
    }
}

fn fill(puzzle: &Puzzle, encoding: Option<Encoding>, seed: u64, generation: u32, slot: usize) -> Grid {
    let mut words = Words::new(Key::new(seed, 0, Stream::Fill), generation, slot as u32);
    let mut grid = puzzle.givens().clone();
    for (unit, cells) in free_cells(puzzle, encoding).iter().enumerate() {
        let mut digits = missing(puzzle, encoding, unit);
        shuffle(&mut digits, || words.next_word());
        cells.iter().zip(digits).for_each(|(cell, digit)| grid.set(*cell, digit));
    }
    grid
}

fn exchange(grid: &mut Grid, first: usize, second: usize) {
    let digit = grid.get(first);
    grid.set(first, grid.get(second));
    grid.set(second, digit);
}

/// A generation, the best first, equal ones by slot.
fn ranked(generation: &[Grid]) -> Vec<&Grid> {
    let mut ranked: Vec<&Grid> = generation.iter().collect();
    ranked.sort_by_cached_key(|grid| oracle::score(grid).total());
    ranked
}

/// The last of `epochs` generations after the first, unless a candidate with total 0 turns up before. `breed` makes the
/// next generation; it is told whether the last one was filled.
fn reference(
    fill: impl Fn(u32, usize) -> Grid,
    population: usize,
    restart_after: usize,
    epochs: u32,
    mut breed: impl FnMut(u32, &[Grid], bool) -> Vec<Grid>,
) -> Vec<Grid> {
    let mut generation: Vec<Grid> = Vec::new();
    let mut bests: Vec<u32> = Vec::new();
    for epoch in 0..=epochs {
        let stuck = bests.len() > restart_after
            && bests.iter().rev().take(restart_after + 1).all(|best| *best == bests[bests.len() - 1]);
        let was_fresh = bests.len() == 1;
        if stuck {
            bests.clear();
        }
        generation = if bests.is_empty() {
            (0..population).map(|slot| fill(epoch, slot)).collect()
        } else {
            breed(epoch, &generation, was_fresh)
        };
        bests.push(oracle::score(ranked(&generation)[0]).total());
        if bests.ends_with(&[0]) {
            break;
        }
    }
    generation
}

/// The rule of both algorithms of the notebook: some cells of some units of a survivor shuffled.
fn reshuffled(cells: &[Vec<usize>], survivors: &[&Grid], shuffled: (usize, usize), mut dice: Dice) -> Grid {
    let mut child = survivors[dice.below(survivors.len())].clone();
    for unit in dice.sample((0..cells.len()).collect(), shuffled.0.min(cells.len())) {
        let count = shuffled.1.min(cells[unit].len());
        if count >= 2 {
            let places = dice.sample(cells[unit].clone(), count);
            (1..count).rev().for_each(|k| exchange(&mut child, places[k], places[dice.below(k + 1)]));
        }
    }
    child
}

fn naive_reference(puzzle: &Puzzle, parameters: &GaNaiveParameters, seed: u64, epochs: u32) -> Vec<Grid> {
    let cells = free_cells(puzzle, None);
    let free = cells[0].len();
    let shuffled = free - parameters.keep_percent as usize * free / 100;
    let fill = |epoch, slot| fill(puzzle, None, seed, epoch, slot);
    reference(fill, parameters.population, parameters.restart_after as usize, epochs, |epoch, last, _| {
        let survivors = &ranked(last)[..parameters.survivors];
        let child = |slot| reshuffled(&cells, survivors, (1, shuffled), Dice::new(seed, epoch, slot));
        (0..parameters.population).map(child).collect()
    })
}

fn columns_reference(puzzle: &Puzzle, parameters: &GaColumnsParameters, seed: u64, epochs: u32) -> Vec<Grid> {
    let cells = free_cells(puzzle, Some(Encoding::Columns));
    let shuffled = (parameters.shuffled_columns as usize, parameters.shuffled_cells as usize);
    let fill = |epoch, slot| fill(puzzle, Some(Encoding::Columns), seed, epoch, slot);
    reference(fill, parameters.population, parameters.restart_after as usize, epochs, |epoch, last, _| {
        let survivors = &ranked(last)[..parameters.survivors];
        let child = |slot| reshuffled(&cells, survivors, shuffled, Dice::new(seed, epoch, slot));
        (0..parameters.population).map(child).collect()
    })
}

fn genetic_reference(puzzle: &Puzzle, parameters: &GeneticParameters, seed: u64, epochs: u32) -> Vec<Grid> {
    let encoding = Some(parameters.encoding);
    let cells = free_cells(puzzle, encoding);
    let pairs: Vec<(usize, usize)> = cells
        .iter()
        .flat_map(|unit| (0..unit.len()).flat_map(move |i| (i + 1..unit.len()).map(move |j| (unit[i], unit[j]))))
        .collect();
    let room = (parameters.population - parameters.elites).div_ceil(2);
    let mut tried = 0;
    let mut best: Option<u32> = None;
    let fill = |epoch, slot| fill(puzzle, encoding, seed, epoch, slot);
    reference(fill, parameters.population, parameters.restart_after as usize, epochs, |epoch, last, was_fresh| {
        let ranked = ranked(last);
        let total = oracle::score(ranked[0]).total();
        if was_fresh || best.replace(total).is_none_or(|best| total < best) {
            tried = 0;
        }
        best = Some(total);
        let mut next: Vec<Grid> = ranked[..parameters.elites].iter().map(|elite| (*elite).clone()).collect();
        if parameters.local_search {
            for (first, second) in pairs.iter().skip(tried).take(room) {
                next.push(ranked[0].clone());
                exchange(next.last_mut().unwrap(), *first, *second);
            }
            tried += room;
        }
        for slot in next.len()..parameters.population {
            next.push(genetic_child(&cells, parameters, &ranked, Dice::new(seed, epoch, slot)));
        }
        next
    })
}

fn genetic_child(cells: &[Vec<usize>], parameters: &GeneticParameters, ranked: &[&Grid], mut dice: Dice) -> Grid {
    let select = |dice: &mut Dice| match parameters.selection {
        Selection::Truncation { survivors } => ranked[dice.below(survivors)],
        Selection::Tournament { tournament } => {
            ranked[(0..tournament).map(|_| dice.below(ranked.len())).min().unwrap()]
        }
    };
    let mut child = select(&mut dice).clone();
    if dice.chance(parameters.crossover_rate) {
        let other = select(&mut dice);
        let taken: Vec<usize> = match parameters.crossover {
            Crossover::Uniform => {
                let choice = dice.word();
                (0..cells.len()).filter(|unit| choice >> unit & 1 == 1).collect()
            }
            Crossover::OnePoint => (1 + dice.below(cells.len() - 1)..cells.len()).collect(),
        };
        taken.into_iter().flat_map(|unit| &cells[unit]).for_each(|cell| child.set(*cell, other.get(*cell)));
    }
    if dice.chance(parameters.mutation_rate) {
        for _ in 0..parameters.swaps {
            let mut word = dice.word();
            let unit = &cells[bounded(&mut word, cells.len() as u32) as usize];
            if unit.len() >= 2 {
                let first = bounded(&mut word, unit.len() as u32) as usize;
                let on = 1 + bounded(&mut word, unit.len() as u32 - 1) as usize;
                exchange(&mut child, unit[first], unit[(first + on) % unit.len()]);
            }
        }
    }
    child
}

/// Runs one restart of so many epochs after the first.
fn drive(search: &mut (impl Resumable + Send), puzzle: &Puzzle, epochs: u32) -> Outcome {
    let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
    let budget = Budget { epochs: Some(epochs), restarts: Some(1), ..Budget::default() };
    run(search, &mut engine, puzzle, &budget, |_| ControlFlow::Continue(())).unwrap()
}

fn expect(population: &Population, expected: &[Grid], what: &str) {
    assert_eq!(population.len(), expected.len());
    for (slot, grid) in expected.iter().enumerate() {
        assert_eq!(&population.get(slot), grid, "{what}, slot {slot}");
    }
}

const EPOCHS: [u32; 4] = [0, 1, 2, 30];

#[test]
fn ga_naive_does_what_its_rule_says_generation_by_generation() {
    let seed_rule = GaNaiveParameters { population: 75, ..GaNaiveParameters::SEED };
    let cases = [
        ("9x9", seed_rule),
        ("9x9", GaNaiveParameters { keep_percent: 0, restart_after: 2, ..seed_rule }),
        ("9x9", GaNaiveParameters { keep_percent: 100, restart_after: 1, ..seed_rule }),
        ("4x4", GaNaiveParameters { population: 3, survivors: 3, keep_percent: 60, restart_after: 3 }),
        ("6x6:3x2", GaNaiveParameters { population: 1, survivors: 1, ..seed_rule }),
        ("16x16", GaNaiveParameters { survivors: 75, keep_percent: 80, ..seed_rule }),
        ("25x25", GaNaiveParameters { population: 40, ..seed_rule }),
    ];
    for (case, (shape, parameters)) in (1..).zip(cases) {
        let puzzle = puzzle(shape.parse().unwrap(), case, 0.3);
        for epochs in EPOCHS {
            let mut search = parameters.search(&puzzle, case).unwrap();
            drive(&mut search, &puzzle, epochs);
            let expected = naive_reference(&puzzle, &parameters, case, epochs);
            expect(search.population(), &expected, &format!("case {case}, generation {epochs}"));
        }
    }
}

#[test]
fn ga_columns_does_what_its_rule_says_generation_by_generation() {
    let seed_rule = GaColumnsParameters { restart_after: 10, ..GaColumnsParameters::SEED };
    let cases = [
        ("9x9", seed_rule),
        ("9x9", GaColumnsParameters { shuffled_columns: 3, shuffled_cells: 4, ..seed_rule }),
        ("9x9", GaColumnsParameters { shuffled_columns: 99, shuffled_cells: 99, restart_after: 2, ..seed_rule }),
        ("4x4", GaColumnsParameters { population: 2, survivors: 1, restart_after: 1, ..seed_rule }),
        ("6x6:3x2", GaColumnsParameters { population: 33, survivors: 33, ..seed_rule }),
        ("16x16", GaColumnsParameters { shuffled_columns: 2, ..seed_rule }),
        ("25x25", seed_rule),
    ];
    for (case, (shape, parameters)) in (1..).zip(cases) {
        let puzzle = puzzle(shape.parse().unwrap(), case, 0.3);
        for epochs in EPOCHS {
            let mut search = parameters.search(&puzzle, case).unwrap();
            drive(&mut search, &puzzle, epochs);
            let expected = columns_reference(&puzzle, &parameters, case, epochs);
            expect(search.population(), &expected, &format!("case {case}, generation {epochs}"));
        }
    }
}

#[test]
fn genetic_does_what_its_rule_says_generation_by_generation() {
    let usual = GeneticParameters {
        population: 75,
        selection: Selection::Tournament { tournament: 3 },
        crossover_rate: 0.6,
        mutation_rate: 0.8,
        restart_after: 10,
        ..GeneticParameters::TUNED
    };
    let truncation = Selection::Truncation { survivors: 7 };
    let cases = [
        ("9x9", usual),
        ("9x9", GeneticParameters { selection: truncation, crossover: Crossover::OnePoint, ..usual }),
        ("9x9", GeneticParameters { encoding: Encoding::Rows, elites: 9, selection: truncation, swaps: 3, ..usual }),
        ("9x9", GeneticParameters { encoding: Encoding::Columns, elites: 0, ..usual }),
        ("9x9", GeneticParameters { local_search: true, ..usual }),
        ("9x9", GeneticParameters { local_search: true, population: 500, restart_after: 3, ..usual }),
        ("4x4", GeneticParameters { crossover_rate: 1.0, mutation_rate: 0.0, population: 3, ..usual }),
        (
            "6x6:3x2",
            GeneticParameters {
                population: 2,
                selection: Selection::Tournament { tournament: 1 },
                local_search: true,
                ..usual
            },
        ),
        ("16x16", GeneticParameters { crossover: Crossover::OnePoint, mutation_rate: 1.0, swaps: 9, ..usual }),
        ("25x25", GeneticParameters { population: 40, crossover_rate: 0.0, local_search: true, ..usual }),
    ];
    for (case, (shape, parameters)) in (1..).zip(cases) {
        let puzzle = puzzle(shape.parse().unwrap(), case, 0.3);
        for epochs in EPOCHS {
            let mut search = parameters.search(&puzzle, case).unwrap();
            drive(&mut search, &puzzle, epochs);
            let expected = genetic_reference(&puzzle, &parameters, case, epochs);
            expect(search.population(), &expected, &format!("case {case}, generation {epochs}"));
        }
    }
}

fn validate(parameters: impl Parameters) -> Result<(), swarmdoku::Error> {
    parameters.validate()
}

/// The variant that has these parameters.
fn variant(parameters: impl Parameters) -> Variant {
    Variant::of(&parameters).unwrap()
}

/// One algorithm of each kind, of this population.
fn algorithms(population: usize) -> [Variant; 4] {
    let genetic = GeneticParameters { population, restart_after: 9, ..GeneticParameters::TUNED };
    [
        variant(GaNaiveParameters { population, ..GaNaiveParameters::SEED }),
        variant(GaColumnsParameters { population, restart_after: 9, ..GaColumnsParameters::SEED }),
        variant(genetic),
        variant(GeneticParameters {
            encoding: Encoding::Rows,
            selection: Selection::Tournament { tournament: 4 },
            local_search: true,
            ..genetic
        }),
    ]
}

#[test]
fn the_trajectory_does_not_depend_on_how_the_work_is_cut_or_who_scores() {
    let puzzle = puzzle(Shape::NINE, 3, 0.25);
    let budget = Budget { epochs: Some(40), restarts: Some(2), ..Budget::default() };
    for algorithm in algorithms(1000) {
        let trajectory = |mut engine: Engine, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let go_on = |_: &_| ControlFlow::Continue(());
            pool.install(|| algorithm.run(&puzzle, 11, &mut engine, &budget, go_on)).unwrap().trajectory
        };
        let scalar = trajectory(Engine::new(Box::new(Scalar::new(Shape::NINE))), 1);
        for (chunk_tiles, threads) in [(0, 2), (1, 1), (2, 3), (3, 2), (7, 2), (31, 3), (usize::MAX, 1)] {
            let engine = Engine::new(Box::new(Cpu::new(Shape::NINE))).with_chunk_tiles(chunk_tiles);
            assert_eq!(trajectory(engine, threads), scalar, "{algorithm}: {chunk_tiles} tiles, {threads} threads");
        }
    }
}

/// Asserts that every individual holds the givens, and in each of these units every digit equally often.
fn keeps(puzzle: &Puzzle, population: &Population, units: &[Vec<usize>]) {
    for slot in 0..population.len() {
        let grid = population.get(slot);
        let kept = puzzle.givens().cells().iter().zip(grid.cells()).all(|(given, digit)| *given == 0 || given == digit);
        assert!(kept, "slot {slot}: {grid}");
        for cells in units {
            let times = cells.len() / puzzle.shape().side();
            for digit in 1..=puzzle.shape().side() as u8 {
                let found = cells.iter().filter(|cell| grid.get(**cell) == digit).count();
                assert_eq!(found, times, "{digit} in slot {slot}: {grid}");
            }
        }
    }
}

#[test]
fn givens_never_change_and_units_stay_permutations() {
    for (shape, seed) in [("9x9", 1), ("6x6", 2), ("16x16", 3)] {
        let puzzle = puzzle(shape.parse().unwrap(), seed, 0.3);
        let shape = puzzle.shape();
        let units = |cells: &dyn Fn(usize) -> Vec<usize>| (0..shape.side()).map(cells).collect::<Vec<_>>();
        let (blocks, rows, columns) = (
            units(&|block| shape.block_cells(block).collect()),
            units(&|row| shape.row_cells(row).collect()),
            units(&|column| shape.column_cells(column).collect()),
        );
        let mut naive = GaNaiveParameters { population: 70, ..GaNaiveParameters::SEED }.search(&puzzle, 1).unwrap();
        drive(&mut naive, &puzzle, 100);
        keeps(&puzzle, naive.population(), &[(0..shape.cells()).collect()]);
        let mut by_columns = GaColumnsParameters::SEED.search(&puzzle, 1).unwrap();
        drive(&mut by_columns, &puzzle, 150);
        keeps(&puzzle, by_columns.population(), &columns);
        for (encoding, units) in [(Encoding::Blocks, &blocks), (Encoding::Rows, &rows), (Encoding::Columns, &columns)] {
            let parameters =
                GeneticParameters { population: 70, encoding, local_search: true, ..GeneticParameters::TUNED };
            let mut search = parameters.search(&puzzle, 1).unwrap();
            drive(&mut search, &puzzle, 100);
            keeps(&puzzle, search.population(), units);
        }
    }
}

#[test]
fn elites_never_let_the_best_get_worse() {
    let puzzle = puzzle(Shape::NINE, 8, 0.2);
    let parameters = GeneticParameters { restart_after: 1000, local_search: true, ..GeneticParameters::TUNED };
    let mut last = u32::MAX;
    for epochs in [0, 1, 2, 3, 5, 8, 13, 21, 34] {
        let mut search = parameters.search(&puzzle, 1).unwrap();
        drive(&mut search, &puzzle, epochs);
        let population = search.population();
        let best = (0..population.len()).map(|slot| oracle::score(&population.get(slot)).total()).min().unwrap();
        assert!(best <= last, "{best} after {last}");
        last = best;
    }
    assert!(last < 20, "{last}");
}

#[test]
fn parameters_that_no_run_can_have_are_refused_by_name() {
    let (naive, columns, genetic) = (
        GaNaiveParameters::SEED,
        GaColumnsParameters::SEED,
        GeneticParameters { local_search: true, ..GeneticParameters::TUNED },
    );
    let tournament = |tournament| Selection::Tournament { tournament };
    let cases = [
        (validate(GaNaiveParameters { population: 0, ..naive }), "population is 0"),
        (validate(GaNaiveParameters { survivors: 0, ..naive }), "survivors is 0"),
        (validate(GaNaiveParameters { survivors: 501, ..naive }), "survivors is 501"),
        (validate(GaNaiveParameters { keep_percent: 101, ..naive }), "keep-percent is 101"),
        (validate(GaNaiveParameters { restart_after: 0, ..naive }), "restart-after is 0"),
        (validate(GaColumnsParameters { population: 1 << 32, ..columns }), "population is 4294967296"),
        (validate(GaColumnsParameters { survivors: 51, ..columns }), "survivors is 51"),
        (validate(GaColumnsParameters { shuffled_columns: 0, ..columns }), "shuffled-columns is 0"),
        (validate(GaColumnsParameters { shuffled_cells: 1, ..columns }), "shuffled-cells is 1"),
        (validate(GaColumnsParameters { restart_after: 0, ..columns }), "restart-after is 0"),
        (validate(GeneticParameters { population: 0, ..genetic }), "population is 0"),
        (validate(GeneticParameters { selection: tournament(0), ..genetic }), "tournament is 0"),
        (validate(GeneticParameters { selection: tournament(9999), ..genetic }), "tournament is 9999"),
        (
            validate(GeneticParameters { selection: Selection::Truncation { survivors: 0 }, ..genetic }),
            "survivors is 0",
        ),
        (validate(GeneticParameters { crossover_rate: 1.5, ..genetic }), "crossover-rate is 1.5"),
        (validate(GeneticParameters { mutation_rate: f64::NAN, ..genetic }), "mutation-rate is NaN or infinite"),
        (validate(GeneticParameters { swaps: 0, ..genetic }), "swaps is 0"),
        (validate(GeneticParameters { elites: genetic.population, ..genetic }), "elites is"),
        (validate(GeneticParameters { elites: 0, ..genetic }), "at least 1 with local-search"),
        (validate(GeneticParameters { restart_after: 0, ..genetic }), "restart-after is 0"),
    ];
    for (validated, part) in cases {
        let message = validated.expect_err(part).to_string();
        assert!(message.contains(part), "{message}");
    }
    for algorithm in algorithms(50) {
        algorithm.validate().unwrap();
    }
}
