//! Work on many items with all threads, and results in the order of the items.
//!
//! rayon's adapters for iterators either lose the order or wait for whole chunks. Here items are taken from a source that
//! may be slow, by whichever thread is free, no further ahead of the results than a fixed number of items.

use std::collections::BTreeMap;
use std::iter::Fuse;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Items per thread that may be done before the first of them was given.
const LOOK_AHEAD: usize = 16;

/// Does `work` on each item, on as many threads as rayon has, and gives the results to `each` in the order of the items.
/// A thread keeps what `start` made for it from item to item. No item is taken any more once `each` breaks.
///
/// ```
/// use std::ops::ControlFlow;
/// use swarmdoku::parallel::in_order;
///
/// let mut squares = Vec::new();
/// let end = in_order(1.., || (), |(), number: u64| number * number, |square| {
///     squares.push(square);
///     if square > 20 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
/// });
/// assert_eq!((end, squares), (ControlFlow::Break("enough"), vec![1, 4, 9, 16, 25]));
/// ```
pub fn in_order<I, S, T, B>(
    items: I,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) -> T + Sync,
    each: impl FnMut(T) -> ControlFlow<B>,
) -> ControlFlow<B>
where
    I: Iterator + Send,
    T: Send,
{
    in_order_on(rayon::current_num_threads(), items, start, work, each)
}

/// The same on so many threads: one, where all threads of rayon work on each item.
pub fn in_order_on<I, S, T, B>(
    threads: usize,
    items: I,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) -> T + Sync,
    each: impl FnMut(T) -> ControlFlow<B>,
) -> ControlFlow<B>
where
    I: Iterator + Send,
    T: Send,
{
    let threads = threads.min(items.size_hint().1.unwrap_or(usize::MAX)).max(1);
    let queue = Pending::new(items, threads * LOOK_AHEAD);
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| serve(&queue, &start, &work, sender));
        }
        drop(sender);
        let _stop = StopAtEnd(&queue);
        give(&queue, results, each)
    })
}

/// Items to be taken, and how far their results were given.
struct Pending<I> {
    items: Mutex<Items<I>>,
    given: Mutex<Given>,
    moved: Condvar,
    look_ahead: usize,
}

struct Items<I> {
    left: Fuse<I>,
    taken: usize,
}

struct Given {
    results: usize,
    stopped: bool,
}

impl<I: Iterator> Pending<I> {
    fn new(items: I, look_ahead: usize) -> Pending<I> {
        Pending {
            items: Mutex::new(Items { left: items.fuse(), taken: 0 }),
            given: Mutex::new(Given { results: 0, stopped: false }),
            moved: Condvar::new(),
            look_ahead,
        }
    }

    /// The next item and its place, as soon as it is near enough to the results; `None` at the end.
    fn take(&self) -> Option<(usize, I::Item)> {
        let mut items = lock(&self.items);
        let mut given = lock(&self.given);
        while !given.stopped && items.taken >= given.results + self.look_ahead {
            given = self.moved.wait(given).unwrap_or_else(PoisonError::into_inner);
        }
        if given.stopped {
            return None;
        }
        drop(given);
        let item = items.left.next()?;
        items.taken += 1;
        Some((items.taken - 1, item))
    }
}

impl<I> Pending<I> {
    fn advance(&self) {
        lock(&self.given).results += 1;
        self.moved.notify_all();
    }

    fn stop(&self) {
        lock(&self.given).stopped = true;
        self.moved.notify_all();
    }
}

/// Stops the queue when it is dropped, also by a panic: otherwise threads would wait for ever.
struct StopAtEnd<'a, I>(&'a Pending<I>);

impl<I> Drop for StopAtEnd<'_, I> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Takes items and does the work until there are no more.
fn serve<I: Iterator, S, T>(
    queue: &Pending<I>,
    start: impl Fn() -> S,
    work: impl Fn(&mut S, I::Item) -> T,
    results: Sender<(usize, T)>,
) {
    let stop = StopAtEnd(queue);
    let mut state = start();
    while let Some((place, item)) = queue.take() {
        if results.send((place, work(&mut state, item))).is_err() {
            break;
        }
    }
    // The others may still be at work on the items before the end.
    std::mem::forget(stop);
}

/// Gives results on, each as soon as all before it were given.
fn give<I, T, B>(
    queue: &Pending<I>,
    results: Receiver<(usize, T)>,
    mut each: impl FnMut(T) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (place, result) in results {
        early.insert(place, result);
        while let Some(result) = early.remove(&next) {
            next += 1;
            each(result)?;
            queue.advance();
        }
    }
    ControlFlow::Continue(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn all<T: Send>(items: impl Iterator<Item = u64> + Send, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
        let mut results = Vec::new();
        let each = |result| {
            results.push(result);
            ControlFlow::<()>::Continue(())
        };
        assert_eq!(in_order(items, || (), |(), item| work(item), each), ControlFlow::Continue(()));
        results
    }

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let slow_first = |item: u64| {
            thread::sleep(Duration::from_micros(if item.is_multiple_of(7) { 900 } else { 10 }));
            item
        };
        assert_eq!(all(0..500, slow_first), (0..500).collect::<Vec<_>>());
        assert_eq!(all(0..0, slow_first).len(), 0);
    }

    #[test]
    fn no_item_is_taken_further_ahead_than_the_limit_or_after_a_break() {
        let taken = AtomicUsize::new(0);
        let items = (0..10_000_u64).inspect(|_| {
            taken.fetch_add(1, Ordering::Relaxed);
        });
        let limit = 3 + rayon::current_num_threads() * (LOOK_AHEAD + 1);
        let end = in_order(
            items,
            || (),
            |(), item| item,
            |item| {
                thread::sleep(Duration::from_millis(20));
                if item == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(end, ControlFlow::Break(()));
        let taken = taken.load(Ordering::Relaxed);
        assert!((3..=limit).contains(&taken), "{taken} of at most {limit}");
    }

    #[test]
    fn a_panic_in_the_work_is_passed_on_and_nobody_waits_for_its_result() {
        let work = |item: u64| if item == 5 { panic!("at 5") } else { item };
        assert!(std::panic::catch_unwind(|| all(0..10_000, work)).is_err());
    }
}
