//! Numbers for people.

use std::fmt::Display;
use std::time::Duration;

use super::format::printable;
use super::printable::Printable;

/// Returns a time, with few digits.
pub fn time(time: Duration) -> Printable {
    let micros = time.as_micros();
    match micros {
        0..1_000 => printable!("{} µs", micros),
        1_000..10_000 => printable!("{:.1} ms", micros as f64 / 1e3),
        10_000..10_000_000 => printable!("{} ms", micros / 1_000),
        _ => printable!("{:.1} s", micros as f64 / 1e6),
    }
}

/// Returns a time that was measured in whole milliseconds.
pub fn millis(ms: u64) -> Printable {
    match ms {
        0 => "<1 ms".into(),
        1..10_000 => printable!("{} ms", ms),
        _ => printable!("{:.1} s", ms as f64 / 1e3),
    }
}

/// Returns the beginning of a digest, enough to tell it from others.
pub fn digest(digest: impl Display) -> Printable {
    Printable::line(digest.to_string().chars().take(12).collect::<String>())
}

/// Returns a size in bytes.
pub fn bytes(n: u64) -> Printable {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| n >= *unit) {
        Some((unit, name)) if n.is_multiple_of(*unit) => printable!("{} {}", n / unit, *name),
        Some((unit, name)) => printable!("{:.1} {}", n as f64 / *unit as f64, *name),
        None => printable!("{} B", n),
    }
}

/// Returns a number, with its thousands separated.
pub fn count(n: u64) -> Printable {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    Printable(out)
}

/// Returns a number in at most five characters.
pub fn short(n: u64) -> Printable {
    match n {
        0..1_000 => printable!("{}", n),
        1_000..10_000 => printable!("{:.1}k", n as f64 / 1e3),
        10_000..1_000_000 => printable!("{}k", n / 1_000),
        1_000_000..10_000_000 => printable!("{:.1}M", n as f64 / 1e6),
        _ => printable!("{}M", n / 1_000_000),
    }
}

/// Returns a number with its noun, as in `1 hook` and `2 hooks`.
pub fn plural(n: usize, what: &'static str) -> Printable {
    let s = if n == 1 { "" } else { "s" };
    printable!("{} {}{}", count(n as u64), what, s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(count(0).as_str(), "0");
        assert_eq!(count(999).as_str(), "999");
        assert_eq!(count(50_000_000).as_str(), "50,000,000");
        assert_eq!(short(50_000_000).as_str(), "50M");
        assert_eq!(short(4_200).as_str(), "4.2k");
        assert_eq!(bytes(64 << 20).as_str(), "64 MiB");
        assert_eq!(bytes(1_536).as_str(), "1.5 KiB");
        assert_eq!(bytes(12).as_str(), "12 B");
        assert_eq!(time(Duration::from_micros(41)).as_str(), "41 µs");
        assert_eq!(time(Duration::from_micros(4_250)).as_str(), "4.2 ms");
        assert_eq!(time(Duration::from_millis(120)).as_str(), "120 ms");
        assert_eq!(plural(1, "hook").as_str(), "1 hook");
        assert_eq!(plural(2, "hook").as_str(), "2 hooks");
    }
}
