//! The distribution of values, in little memory.

/// The number of buckets in an octave, as a power of two: values in a bucket differ by less than
/// 1.6 %.
const OCTAVE: u32 = 6;

/// Counts of values in buckets of about the same relative width. Grows with the largest value, to
/// at most 30 KB.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Histogram {
    buckets: Vec<u64>,
    count: u64,
    max: u64,
}

impl Histogram {
    pub(super) fn add(&mut self, value: u64) {
        self.add_times(bucket(value), 1);
        self.max = self.max.max(value);
    }

    /// Adds the counts of another histogram.
    pub(super) fn merge(&mut self, other: &Self) {
        for (bucket, count) in other.buckets.iter().enumerate().filter(|(_, n)| **n > 0) {
            self.add_times(bucket, *count);
        }
        self.max = self.max.max(other.max);
    }

    fn add_times(&mut self, bucket: usize, times: u64) {
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, 0);
        }
        if let Some(count) = self.buckets.get_mut(bucket) {
            *count += times;
        }
        self.count += times;
    }

    pub(super) fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max)
    }

    /// Returns the percentile by nearest rank, within 1.6 %.
    pub(super) fn percentile(&self, percent: u64) -> Option<u64> {
        let rank = (self.count.saturating_mul(percent)).div_ceil(100).max(1);
        let mut seen = 0;
        let found = self.buckets.iter().position(|count| {
            seen += count;
            seen >= rank
        });
        found.map(|bucket| middle(bucket).min(self.max))
    }

    /// Returns the buckets that have values: the smallest possible value of each, and its count.
    pub(super) fn buckets(&self) -> impl Iterator<Item = (u64, u64)> {
        let buckets = self.buckets.iter().enumerate();
        let filled = buckets.filter(|(_, count)| **count > 0);
        filled.map(|(bucket, count)| (least(bucket), *count))
    }
}

/// Returns the bucket of a value. Each value below 128 has its own bucket.
fn bucket(value: u64) -> usize {
    let octave = value.max(1).ilog2().saturating_sub(OCTAVE);
    let within = value >> octave;
    (u64::from(octave << OCTAVE) + within) as usize
}

/// Returns the smallest value of a bucket.
fn least(bucket: usize) -> u64 {
    let octave = (bucket >> OCTAVE).saturating_sub(1);
    ((bucket - (octave << OCTAVE)) as u64) << octave
}

/// Returns the value in the middle of a bucket.
fn middle(bucket: usize) -> u64 {
    let octave = (bucket >> OCTAVE).saturating_sub(1);
    least(bucket) + ((1 << octave) >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_a_bucket_that_is_near_it() {
        let powers = (0..64).map(|n| 1_u64 << n);
        let values = powers.flat_map(|power| [power - 1, power, power + power / 3]);
        for value in values.chain([0, 127, 128, 129, u64::MAX]) {
            let bucket = bucket(value);
            let (least, middle) = (least(bucket), middle(bucket));
            assert!(least <= value, "{value}");
            assert!(
                middle.abs_diff(value) as f64 <= value as f64 * 0.016,
                "{value}: {middle}"
            );
            assert!(super::bucket(least) == bucket, "{value}");
        }
        assert_eq!(bucket(u64::MAX), (57 << 6) + 127);
    }

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let mut some = Histogram::default();
        assert_eq!((some.percentile(50), some.max()), (None, None));
        (1..=100).for_each(|value| some.add(value));
        assert_eq!(some.percentile(50), Some(50));
        assert_eq!(some.percentile(95), Some(95));
        assert_eq!(some.percentile(99), Some(99));
        assert_eq!(some.percentile(100), Some(100));
        let mut more = Histogram::default();
        more.add(1_000_000);
        more.merge(&some);
        assert_eq!(more.max(), Some(1_000_000));
        assert_eq!(more.percentile(100), Some(1_000_000));
        assert_eq!(more.percentile(50), Some(51));
        assert_eq!(more.buckets().count(), 101);
    }
}
