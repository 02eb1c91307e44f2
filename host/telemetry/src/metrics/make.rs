//! Creating instruments.

use std::time::Duration;

use opentelemetry::metrics::{Counter, Histogram, Meter};

/// Creates instruments.
pub(super) struct Make(pub(super) Meter);

impl Make {
    pub(super) fn counter(&self, name: &'static str, help: &'static str) -> Counter<u64> {
        self.0.u64_counter(name).with_description(help).build()
    }

    /// Creates a histogram of seconds.
    pub(super) fn seconds(
        &self,
        name: &'static str,
        help: &'static str,
        bounds: &[f64],
    ) -> Histogram<f64> {
        let histogram = self.0.f64_histogram(name).with_description(help);
        let histogram = histogram.with_unit("s");
        histogram.with_boundaries(bounds.to_vec()).build()
    }

    /// Creates a histogram of whole numbers in this unit.
    pub(super) fn numbers(
        &self,
        name: &'static str,
        unit: &'static str,
        help: &'static str,
        bounds: &[f64],
    ) -> Histogram<u64> {
        let histogram = self.0.u64_histogram(name).with_description(help);
        let histogram = histogram.with_unit(unit);
        histogram.with_boundaries(bounds.to_vec()).build()
    }
}

pub(super) fn seconds(ms: u64) -> f64 {
    Duration::from_millis(ms).as_secs_f64()
}
