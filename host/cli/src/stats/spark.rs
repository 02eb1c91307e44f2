//! A distribution in a line of text.

use portcullis_store::Spread;

use crate::terminal::Printable;

/// The width, in characters.
const WIDTH: usize = 16;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The range of values, on a logarithmic scale.
pub(super) struct Scale {
    first: f64,
    last: f64,
}

impl Scale {
    /// Returns the scale from the least of these values to the largest.
    pub(super) fn of<'a>(spreads: impl Iterator<Item = &'a Spread>) -> Self {
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        let (first, last) = spreads.fold(nothing, |(first, last), spread| {
            let least = spread.buckets.first().map_or(0, |(least, _)| *least);
            (first.min(log(least)), last.max(log(spread.max)))
        });
        // If all values are about the same, they are in the middle.
        let more = if last - first < 1.0 { 1.0 } else { 0.0 };
        Self {
            first: first - more,
            last: last + more,
        }
    }

    /// Returns a value's position: 0 is the least value, 1 the largest.
    pub(super) fn at(&self, value: u64) -> f64 {
        let width = self.last - self.first;
        match width > 0.0 {
            true => ((log(value) - self.first) / width).clamp(0.0, 1.0),
            false => 0.5,
        }
    }
}

fn log(value: u64) -> f64 {
    (value.max(1) as f64).log2()
}

/// Returns a bar for each part of the scale: the more values are in it, the higher.
pub(super) fn line(spread: &Spread, scale: &Scale) -> Printable {
    let parts = parts::<WIDTH>(spread, scale);
    let most = parts.iter().copied().max().unwrap_or_default().max(1);
    let bars = parts.iter().map(|count| match count {
        0 => ' ',
        count => {
            let level = (count * (BARS.len() as u64 - 1)).div_ceil(most) as usize;
            BARS.get(level).copied().unwrap_or('█')
        }
    });
    Printable::line(bars.collect::<String>())
}

/// Returns the number of values in each part of the scale.
pub(super) fn parts<const N: usize>(spread: &Spread, scale: &Scale) -> [u64; N] {
    let mut parts = [0; N];
    for (least, count) in &spread.buckets {
        let part = (scale.at(*least) * N as f64) as usize;
        if let Some(part) = parts.get_mut(part.min(N - 1)) {
            *part += count;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(buckets: &[(u64, u64)]) -> Spread {
        Spread {
            p50: 0,
            p95: 0,
            p99: 0,
            max: buckets.last().map_or(0, |(least, _)| *least),
            buckets: buckets.to_vec(),
        }
    }

    #[test]
    fn most_values_have_the_highest_bar() {
        let spread = spread(&[(1, 1), (256, 800), (65_536, 100)]);
        let scale = Scale::of([&spread].into_iter());
        let line = line(&spread, &scale);
        assert_eq!(line.as_str(), "▂       █      ▂");
        assert_eq!(scale.at(256), 0.5);
    }

    #[test]
    fn values_that_are_all_the_same_are_in_the_middle() {
        let spread = spread(&[(7, 3)]);
        let scale = Scale::of([&spread].into_iter());
        assert_eq!(line(&spread, &scale).as_str().trim(), "█");
    }
}
