//! Numbers for people: three digits and a prefix.

/// A number with three significant digits and the prefix of its thousands: `6.52 M`, `128 k`, `0.500`.
pub fn short(value: f64) -> String {
    let (scaled, prefix) = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")]
        .into_iter()
        .find(|(scale, _)| value >= 0.9995 * scale)
        .map_or((value, ""), |(scale, prefix)| (value / scale, prefix));
    format!("{}{prefix}", three_digits(scaled))
}

/// Seconds in the unit that leaves few digits before the point: `12.3 ms`, `4.56 s`.
pub fn time(seconds: f64) -> String {
    let (scale, unit) = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]
        .into_iter()
        .find(|(scale, _)| seconds >= 0.9995 * scale)
        .unwrap_or((1e-9, "ns"));
    format!("{} {unit}", three_digits(seconds / scale))
}

fn three_digits(value: f64) -> String {
    match value {
        small if small < 9.995 => format!("{small:.2}"),
        middle if middle < 99.95 => format!("{middle:.1}"),
        large => format!("{large:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        for (value, text) in [
            (0.0, "0.00"),
            (0.5, "0.50"),
            (9.994, "9.99"),
            (9.996, "10.0"),
            (999.4, "999"),
            (999.6, "1.00 k"),
            (6_523_000.0, "6.52 M"),
            (17.5e9, "17.5 G"),
            (2.5e15, "2500 T"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        for (seconds, text) in
            [(4.556, "4.56 s"), (0.012_34, "12.3 ms"), (9.996e-4, "1.00 ms"), (5e-6, "5.00 µs"), (2e-8, "20.0 ns")]
        {
            assert_eq!(time(seconds), text);
        }
    }
}
