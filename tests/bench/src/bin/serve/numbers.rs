//! The times of many calls.

use std::time::Duration;

/// Times, in any order.
#[derive(Debug, Default)]
pub struct Times(pub Vec<Duration>);

impl Times {
    /// Returns the time that this share of all times does not exceed, or zero if there are no
    /// times.
    pub fn quantile(&mut self, part: f64) -> Duration {
        self.0.sort_unstable();
        let last = self.0.len().saturating_sub(1);
        let at = (last as f64 * part).ceil() as usize;
        self.0.get(at).copied().unwrap_or_default()
    }

    /// Returns the median.
    pub fn median(&mut self) -> Duration {
        self.quantile(0.5)
    }
}

/// Returns the median of ratios.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
