//! What an algorithm says that it keeps for an individual is what it asks the allocator for.
//!
//! The limit of memory is held against that figure before anything is allocated, so one that is too low would let a run be
//! killed. One test alone lives here, because the allocator counts for the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;
use swarmdoku::search::{ALGORITHMS, Engine, Turn};
use swarmdoku::{Cpu, Grid, Puzzle, Shape};

/// The system's allocator, and how many bytes of it are in use.
struct Counting;

static IN_USE: AtomicU64 = AtomicU64::new(0);

// SAFETY: every request goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller's promise is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the pointer came from the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Small enough that all of it is in the allocator's memory: larger arrays have the same number of bytes, as a test beside
/// `Pages` has it, on pages that no allocator counts.
const POPULATION: usize = 1 << 14;

#[test]
fn a_run_keeps_as_many_bytes_for_an_individual_as_its_algorithm_says() {
    for side in [9, 16] {
        let shape = Shape::of_side(side).unwrap();
        let puzzle = Puzzle::new(Grid::empty(shape)).unwrap();
        for algorithm in ALGORITHMS {
            let mut variant = algorithm.variant();
            if variant.set_value("population", &Value::from(POPULATION)).is_err() {
                assert!(algorithm.exact_method().is_some(), "{} has no population", algorithm.name);
                continue;
            }
            let mut engine = Engine::new(Box::new(Cpu::new(puzzle.shape())));
            let before = IN_USE.load(Ordering::Relaxed);
            let mut turn = Turn::new(variant.search(&puzzle, 1).unwrap().unwrap());
            // Enough epochs for those searches that do several at once to keep the state before them.
            let mut epochs = 0;
            while epochs < 24 {
                epochs += turn.advance(&mut engine, u32::MAX).unwrap().len();
            }
            let kept = (IN_USE.load(Ordering::Relaxed) - before) as f64 / POPULATION as f64;
            let said = variant.bytes(&puzzle).unwrap() as f64 / POPULATION as f64;
            // Where the machine has no instructions for several epochs at once, annealing keeps one state and not two.
            let spare = if algorithm.name == "anneal" { (shape.cells() + 4) as f64 } else { 0.0 };
            // Never more than it says, but for tables of the rule that are spread over few individuals here; and little less.
            let (least, most) = (0.97 * said - 1.0 - spare, 1.005 * said + 1.0);
            assert!((least..=most).contains(&kept), "{}, {side}: says {said}, keeps {kept}", algorithm.name);
        }
    }
}
