//! No epoch asks for memory of ours.
//!
//! wgpu asks for some in every submission, so that counting alone would not tell. Each request is therefore put down to
//! the crate that made it: the innermost on the stack beside the standard library's own and this test's. One test alone
//! lives here, because the allocator counts for the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use swarmdoku::fitness::gpu::AdapterRequest;
use swarmdoku::search::{Anneal, AnnealParameters, Engine, Resumable, SearchRun, Swarm, SwarmParameters, Turn};
use swarmdoku::{Cpu, Error, Evaluator, GpuEvaluator, Grid, Population, Puzzle, Scalar, Shape};

/// The system's allocator, and a stack for each request while it is counting.
struct Counting;

static COUNTING: AtomicBool = AtomicBool::new(false);
static STACKS: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    /// True while a request is put down: that takes memory too.
    static NOTING: Cell<bool> = const { Cell::new(false) };
}

fn note() {
    if COUNTING.load(Ordering::Relaxed) && !NOTING.replace(true) {
        let stack = Backtrace::force_capture().to_string();
        STACKS.lock().unwrap().push(stack);
        NOTING.set(false);
    }
}

// SAFETY: every request goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller's promise is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: the pointer came from the system's allocator with this layout.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The stacks of all requests that a work makes, on whatever thread.
fn stacks_of(work: impl FnOnce()) -> Vec<String> {
    COUNTING.store(true, Ordering::SeqCst);
    work();
    COUNTING.store(false, Ordering::SeqCst);
    std::mem::take(&mut STACKS.lock().unwrap())
}

/// True if a request was made by this crate's library: the innermost frame that is neither the standard library's nor this
/// test's lies in its sources. Frames without a source are told by their names; those of dependencies are such.
fn is_ours(stack: &str) -> bool {
    let mut lines = stack.lines().peekable();
    while let Some(line) = lines.next() {
        let name = line.trim_start().split_once(": ").map_or("", |(_, name)| name);
        let source = lines.next_if(|line| line.trim_start().starts_with("at "));
        match source.map(|line| line.trim_start().trim_start_matches("at ")) {
            Some(source) if source.starts_with("./src/") => return true,
            Some(source) if source.starts_with("/rustc/") || source.starts_with("./tests/") => {}
            None if is_standard(name) => {}
            _ => return false,
        }
    }
    false
}

fn is_standard(name: &str) -> bool {
    let name = name.trim_start_matches(['<', '&']);
    ["std::", "core::", "alloc::", "hashbrown::", "__rust"].iter().any(|prefix| name.starts_with(prefix))
}

/// How many of the requests are ours, and the first of them.
fn ours(stacks: &[String]) -> (usize, Option<&String>) {
    let ours: Vec<&String> = stacks.iter().filter(|stack| is_ours(stack)).collect();
    (ours.len(), ours.first().copied())
}

fn evaluators() -> Vec<Box<dyn Evaluator>> {
    let mut evaluators: Vec<Box<dyn Evaluator>> =
        vec![Box::new(Scalar::new(Shape::NINE)), Box::new(Cpu::new(Shape::NINE))];
    let request = AdapterRequest { name: None, allow_software: true };
    match GpuEvaluator::new(Shape::NINE, POPULATION, &request, None) {
        Ok(evaluator) => evaluators.push(Box::new(evaluator)),
        Err(Error::NoAdapter(reason)) if std::env::var("REQUIRE_GPU").is_ok_and(|value| value == "1") => {
            panic!("{reason}")
        }
        Err(Error::NoAdapter(reason)) => println!("IGNORED for the gpu: {reason}"),
        Err(error) => panic!("{error}"),
    }
    evaluators
}

/// More than one chunk of tiles.
const POPULATION: usize = 5_000;

/// Epochs counted, after three that may make what stays.
const EPOCHS: usize = 2;

#[track_caller]
fn assert_asks_for_nothing<S: Resumable + Send>(search: S, engine: &mut Engine) {
    let who = engine.evaluator().describe();
    let mut turn = Turn::new(SearchRun::boxed(search));
    turn.run().begin(0).unwrap();
    let mut epochs = |count: usize| (0..count).for_each(|_| drop(turn.epoch(engine).unwrap()));
    epochs(3);
    let stacks = stacks_of(|| epochs(EPOCHS));
    let (count, first) = ours(&stacks);
    assert_eq!(
        count,
        0,
        "{count} of {} requests in {EPOCHS} epochs on {who} are ours, the first:\n{first:#?}",
        stacks.len()
    );
    println!("{who}: {} requests in {EPOCHS} epochs, none ours", stacks.len());
}

#[test]
fn an_epoch_asks_for_no_memory_of_ours() {
    // wgpu captures stacks too where it is built for debugging, and the lock for that is taken by nobody twice.
    // SAFETY: no other thread of this process runs yet that reads or writes the environment.
    unsafe { std::env::set_var("RUST_LIB_BACKTRACE", "0") };

    let known = stacks_of(|| drop(Population::new(Shape::NINE, 100)));
    assert_eq!((known.len(), ours(&known).0), (1, 1), "a request that is ours is put down to us:\n{known:#?}");

    let puzzle = Puzzle::new(Grid::empty(Shape::NINE)).unwrap();
    let swarm = SwarmParameters { population: POPULATION, ..SwarmParameters::SEED };
    let anneal = AnnealParameters { population: POPULATION, ..AnnealParameters::TUNED };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for evaluator in evaluators() {
        let mut engine = Engine::new(evaluator);
        pool.install(|| {
            assert_asks_for_nothing(Anneal::new(&puzzle, &anneal, 1).unwrap(), &mut engine);
            assert_asks_for_nothing(Swarm::new(&puzzle, &swarm, 1).unwrap(), &mut engine);
        });
    }
}
