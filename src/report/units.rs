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

/// `1 k`, `100 M`, `1.5 k`: [`short`] without zeros after the point, for the labels of axes.
pub fn label(value: f64) -> String {
    let text = short(value);
    let (number, prefix) = text.split_at(text.find(' ').unwrap_or(text.len()));
    match number.contains('.') {
        true => format!("{}{prefix}", number.trim_end_matches('0').trim_end_matches('.')),
        false => text,
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

    #[test]
    fn labels_have_no_zeros_after_the_point() {
        let values = [500.0, 20.0, 1e3, 1_050.0, 1_500.0, 20_000.0, 1.2e6, 3e6, 1e8, 1e9];
        let labels = ["500", "20", "1 k", "1.05 k", "1.5 k", "20 k", "1.2 M", "3 M", "100 M", "1 G"];
        assert_eq!(values.map(label), labels);
    }
}
