//! Retries without a hook's decision.

use std::time::Duration;

use crate::config::RetryConfig;
use crate::provider::ProviderError;

/// The maximum random extension of a wait, as a share of it, so that agents that failed together do
/// not retry together.
const JITTER: f64 = 0.25;

/// The configuration's decision on a failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OwnDecision {
    /// Retry after this time.
    Retry(Duration),
    /// The call fails for this reason.
    GiveUp(&'static str),
}

/// Decides on a failure after `retried` retries. `random` is from 0 to 1.
pub(super) fn decide(
    error: &ProviderError,
    retried: u32,
    config: &RetryConfig,
    random: f64,
) -> OwnDecision {
    if !error.is_temporary() {
        return OwnDecision::GiveUp("this kind of failure is not retried");
    }
    if retried >= config.retries {
        return OwnDecision::GiveUp("the limit of retries is reached (`retries`)");
    }
    let longest = Duration::from_millis(config.max_delay_ms);
    let doubled = config.base_delay_ms.saturating_mul(1 << retried.min(32));
    let backoff = Duration::from_millis(doubled)
        .min(longest)
        .mul_f64(1.0 + JITTER * random);
    let wait = backoff.max(error.retry_after.unwrap_or_default());
    OwnDecision::Retry(wait.min(longest))
}

/// Returns a random number from 0 to 1.
pub(super) fn random() -> f64 {
    use std::hash::{BuildHasher as _, Hasher as _};
    let bits = std::hash::RandomState::new().build_hasher().finish();
    bits as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use portcullis::points::llm_error::ProviderErrorKind as Kind;

    use super::*;

    fn config() -> RetryConfig {
        RetryConfig {
            retries: 3,
            base_delay_ms: 100,
            max_delay_ms: 1_000,
            ..RetryConfig::default()
        }
    }

    #[test]
    fn table() {
        let ms = Duration::from_millis;
        for (kind, retried, retry_after, expected) in [
            (Kind::Timeout, 0, None, Some(ms(100))),
            (Kind::RateLimited, 1, None, Some(ms(200))),
            (Kind::Overloaded, 2, None, Some(ms(400))),
            (Kind::Network, 0, Some(ms(50)), Some(ms(100))),
            (Kind::Server, 0, Some(ms(500)), Some(ms(500))),
            (Kind::Server, 0, Some(ms(5_000)), Some(ms(1_000))),
            (Kind::Server, 3, None, None),
            (Kind::Auth, 0, None, None),
            (Kind::BadRequest, 0, None, None),
            (Kind::ContextLength, 0, None, None),
            (Kind::Other, 0, Some(ms(1)), None),
        ] {
            let error = ProviderError::new(kind, "x").with_retry_after(retry_after);
            let decision = decide(&error, retried, &config(), 0.0);
            match expected {
                Some(wait) => assert_eq!(decision, OwnDecision::Retry(wait), "{kind:?} {retried}"),
                None => assert!(
                    matches!(decision, OwnDecision::GiveUp(_)),
                    "{kind:?} {retried}"
                ),
            }
        }
    }

    #[test]
    fn waits_stay_within_the_limit() {
        let config = RetryConfig {
            retries: u32::MAX,
            base_delay_ms: u64::MAX,
            max_delay_ms: 1_000,
            ..RetryConfig::default()
        };
        let error = ProviderError::new(Kind::Network, "x");
        for retried in [0, 1, 31, 32, 63, 64, u32::MAX - 1] {
            let decision = decide(&error, retried, &config, 1.0);
            assert_eq!(decision, OwnDecision::Retry(Duration::from_secs(1)));
        }
        assert!((0.0..=1.0).contains(&random()));
    }

    #[test]
    fn without_retries_it_gives_up_at_once() {
        let config = RetryConfig {
            retries: 0,
            ..config()
        };
        let error = ProviderError::new(Kind::Network, "x");
        assert!(matches!(
            decide(&error, 0, &config, 0.0),
            OwnDecision::GiveUp(_)
        ));
    }
}
