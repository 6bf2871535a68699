//! Large-population metaheuristics on Sudoku, with whole populations scored at once: by one WGSL compute dispatch per epoch
//! on any GPU, or by SIMD on the CPU, with the same integers everywhere.
//!
//! # Modules
//!
//! Data goes one way: a search proposes, an evaluator scores, the search accepts, an experiment records. In reading order:
//!
//! 1. [`sudoku`]: shapes up to 25x25, grids and puzzles; how they are read from text and written.
//! 2. [`population`]: candidates in tiles of 32, the one layout of all backends; counter-based random words; moves that keep
//!    the givens.
//! 3. [`fitness`]: the score, its definition in [`fitness::oracle`], the [`Evaluator`] trait, the backends [`Scalar`], [`Cpu`]
//!    and [`GpuEvaluator`], and [`fitness::verify`], which compares backends with the oracle.
//! 4. [`search`]: the algorithms, and the loop that runs any of them on any evaluator.
//! 5. [`exact`]: all solutions of a puzzle, proved; [`exact::grade`] for its difficulty, [`exact::generate`] for new puzzles.
//! 6. [`experiment`]: plans of many runs, and the folders from which they resume.
//! 7. [`report`]: statistics, tables and figures of many runs.
//! 8. [`mod@bench`]: the speed of all this on this machine, and the population size at which a GPU becomes faster.
//!
//! [`machine`] tells the processor and the memory that may be used, [`parallel`] works on all cores with results in order, and
//! [`Error`] is the one error type.
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

#![warn(unreachable_pub)]

pub mod bench;
pub mod error;
pub mod exact;
pub mod experiment;
pub mod fitness;
pub mod machine;
pub mod parallel;
pub mod population;
pub mod report;
pub mod search;
pub mod sudoku;

pub use error::Error;
pub use fitness::{Backend, Cpu, Evaluator, GpuEvaluator, Scalar, Score};
pub use population::{Candidates, LANES, Lanes, Population};
pub use sudoku::{Grid, Puzzle, Shape};
