//! The memory of large arrays with an entry per slot or cell: on huge pages where the system gives them. A huge page is
//! faulted in once where usual pages are 512 times, and more of the array is within reach of the processor's table of
//! pages, which prefetches go through as well as loads do.
//!
//! Huge pages come from a mapping and not from the allocator, which has no way to ask for them.

use std::fmt;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
use memmap2::MmapMut;
use rayon::prelude::*;

use crate::population::prefetch::IN_CACHE;

/// An array of fixed length.
pub(crate) enum Pages<T> {
    /// In the allocator's memory.
    Usual(Vec<T>),
    /// On pages that the system was asked to make huge: exactly the bytes of the array.
    Huge(MmapMut),
}

impl<T: Pod + Send + Sync> Pages<T> {
    /// `len` zeros, on huge pages if they are many. Those are not touched yet: the system clears 2 MiB where a byte is
    /// first used, on the thread that uses it. Large arrays should be filled by all threads.
    pub(crate) fn zeroed(len: usize) -> Pages<T> {
        let large = len * size_of::<T>() > IN_CACHE;
        large.then(|| Pages::huge(len)).flatten().unwrap_or_else(|| Pages::Usual(vec![T::zeroed(); len]))
    }

    /// `len` zeros on huge pages, whatever their size; none where the system cannot be asked.
    pub(crate) fn huge(len: usize) -> Option<Pages<T>> {
        map_huge_pages(len * size_of::<T>()).map(Pages::Huge)
    }

    /// Works on all pieces of this length, and a shorter last one, with their numbers: on all threads if they are many.
    pub(crate) fn for_each_piece(&mut self, len: usize, work: impl Fn(usize, &mut [T]) + Sync) {
        if size_of_val(&**self) <= IN_CACHE {
            self.chunks_mut(len).enumerate().for_each(|(number, piece)| work(number, piece));
        } else {
            // Tasks of 512 KiB: handing work over costs some microseconds.
            let pieces = self.par_chunks_mut(len).with_min_len(IN_CACHE / 16 / size_of::<T>() / len);
            pieces.enumerate().for_each(|(number, piece)| work(number, piece));
        }
    }
}

#[cfg(target_os = "linux")]
fn map_huge_pages(bytes: usize) -> Option<MmapMut> {
    let memory = MmapMut::map_anon(bytes).ok()?;
    memory.advise(memmap2::Advice::HugePage).ok()?;
    Some(memory)
}

#[cfg(not(target_os = "linux"))]
fn map_huge_pages(_bytes: usize) -> Option<MmapMut> {
    None
}

impl<T: Pod> Deref for Pages<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Pages::Usual(values) => values,
            Pages::Huge(memory) => bytemuck::cast_slice(memory),
        }
    }
}

impl<T: Pod> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Pages::Usual(values) => values,
            Pages::Huge(memory) => bytemuck::cast_slice_mut(memory),
        }
    }
}

impl<T: Pod + Send + Sync> Clone for Pages<T> {
    fn clone(&self) -> Pages<T> {
        const PIECE: usize = 1024;
        let mut copy = Pages::zeroed(self.len());
        copy.for_each_piece(PIECE, |number, piece| piece.copy_from_slice(&self[number * PIECE..][..piece.len()]));
        copy
    }
}

impl<T: Pod + PartialEq> PartialEq for Pages<T> {
    fn eq(&self, other: &Pages<T>) -> bool {
        **self == **other
    }
}

impl<T: Pod + Eq> Eq for Pages<T> {}

impl<T: Pod + fmt::Debug> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths below, at and past the limit of huge pages.
    const LENGTHS: [usize; 5] = [0, 1, IN_CACHE / 4, IN_CACHE / 4 + 1, IN_CACHE + 12_345];

    #[test]
    fn zeros_of_every_length_are_zeros_and_a_clone_is_its_own() {
        for len in LENGTHS {
            let mut pages = Pages::<u32>::zeroed(len);
            assert_eq!((pages.len(), pages.iter().max()), (len, (len > 0).then_some(&0)));
            pages.iter_mut().enumerate().for_each(|(index, value)| *value = index as u32);
            let copy = pages.clone();
            assert!(copy == pages, "{len}");
            if len > 0 {
                pages[len - 1] = u32::MAX;
                assert!(copy != pages && copy[len - 1] == len as u32 - 1, "{len}");
            }
        }
    }

    #[test]
    fn pieces_are_all_of_an_array_in_their_places() {
        for len in LENGTHS {
            let mut pages = Pages::<u32>::zeroed(len);
            pages.for_each_piece(81, |number, piece| {
                piece.iter_mut().zip(number as u32 * 81..).for_each(|(v, n)| *v += n)
            });
            assert!(pages.iter().copied().eq(0..len as u32), "{len}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn only_large_arrays_are_mapped_and_with_no_byte_more_than_they_hold() {
        let bytes = |len| match Pages::<u32>::zeroed(len) {
            Pages::Usual(_) => None,
            Pages::Huge(memory) => Some(memory.len()),
        };
        assert_eq!(bytes(IN_CACHE / 4), None);
        // A system without huge pages gives usual ones.
        if let Some(bytes) = bytes(IN_CACHE / 4 + 1) {
            assert_eq!(bytes, IN_CACHE + 4);
        }
    }
}
