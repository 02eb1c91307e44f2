//! Token buckets.

use serde::{Deserialize, Serialize};

use crate::config::Limit;

/// The parts of a token. Parts are whole numbers, so that equal buckets are stored as equal values.
const PARTS: u64 = 1_000;

/// A bucket: its content at a time.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// Thousandths of tokens.
    parts: u64,
    /// Milliseconds since 1970.
    at: u64,
}

impl Bucket {
    /// Takes a token, or returns the seconds to wait if there is none. Without `before`, the bucket is full.
    pub fn take(before: Option<Self>, limit: &Limit, now: u64) -> (Self, Result<(), u64>) {
        let most = limit.burst().saturating_mul(PARTS);
        let mut bucket = before.unwrap_or(Self {
            parts: most,
            at: now,
        });
        if now < bucket.at {
            // A clock that was set back refills nothing.
            bucket.at = now;
        }
        let seconds = limit.seconds.max(1);
        let calls = limit.calls.max(1);
        let refilled = (now - bucket.at).saturating_mul(calls) / seconds;
        bucket.parts = bucket.parts.saturating_add(refilled).min(most);
        // Time that was too short for a whole part counts in the next call.
        let counted = refilled.saturating_mul(seconds).div_ceil(calls);
        bucket.at = bucket.at.saturating_add(counted).min(now);
        match bucket.parts.checked_sub(PARTS) {
            Some(left) => (
                Self {
                    parts: left,
                    ..bucket
                },
                Ok(()),
            ),
            None => {
                let lacking = (PARTS - bucket.parts).saturating_mul(limit.seconds);
                let wait = lacking.div_ceil(limit.calls.max(1) * PARTS);
                (bucket, Err(wait.max(1)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bucket;
    use crate::config::Limit;

    fn limit(calls: u64, seconds: u64) -> Limit {
        Limit {
            calls,
            seconds,
            ..Limit::default()
        }
    }

    #[test]
    fn a_bucket_empties_and_refills() {
        let limit = limit(2, 10);
        let (bucket, first) = Bucket::take(None, &limit, 0);
        let (bucket, second) = Bucket::take(Some(bucket), &limit, 0);
        let (bucket, third) = Bucket::take(Some(bucket), &limit, 0);
        assert_eq!((first, second, third), (Ok(()), Ok(()), Err(5)));
        let (bucket, later) = Bucket::take(Some(bucket), &limit, 4_999);
        assert_eq!(later, Err(1));
        assert_eq!(Bucket::take(Some(bucket), &limit, 5_000).1, Ok(()));
    }

    #[test]
    fn a_clock_that_is_set_back_neither_fills_nor_blocks() {
        let limit = limit(1, 10);
        let (bucket, _) = Bucket::take(None, &limit, 1_000_000);
        let (bucket, early) = Bucket::take(Some(bucket), &limit, 5);
        assert_eq!(early, Err(10));
        assert_eq!(Bucket::take(Some(bucket), &limit, 10_005).1, Ok(()));
    }
}
