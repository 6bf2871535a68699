//! Geometric cooling, with the same temperatures on every system.
//!
//! The `k`th of `steps` temperatures is `start * ratio^k`, reached by repeated multiplication, an operation that IEEE 754
//! fixes to the last bit. The ratio, `(end / start)^(1 / (steps - 1))`, is found once, by libm's logarithm and
//! exponential, which are software and so equal everywhere too; the standard library's `powf` is not.
//!
//! Source: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983.

use super::step::{self, Thresholds};

/// From one temperature down to another in equal ratios.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Cooling {
    start: f64,
    ratio: f64,
    temperature: f64,
}

impl Cooling {
    /// A cooling whose first temperature is `start` and whose `steps`th is `end`; it stands at the first.
    pub(crate) fn new(start: f64, end: f64, steps: u32) -> Cooling {
        let ratio = if steps > 1 { libm::exp(libm::log(end / start) / f64::from(steps - 1)) } else { 1.0 };
        Cooling { start, ratio, temperature: start }
    }

    /// What this temperature accepts.
    pub(crate) fn thresholds(&self) -> Thresholds {
        step::metropolis(self.temperature)
    }

    /// Goes on to the next temperature.
    pub(crate) fn cool(&mut self) {
        self.temperature *= self.ratio;
    }

    /// The temperature it stands at.
    pub(crate) fn temperature(&self) -> f64 {
        self.temperature
    }

    /// Stands at this temperature, one that it has reached before.
    pub(crate) fn resume(&mut self, temperature: f64) {
        self.temperature = temperature;
    }

    /// Goes back to the first temperature.
    pub(crate) fn reheat(&mut self) {
        self.temperature = self.start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temperatures(mut cooling: Cooling, steps: u32) -> Vec<f64> {
        (0..steps)
            .map(|_| {
                let temperature = cooling.temperature;
                cooling.cool();
                temperature
            })
            .collect()
    }

    #[test]
    fn temperatures_fall_by_one_ratio_from_the_start_to_the_end() {
        let all = temperatures(Cooling::new(0.5, 0.2, 1000), 1000);
        assert_eq!(all[0], 0.5);
        assert!((all[999] - 0.2).abs() < 1e-12, "{}", all[999]);
        assert!(all.windows(2).all(|pair| pair[1] < pair[0]));
        assert_eq!(temperatures(Cooling::new(0.3, 0.1, 1), 2), [0.3, 0.3]);
        assert_eq!(temperatures(Cooling::new(0.3, 0.3, 50), 50), [0.3; 50]);
    }

    #[test]
    fn value_stability_of_a_cooling() {
        let mut cooling = Cooling::new(0.5, 0.2, 10_000);
        let ratio = cooling.ratio.to_bits();
        (0..9999).for_each(|_| cooling.cool());
        assert_eq!((ratio, cooling.temperature.to_bits()), (4_607_181_593_433_975_418, 4_596_373_779_694_330_049));
        cooling.reheat();
        assert_eq!(cooling, Cooling::new(0.5, 0.2, 10_000));
    }
}
