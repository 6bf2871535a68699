//! Large-population metaheuristics on Sudoku, with whole populations scored at once: by one WGSL compute dispatch an
//! epoch on any GPU, or by SIMD on the CPU, with the same integers everywhere.
//!
//! # The tour
//!
//! Data goes one way: a search proposes, an evaluator scores, the search accepts, an experiment records. In the order in
//! which to read:
//!
//! 1. [`sudoku`]: what a Sudoku is, from 4x4 to 25x25; how text becomes grids and grids become text.
//! 2. [`population`]: tiles of 32 candidates, the one layout that every backend reads; random words that depend on nothing
//!    but their place, and moves that keep the givens.
//! 3. [`fitness`]: what this program is for. The score and its [`fitness::oracle`], the [`Evaluator`] trait, and the
//!    backends [`Scalar`], [`Cpu`] and [`GpuEvaluator`]; [`fitness::verify`] holds backends against the oracle.
//! 4. [`search`]: the [`search::Search`] trait, the algorithms (annealing, the swarm, genetic algorithms, random keys), and
//!    the loop that drives any of them on any evaluator.
//! 5. [`exact`]: what a puzzle's solutions are, proved; with [`exact::grade`], how hard it is for a person, and
//!    [`exact::generate`], where puzzles come from.
//! 6. [`experiment`]: plans of many runs, and the folder in which they survive whatever ends a process.
//! 7. [`report`]: what many runs say.
//! 8. [`bench`]: how fast all of that is on this machine, and the population size at which a GPU becomes faster.
//!
//! # Example
//!
//! ```
//! use std::ops::ControlFlow;
//! use swarmdoku::sudoku::text::{ReadOptions, read_one};
//! use swarmdoku::search::{Budget, Engine, Swarm, SwarmParameters, run};
//! use swarmdoku::{Cpu, Puzzle};
//!
//! let text = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
//! let puzzle = Puzzle::new(read_one(text, ReadOptions::default())?)?;
//! let mut swarm = Swarm::new(&puzzle, &SwarmParameters::SEED, 1)?;
//! let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
//! let budget = Budget { evaluations: Some(1_000_000), ..Budget::default() };
//! let outcome = run(&mut swarm, &mut engine, &puzzle, &budget, |_| ControlFlow::Continue(()))?;
//! assert!(outcome.solved() && puzzle.accepts(&outcome.grid));
//! assert_eq!(outcome.evaluations, 17_600);
//! # Ok::<(), swarmdoku::Error>(())
//! ```

pub mod bench;
pub mod error;
pub mod exact;
pub mod experiment;
pub mod fitness;
pub mod parallel;
pub mod population;
pub mod report;
pub mod search;
pub mod sudoku;

pub use error::Error;
pub use fitness::{Backend, Cpu, Evaluator, GpuEvaluator, Scalar, Score};
pub use population::{Candidates, LANES, Lanes, Population};
pub use sudoku::{Grid, Puzzle, Shape};
