//! What to do about a failure.

use portcullis_sdk::points::llm_error::LlmFailure;

use crate::settings::{Kind, Settings};

/// What to do.
#[derive(Debug, PartialEq)]
pub enum Decision {
    /// Call again after this many milliseconds.
    Retry(u32),
    /// Call this provider.
    Switch(String),
    /// Let the step fail.
    GiveUp,
}

/// The operator's plan.
#[derive(Debug)]
pub struct Plan(Settings);

impl Plan {
    /// The plan of these settings.
    pub fn new(settings: Settings) -> Self {
        Self(settings)
    }

    /// What to do about a failure of a provider that has been called `tries` times.
    pub fn decide(&self, failure: &LlmFailure, tries: u32) -> Decision {
        let kind = Kind::from(failure.kind);
        if self.0.give_up_on.contains(&kind) {
            return Decision::GiveUp;
        }
        if tries <= self.0.retries(kind)
            && let Some(wait) = self.wait(failure, tries)
        {
            return Decision::Retry(wait);
        }
        match self.next(failure) {
            Some(provider) => Decision::Switch(provider.to_owned()),
            None => Decision::GiveUp,
        }
    }

    /// How long to wait; nothing if the provider asks for too long.
    fn wait(&self, failure: &LlmFailure, tries: u32) -> Option<u32> {
        let asked = failure.retry_after_ms.unwrap_or(0);
        if asked > self.0.longest_wait_ms {
            return None;
        }
        let doubled = 2_u32.saturating_pow(tries.saturating_sub(1));
        let backoff = self.0.backoff_ms.saturating_mul(doubled);
        Some(backoff.min(self.0.longest_wait_ms).max(asked))
    }

    /// The provider after the one that failed. The order is walked once, so this comes to an end.
    fn next<'a>(&'a self, failure: &'a LlmFailure) -> Option<&'a str> {
        let order = match self.0.order.as_slice() {
            [] => &failure.providers,
            _ => &self.0.order,
        };
        let place = order
            .iter()
            .position(|provider| *provider == failure.provider);
        let rest = &order[place.map_or(0, |place| place + 1)..];
        rest.iter()
            .find(|provider| failure.providers.contains(provider) && **provider != failure.provider)
            .map(String::as_str)
    }
}

#[cfg(test)]
mod tests;
