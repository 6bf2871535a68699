//! The vector instructions of this machine, and code compiled for them.
//!
//! A program for every x86-64 may use no more than SSE2, a quarter of what a register of these days holds. Work given to
//! `Instructions::run` is compiled once for each set below, and the fastest that the machine has is chosen at run time.
//! Plain loops over the lanes of a tile then become instructions over all of them. Results do not depend on it.

/// A set of instructions that this machine has: a value is the proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instructions {
    /// The instructions of every machine of the architecture.
    Portable,
    /// AVX2, and the bit instructions that come with it.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512 with bytes, byte permutations and bit counts: Ice Lake, Zen 4 and later.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

/// Proof that this machine has AVX2 and what comes with it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx2(());

/// Proof that this machine has AVX-512 F, VL, BW, DQ, BITALG, VBMI and VPOPCNTDQ, and AVX2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx512(());

/// Work to be compiled for several sets of instructions.
pub(crate) trait Task {
    /// The result of the work.
    type Output;

    /// Does the work. Only what is inlined here is compiled for more than the portable set: mark this, and what it calls,
    /// `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

impl Instructions {
    /// All sets of this machine, the fastest first, [`Instructions::Portable`] last.
    pub fn available() -> impl Iterator<Item = Instructions> {
        #[cfg(target_arch = "x86_64")]
        let vectors =
            Avx512::detect().map(Instructions::Avx512).into_iter().chain(Avx2::detect().map(Instructions::Avx2));
        #[cfg(not(target_arch = "x86_64"))]
        let vectors = std::iter::empty();
        vectors.chain([Instructions::Portable])
    }

    /// The fastest set of this machine.
    pub fn best() -> Instructions {
        Instructions::available().next().unwrap_or(Instructions::Portable)
    }

    /// The name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Instructions::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(_) => "AVX-512",
        }
    }

    /// Does the work, compiled for these instructions.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            Instructions::Portable => task.run(),
            // SAFETY: the proof was made by `detect` alone, after it had found what the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(_) => unsafe { with_avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(_) => unsafe { with_avx512(task) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    fn detect() -> Option<Avx2> {
        use std::arch::is_x86_feature_detected as has;
        (has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")).then_some(Avx2(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    fn detect() -> Option<Avx512> {
        use std::arch::is_x86_feature_detected as has;
        let found = Avx2::detect().is_some()
            && has!("avx512f")
            && has!("avx512vl")
            && has!("avx512bw")
            && has!("avx512dq")
            && has!("avx512bitalg")
            && has!("avx512vbmi")
            && has!("avx512vpopcntdq");
        found.then_some(Avx512(()))
    }
}

/// A machine with AVX-512 has AVX2.
#[cfg(target_arch = "x86_64")]
impl From<Avx512> for Avx2 {
    fn from(_: Avx512) -> Avx2 {
        Avx2(())
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512bw,avx512dq,avx512bitalg,avx512vbmi,avx512vpopcntdq"
)]
fn with_avx512<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [u32]);

    impl Task for Sum<'_> {
        type Output = u32;

        #[inline(always)]
        fn run(self) -> u32 {
            self.0.iter().fold(0, |sum, value| sum.wrapping_add(*value))
        }
    }

    #[test]
    fn every_set_does_the_same_work_and_the_portable_one_is_always_there() {
        let values: Vec<u32> = (0..1000).collect();
        let available: Vec<_> = Instructions::available().collect();
        assert_eq!(available.last(), Some(&Instructions::Portable));
        assert!(available.iter().all(|instructions| instructions.run(Sum(&values)) == 499_500));
        assert_eq!(available[0], Instructions::best());
    }
}
