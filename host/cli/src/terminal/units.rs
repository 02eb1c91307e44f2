//! Numbers for people.

use std::time::Duration;

/// A time, with few digits.
pub fn time(time: Duration) -> String {
    let micros = time.as_micros();
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..10_000 => format!("{:.1} ms", micros as f64 / 1e3),
        10_000..10_000_000 => format!("{} ms", micros / 1_000),
        _ => format!("{:.1} s", micros as f64 / 1e6),
    }
}

/// A time that was measured in whole milliseconds.
pub fn millis(ms: u64) -> String {
    match ms {
        0 => "<1 ms".into(),
        1..10_000 => format!("{ms} ms"),
        _ => format!("{:.1} s", ms as f64 / 1e3),
    }
}

/// The beginning of a digest, enough to tell it from others.
pub fn digest(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

/// A size in bytes.
pub fn bytes(n: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| n >= *unit) {
        Some((unit, name)) if n.is_multiple_of(*unit) => format!("{} {name}", n / unit),
        Some((unit, name)) => format!("{:.1} {name}", n as f64 / *unit as f64),
        None => format!("{n} B"),
    }
}

/// A number, with its thousands separated.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number in at most five characters.
pub fn short(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..10_000 => format!("{:.1}k", n as f64 / 1e3),
        10_000..1_000_000 => format!("{}k", n / 1_000),
        1_000_000..10_000_000 => format!("{:.1}M", n as f64 / 1e6),
        _ => format!("{}M", n / 1_000_000),
    }
}

/// `1 hook`, `2 hooks`.
pub fn plural(n: usize, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(n as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(50_000_000), "50,000,000");
        assert_eq!(short(50_000_000), "50M");
        assert_eq!(short(4_200), "4.2k");
        assert_eq!(bytes(64 << 20), "64 MiB");
        assert_eq!(bytes(1_536), "1.5 KiB");
        assert_eq!(bytes(12), "12 B");
        assert_eq!(time(Duration::from_micros(41)), "41 µs");
        assert_eq!(time(Duration::from_micros(4_250)), "4.2 ms");
        assert_eq!(time(Duration::from_millis(120)), "120 ms");
        assert_eq!(plural(1, "hook"), "1 hook");
        assert_eq!(plural(2, "hook"), "2 hooks");
    }
}
