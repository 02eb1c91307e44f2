//! Sampling: the choice of the traces that are sent.

use opentelemetry::TraceId;
use opentelemetry::trace::SpanKind;
use opentelemetry_sdk::trace::{Sampler as Share, SamplingDecision, ShouldSample as _};

use crate::environment::{number, variable};

/// Decides at the first span of a trace. A trace that began in another program is sent if that program records it,
/// unless the environment sets another rule.
#[derive(Debug, Clone)]
pub(crate) struct Sampler {
    share: Share,
    asks_parent: bool,
}

impl Sampler {
    /// Creates the sampler that `OTEL_TRACES_SAMPLER` names, or else one of this share of the
    /// traces.
    pub(crate) fn new(share: f64) -> Self {
        let ratio = || Share::TraceIdRatioBased(number("OTEL_TRACES_SAMPLER_ARG", 1.0, 0.0..=1.0));
        let name = variable("OTEL_TRACES_SAMPLER").unwrap_or_default();
        let (kind, asks_parent) = match name.strip_prefix("parentbased_") {
            Some(kind) => (kind, true),
            None => (name.as_str(), name.is_empty()),
        };
        let share = match kind {
            "always_on" => Share::AlwaysOn,
            "always_off" => Share::AlwaysOff,
            "traceidratio" => ratio(),
            "" => Share::TraceIdRatioBased(share),
            _ => {
                tracing::warn!(
                    "OTEL_TRACES_SAMPLER is `{name}`, which is not known; use always_on, always_off or traceidratio, with \
                     `parentbased_` before it or without"
                );
                Share::TraceIdRatioBased(share)
            }
        };
        Self { share, asks_parent }
    }

    /// Returns whether a trace is sent. `parent` is whether another program records the parent span.
    pub(crate) fn samples(&self, trace_id: u128, parent: Option<bool>) -> bool {
        if let (Some(recorded), true) = (parent, self.asks_parent) {
            return recorded;
        }
        let id = TraceId::from(trace_id);
        let sampled = (self.share).should_sample(None, id, "", &SpanKind::Internal, &[], &[]);
        sampled.decision == SamplingDecision::RecordAndSample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_traces_is_sent_and_what_is_recorded_elsewhere() {
        let half = Sampler {
            share: Share::TraceIdRatioBased(0.5),
            asks_parent: true,
        };
        assert!(half.samples(1, None));
        assert!(!half.samples(u128::from(u64::MAX), None));
        assert!(half.samples(u128::from(u64::MAX), Some(true)));
        assert!(!half.samples(1, Some(false)));
        let alone = Sampler {
            asks_parent: false,
            ..half
        };
        assert!(alone.samples(1, Some(false)));
    }
}
