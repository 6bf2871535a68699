//! The general genetic algorithm: recombination of whole units, mutation by exchanges inside them.
//!
//! Every unit of the [`Encoding`]'s family is a permutation of the digits in every individual: crossover takes whole
//! units from either parent, and mutation exchanges two free cells of one unit. This is the usual genetic algorithm for
//! Sudoku (T. Mantere, J. Koljonen, "Solving, rating and generating Sudoku puzzles with GA", CEC 2007, there on blocks).
//!
//! The slots of a generation after a random fill, in their order:
//!
//! 1. the elites: the best of the last generation, unchanged and scored again;
//! 2. with local search, neighbours of the best, at most half of the others (see `parts/descent.rs`);
//! 3. children.
//!
//! [`Draws`] of a child, in this order; `word` is a whole word of its own:
//!
//! 1. the first parent: one rank of the survivors, or in a tournament of size `t` the least of `t` ranks;
//! 2. `word`: whether the crossover rate accepts; if it does
//!     - the second parent, as the first;
//!     - uniform: `word`, whose bit `u` gives unit `u` to the second parent;
//!       one-point: a cut in `1..units`, from which on the units are the second parent's;
//! 3. `word`: whether the mutation rate accepts; if it does, for each exchange `word`, which names its two cells by
//!    [`FreeUnits::pick_pair`].

use std::fmt;

use super::algorithm::{Algorithm, Defaults, NamedRule, Parameters, configure};
use super::parameter::{Limit, Needs, Parameter};
use super::parts;
use super::parts::descent::Descent;
use super::parts::generations::{Generations, Parents, Variation, bytes_per_slot};
use super::state::{StateReader, StateWriter};
use super::stops;
use crate::error::Error;
use crate::population::moves::FreeUnits;
use crate::population::rng::{Draws, Threshold};
use crate::sudoku::Puzzle;

/// The family of units that are permutations in every individual.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Blocks, numbered row by row.
    Blocks,
    /// Rows, from the top.
    Rows,
    /// Columns, from the left.
    Columns,
}

impl Encoding {
    fn units(self, puzzle: &Puzzle) -> FreeUnits {
        match self {
            Encoding::Blocks => FreeUnits::blocks(puzzle),
            Encoding::Rows => FreeUnits::rows(puzzle),
            Encoding::Columns => FreeUnits::columns(puzzle),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Encoding::Blocks => "blocks",
            Encoding::Rows => "rows",
            Encoding::Columns => "columns",
        }
    }
}

/// Who becomes a parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(tag = "selection", rename_all = "lowercase")]
pub enum Selection {
    /// The best of some individuals drawn from all, with repetition.
    Tournament {
        /// How many are drawn.
        tournament: u32,
    },
    /// Any of the best.
    Truncation {
        /// How many they are.
        survivors: usize,
    },
}

/// Which units a child has from its second parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// Each with probability 1/2.
    Uniform,
    /// All from a random one on; at least one is the first parent's and one the second's.
    OnePoint,
}

/// What defines a genetic algorithm beside its puzzle and seed.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct GeneticParameters {
    /// Individuals of a generation, elites and neighbours included.
    pub population: usize,
    /// The units that are permutations.
    pub encoding: Encoding,
    /// Who becomes a parent.
    #[serde(flatten)]
    pub selection: Selection,
    /// How two parents' units are combined.
    pub crossover: Crossover,
    /// Probability that a child has two parents; else it is a copy of one before it is mutated.
    pub crossover_rate: f64,
    /// Probability that a child is mutated.
    pub mutation_rate: f64,
    /// Exchanges of two cells in a mutated child.
    pub swaps: u32,
    /// The best that stay as they are.
    pub elites: usize,
    /// Generations without change of the best total after which all are filled anew.
    pub restart_after: u32,
    /// Whether the neighbours of the best are tried.
    pub local_search: bool,
}

impl GeneticParameters {
    /// The size of tournaments unless another is named.
    pub const TOURNAMENT: u32 = 3;

    /// The survivors of a truncation unless another number is named.
    pub const SURVIVORS: usize = 20;

    /// These values, and those of the selection that was not chosen.
    fn defaults(&self) -> Defaults {
        let [tournament, survivors] = [
            Selection::Tournament { tournament: Self::TOURNAMENT },
            Selection::Truncation { survivors: Self::SURVIVORS },
        ];
        Defaults::of(&tournament).and(&survivors).and(self)
    }

    /// What solves most puzzles: chosen on puzzles made for it, with 28 and 32 givens and with as few as keep one solution.
    ///
    /// On the first two, blocks needed a third of the evaluations that columns did, and recombination a sixth of mutation alone.
    pub const TUNED: GeneticParameters = GeneticParameters {
        population: 200,
        encoding: Encoding::Blocks,
        selection: Selection::Truncation { survivors: Self::SURVIVORS },
        crossover: Crossover::Uniform,
        crossover_rate: 0.5,
        mutation_rate: 0.9,
        swaps: 1,
        elites: 1,
        restart_after: 100,
        local_search: false,
    };
}

/// Genetic algorithm with a choice of encodings, selections and crossovers.
pub(super) static GENETIC: Algorithm = Algorithm {
    name: "genetic",
    aliases: &["ga"],
    help: "Genetic algorithm with a choice of encodings, selections and crossovers",
    note: "",
    parameters: &[
        parts::POPULATION,
        Parameter::choice(
            "encoding",
            "UNITS",
            &["blocks", "rows", "columns"],
            "Units that are permutations in every individual",
        ),
        Parameter::choice(
            "selection",
            "RULE",
            &["tournament", "truncation"],
            "Parents: the best of a few drawn from all, or any of the best",
        ),
        Parameter::count("tournament", "N", parts::POSITIVE, "Individuals in a tournament")
            .limited(Limit::AtMost("population"))
            .needing(Needs::Value("selection", "tournament")),
        parts::SURVIVORS.needing(Needs::Value("selection", "truncation")),
        Parameter::choice(
            "crossover",
            "RULE",
            &["uniform", "one-point"],
            "Units from the second parent: each with probability 1/2, or all from a random one on",
        ),
        Parameter::ratio("crossover-rate", "P", "Probability that a child has two parents"),
        parts::MUTATION_RATE,
        Parameter::count("swaps", "N", parts::POSITIVE, "Exchanges of two cells in a mutated child"),
        Parameter::count("elites", "N", parts::COUNT, "The best that stay as they are")
            .limited(Limit::Below("population")),
        parts::RESTART_AFTER,
        Parameter::flag(
            "local-search",
            "Try all exchanges of two free cells in a unit of the best, until none is better",
        )
        .needing(Needs::Positive("elites")),
    ],
    rules: &[NamedRule {
        name: "tuned",
        defaults: |_| GeneticParameters::TUNED.defaults(),
        budget: stops::evaluations(1_000_000_000),
    }],
    presets: &[],
    stops: stops::OF_POPULATIONS,
    fixed: &[],
    slot_bytes: bytes_per_slot,
    configure: configure::<GeneticParameters>,
};

impl Parameters for GeneticParameters {
    type Search = Generations<Genetic>;

    fn algorithm(&self) -> &'static Algorithm {
        &GENETIC
    }

    fn population(&self) -> usize {
        self.population
    }

    fn build(&self, puzzle: &Puzzle, seed: u64) -> Generations<Genetic> {
        let units = self.encoding.units(puzzle);
        let room = (self.population - self.elites).div_ceil(2);
        let variation = Genetic {
            parameters: *self,
            crossover: Threshold::new(self.crossover_rate),
            mutation: Threshold::new(self.mutation_rate),
            descent: self.local_search.then(|| Descent::new(&units, room)),
        };
        Generations::new(units, self.population, self.restart_after, variation, seed)
    }
}

/// `200 individuals on blocks, 20 survivors, uniform crossover 0.5, mutation 0.9`
impl fmt::Display for GeneticParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} individuals on {}, ", self.population, self.encoding.name())?;
        match self.selection {
            Selection::Tournament { tournament } => write!(f, "tournaments of {tournament}, ")?,
            Selection::Truncation { survivors } => write!(f, "{survivors} survivors, ")?,
        }
        f.write_str(match self.crossover {
            Crossover::Uniform => "uniform",
            Crossover::OnePoint => "one-point",
        })?;
        write!(f, " crossover {}, mutation {}", self.crossover_rate, self.mutation_rate)?;
        f.write_str(if self.local_search { ", local search" } else { "" })
    }
}

/// Recombines and mutates selected parents.
#[derive(Clone, Debug)]
pub struct Genetic {
    parameters: GeneticParameters,
    crossover: Threshold,
    mutation: Threshold,
    descent: Option<Descent>,
}

impl Variation for Genetic {
    /// Of a parent, crossover and mutation; of the other parent, the units and the swap.
    const WORDS: usize = 6;

    fn ranks(&self) -> usize {
        match self.parameters.selection {
            Selection::Tournament { .. } => self.parameters.population,
            Selection::Truncation { survivors } => survivors.max(self.parameters.elites),
        }
    }

    #[inline(always)]
    fn vary(&self, parents: &Parents, slot: usize, mut draws: Draws, child: &mut [u8]) {
        let Some(after_elites) = slot.checked_sub(self.parameters.elites) else {
            child.copy_from_slice(parents.ranked(slot as u32));
            return;
        };
        if let Some((first, second)) = self.descent.as_ref().and_then(|descent| descent.pair(after_elites)) {
            child.copy_from_slice(parents.ranked(0));
            child.swap(first, second);
            return;
        }
        child.copy_from_slice(parents.ranked(self.select(&mut draws)));
        if self.crossover.accepts(draws.word()) {
            self.cross(parents, &mut draws, child);
        }
        if self.mutation.accepts(draws.word()) {
            self.mutate(parents.units(), &mut draws, child);
        }
    }

    fn conclude(&mut self, best: usize, fresh: bool) {
        if let Some(descent) = &mut self.descent {
            // Slot 0 holds the old best; only a lower total can stand before it.
            descent.conclude(fresh || best != 0);
        }
    }

    fn save(&self, state: &mut StateWriter) {
        if let Some(descent) = &self.descent {
            state.put(descent.trying());
        }
    }

    fn restore(&mut self, state: &mut StateReader<'_>) -> Result<(), Error> {
        match &mut self.descent {
            Some(descent) => descent.try_again(state.get()?),
            None => Ok(()),
        }
    }
}

impl Genetic {
    /// The rank of a parent.
    #[inline(always)]
    fn select(&self, draws: &mut Draws) -> u32 {
        match self.parameters.selection {
            Selection::Truncation { survivors } => draws.below(survivors as u32),
            Selection::Tournament { tournament } => {
                let all = self.parameters.population as u32;
                (0..tournament).fold(all, |best, _| best.min(draws.below(all)))
            }
        }
    }

    /// Puts units of a second parent into the child.
    #[inline(always)]
    fn cross(&self, parents: &Parents, draws: &mut Draws, child: &mut [u8]) {
        let (units, other) = (parents.units(), parents.ranked(self.select(draws)));
        match self.parameters.crossover {
            Crossover::Uniform => {
                let choice = draws.word();
                // All bits or none, in every place: a branch would be guessed wrong half the time.
                for ((ours, theirs), unit) in child.iter_mut().zip(other).zip(units.unit_of()) {
                    let mask = (choice >> unit & 1).wrapping_neg() as u8;
                    *ours ^= (*ours ^ theirs) & mask;
                }
            }
            Crossover::OnePoint => {
                let cut = units.range(1 + draws.below(units.units() as u32 - 1) as usize).start;
                child[cut..].copy_from_slice(&other[cut..]);
            }
        }
    }

    /// Exchanges digits inside units.
    #[inline(always)]
    fn mutate(&self, units: &FreeUnits, draws: &mut Draws, child: &mut [u8]) {
        for _ in 0..self.parameters.swaps {
            if let Some((first, second)) = units.pick_pair(draws.word()) {
                child.swap(first, second);
            }
        }
    }
}
