//! The decision about a failed call.

use portcullis_sdk::points::llm_error::LlmFailure;

use crate::settings::{Kind, Settings};

/// A decision about a failed call.
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
    /// Creates the plan of these settings.
    pub fn new(settings: Settings) -> Self {
        Self(settings)
    }

    /// Decides about a failure of a provider that has been called `tries` times.
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

    /// Returns the milliseconds to wait, or `None` if the provider asks for too many.
    fn wait(&self, failure: &LlmFailure, tries: u32) -> Option<u32> {
        let asked = failure.retry_after_ms.unwrap_or(0);
        if asked > self.0.longest_wait_ms {
            return None;
        }
        let doubled = 2_u32.saturating_pow(tries.saturating_sub(1));
        let backoff = self.0.backoff_ms.saturating_mul(doubled);
        Some(backoff.min(self.0.longest_wait_ms).max(asked))
    }

    /// Returns the provider after the one that failed, or `None` if it was the last.
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
