//! The place of an event in a distributed trace, in the form of the W3C recommendation.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::Digest as _;

use crate::model::hook::HookId;
use crate::model::points::PointId;

/// The most bytes of `tracestate` that are passed on: every implementation must accept this many.
const LONGEST_STATE: usize = 512;
/// The most bytes of `baggage` that are passed on, from the W3C recommendation.
const LONGEST_BAGGAGE: usize = 8_192;

/// The variables of a process that contain its context.
const VARIABLES: [&str; 3] = ["TRACEPARENT", "TRACESTATE", "BAGGAGE"];

/// A span of a distributed trace, as it is passed on to other programs. Cloning is cheap.
///
/// A context records nothing: it is the parent of other programs' spans.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "Headers", try_from = "Headers")]
pub struct TraceContext {
    /// The trace. Not 0.
    pub trace_id: u128,
    /// The span. Not 0.
    pub span_id: u64,
    /// The flags. The lowest bit is set if the trace is recorded.
    pub flags: u8,
    /// The data that tracing systems pass on: the header `tracestate`.
    pub state: Option<Arc<str>>,
    /// The data that programs pass on: the header `baggage`.
    pub baggage: Option<Arc<str>>,
}

/// The stored form of a context.
#[derive(Serialize, Deserialize)]
struct Headers {
    traceparent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tracestate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    baggage: Option<String>,
}

impl From<TraceContext> for Headers {
    fn from(context: TraceContext) -> Self {
        Self {
            traceparent: context.traceparent(),
            tracestate: context.state.as_deref().map(str::to_owned),
            baggage: context.baggage.as_deref().map(str::to_owned),
        }
    }
}

impl TryFrom<Headers> for TraceContext {
    type Error = InvalidTraceContext;

    fn try_from(kept: Headers) -> Result<Self, InvalidTraceContext> {
        Self::from_headers(
            &kept.traceparent,
            kept.tracestate.as_deref(),
            kept.baggage.as_deref(),
        )
    }
}

/// An error for a text that is not a `traceparent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it is not a traceparent: `00-` and 32, 16 and 2 lower-case hexadecimal digits with `-` between them, where neither \
     id is 0"
)]
pub struct InvalidTraceContext;

impl TraceContext {
    /// Creates a context from the three headers. Invalid parts of `tracestate` and `baggage` are
    /// left out.
    ///
    /// # Errors
    ///
    /// `traceparent` is not valid.
    pub fn from_headers(
        traceparent: &str,
        tracestate: Option<&str>,
        baggage: Option<&str>,
    ) -> Result<Self, InvalidTraceContext> {
        let fits = |text: &&str, most| {
            let printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t'));
            !text.trim().is_empty() && text.len() <= most && printable
        };
        Ok(Self {
            state: tracestate
                .filter(|text| fits(text, LONGEST_STATE))
                .map(Into::into),
            baggage: baggage
                .filter(|text| fits(text, LONGEST_BAGGAGE))
                .map(Into::into),
            ..traceparent.parse()?
        })
    }

    /// Returns the header `traceparent`.
    pub fn traceparent(&self) -> String {
        self.to_string()
    }

    /// Returns the headers, as names and values.
    pub fn headers(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
        ["traceparent", "tracestate", "baggage"]
            .into_iter()
            .zip(self.values())
            .filter_map(|(name, value)| Some((name, value?)))
    }

    /// Returns the variables for a child process, as names and values.
    pub fn variables(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
        VARIABLES
            .into_iter()
            .zip(self.values())
            .filter_map(|(name, value)| Some((name, value?)))
    }

    fn values(&self) -> [Option<String>; 3] {
        let given = |text: &Option<Arc<str>>| text.as_deref().map(str::to_owned);
        let Self { state, baggage, .. } = self;
        [Some(self.traceparent()), given(state), given(baggage)]
    }

    /// Returns the context of the process, from its variables `TRACEPARENT`, `TRACESTATE` and
    /// `BAGGAGE`. `None` if there is none, or it is not valid.
    pub fn of_environment() -> Option<Self> {
        let [parent, state, baggage] = VARIABLES.map(|name| std::env::var(name).ok());
        Self::from_headers(&parent?, state.as_deref(), baggage.as_deref()).ok()
    }

    /// Returns another span of the same trace.
    pub fn with_span(&self, span_id: u64) -> Self {
        Self {
            span_id,
            ..self.clone()
        }
    }

    /// Returns whether the trace is recorded.
    pub fn is_recorded(&self) -> bool {
        self.flags & 1 == 1
    }
}

/// Formats the header `traceparent`.
impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            trace_id,
            span_id,
            flags,
            ..
        } = self;
        write!(f, "00-{trace_id:032x}-{span_id:016x}-{flags:02x}")
    }
}

impl FromStr for TraceContext {
    type Err = InvalidTraceContext;

    fn from_str(text: &str) -> Result<Self, InvalidTraceContext> {
        let mut parts = text.trim().split('-');
        let mut field = |digits: usize| {
            let part = parts.next().ok_or(InvalidTraceContext)?;
            let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            match part.len() == digits && part.bytes().all(is_hex) {
                true => u128::from_str_radix(part, 16).map_err(|_| InvalidTraceContext),
                false => Err(InvalidTraceContext),
            }
        };
        let (version, trace_id) = (field(2)?, field(32)?);
        let span_id = u64::try_from(field(16)?).map_err(|_| InvalidTraceContext)?;
        let flags = u8::try_from(field(2)?).map_err(|_| InvalidTraceContext)?;
        // A later version may have more fields, and no version is 255.
        let is_whole = match version {
            0 => parts.next().is_none(),
            0xff => false,
            _ => true,
        };
        match is_whole && trace_id != 0 && span_id != 0 {
            true => Ok(Self {
                trace_id,
                span_id,
                flags: flags & 1,
                state: None,
                baggage: None,
            }),
            false => Err(InvalidTraceContext),
        }
    }
}

/// The span in which a point's hooks are called. Each call has its own, so that every run has a
/// span whose id can be computed from the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallTrace {
    context: TraceContext,
    /// The current run; `None` if runs have no spans of their own.
    run: Option<Run>,
}

/// The identity of a run among all others in the same span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    call: u64,
    /// The run's number in the call. Parent agents and sub-agents may have hooks with the same id.
    number: u32,
}

impl CallTrace {
    /// Creates the trace of a call whose runs are child spans of this context. `call` distinguishes
    /// the call from others in the same span.
    pub fn new(context: TraceContext, call: u64) -> Self {
        let run = Some(Run { call, number: 0 });
        Self { context, run }
    }

    /// Creates the trace of a call whose runs are not recorded: data that hooks send belongs to
    /// this span.
    pub fn passed_on(context: TraceContext) -> Self {
        Self { context, run: None }
    }

    /// Returns the span in which hooks are called.
    pub fn context(&self) -> &TraceContext {
        &self.context
    }

    /// Advances to the next run.
    pub(crate) fn next_run(trace: &mut Arc<Self>) {
        if trace.run.is_some()
            && let Some(run) = &mut Arc::make_mut(trace).run
        {
            run.number = run.number.wrapping_add(1);
        }
    }

    /// Returns the span of the current run, which is a run of this hook.
    pub fn of_run(&self, point: PointId, hook: &HookId) -> TraceContext {
        let Some(Run { call, number }) = self.run else {
            return self.context.clone();
        };
        let mut hasher = sha2::Sha256::new();
        hasher.update(self.context.trace_id.to_be_bytes());
        hasher.update(self.context.span_id.to_be_bytes());
        hasher.update(call.to_be_bytes());
        hasher.update(number.to_be_bytes());
        hasher.update(point.name());
        hasher.update([0]);
        hasher.update(hook.as_str());
        let digest: [u8; 32] = hasher.finalize().into();
        let id = digest.iter().take(8);
        let id = id.fold(0, |id, byte| id << 8 | u64::from(*byte));
        self.context.with_span(id.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_traceparent_is_read_and_written() {
        let context: TraceContext = PARENT.parse().expect("valid");
        assert_eq!(context.traceparent(), PARENT);
        assert_eq!(context.span_id, 0x00f0_67aa_0ba9_02b7);
        assert!(context.is_recorded());
        // The fields of a later version are left out, and so are unknown flags.
        let later = "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03-what-else";
        assert_eq!(later.parse(), Ok(context));
    }

    #[test]
    fn what_is_no_traceparent_is_refused() {
        for text in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-+0f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
        ] {
            assert_eq!(
                text.parse::<TraceContext>(),
                Err(InvalidTraceContext),
                "{text}"
            );
        }
    }

    #[test]
    fn the_state_and_the_baggage_are_bounded() {
        let of = |state: &str, baggage: &str| {
            TraceContext::from_headers(PARENT, Some(state), Some(baggage)).expect("valid")
        };
        let context = of("a=1", "tenant=7");
        let headers: Vec<_> = context.headers().collect();
        assert_eq!(headers[1], ("tracestate", "a=1".to_owned()));
        assert_eq!(headers[2], ("baggage", "tenant=7".to_owned()));
        let long = "a".repeat(LONGEST_BAGGAGE + 1);
        for bad in [long.as_str(), "", "a\r\nb: c", "é"] {
            let context = of(bad, bad);
            assert_eq!((context.state, context.baggage), (None, None), "{bad}");
        }
    }

    #[test]
    fn every_run_of_a_call_has_its_own_span() {
        let parent: TraceContext = PARENT.parse().expect("valid");
        let call = CallTrace::new(parent.clone(), 1);
        let run = |call: &CallTrace, point, hook: &str| call.of_run(point, &hook.into()).span_id;
        let first = run(&call, PointId::PreTurn, "a");
        assert_eq!(first, run(&call, PointId::PreTurn, "a"));
        let others = [
            run(&call, PointId::PreTurn, "b"),
            run(&call, PointId::PostTurn, "a"),
            run(&CallTrace::new(parent.clone(), 2), PointId::PreTurn, "a"),
            parent.span_id,
        ];
        assert!(!others.contains(&first));
        // A parent's hook with the same id.
        let mut next = Arc::new(call.clone());
        CallTrace::next_run(&mut next);
        assert_ne!(run(&next, PointId::PreTurn, "a"), first);
        let mut passed_on = Arc::new(CallTrace::passed_on(parent.clone()));
        CallTrace::next_run(&mut passed_on);
        assert_eq!(run(&passed_on, PointId::PreTurn, "a"), parent.span_id);
    }
}
