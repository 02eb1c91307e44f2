//! A chain's verdict, with the record of every run.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};
use sha2::Digest as _;

use crate::contract::{ChainVerdict, Context, Rejection, ViewDecision, ViewFailure};
use crate::model::failure::{Cause, Failure};
use crate::model::hook::{HookId, Mode, Profile};
use crate::model::points::{OutcomeKind, Payload, Point, PointId, Refusal, Signal};
use crate::model::prompt::{Contributed, KINDS, SideOutput, kind_name};
use crate::model::reached::{CONTRIBUTE, Reached, as_written};
use crate::model::would::Would;

/// A chain's verdict on a call.
#[derive(Debug)]
pub struct Verdict<P: Point> {
    /// The decision.
    pub decision: Decision<P>,
    /// The runs of all hooks of the chain, in order, skipped ones included.
    pub runs: Vec<HookRun>,
    /// The notes and jobs that hooks contributed, and their changes to the agent's state, in order.
    pub side_outputs: Vec<Contributed<SideOutput>>,
    /// The answers to the hooks' questions, in order. An answer to another process's question is
    /// here only if it changed the value, or if the question stayed unanswered.
    pub answers: Vec<PersonAnswer>,
}

/// A chain's decision. A case that a point does not have contains
/// [`Never`](crate::model::points::Never).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Decision<P: Point> {
    /// The value passed; its current form is in the call.
    Passed,
    /// A hook refused.
    Rejected {
        /// The hook.
        by: HookId,
        /// The refusal.
        rejection: P::Rejection,
    },
    /// A hook answered in place of the operation.
    Answered {
        /// The hook.
        by: HookId,
        /// The answer.
        answer: P::Answer,
    },
    /// A hook ended the turn.
    Stopped {
        /// The hook.
        by: HookId,
        /// The reason.
        stop: P::Stop,
    },
    /// A fail-closed hook failed.
    Failed(HookFailed),
    /// A person must decide, and will do so later: see [`Session::answer`](crate::Session::answer).
    Pending(Pending<P>),
}

/// The questions that a person will answer later.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Pending<P: Point> {
    /// The first question.
    pub first: Asked<P>,
    /// The other questions.
    pub rest: Vec<Asked<P>>,
}

/// A hook's question.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Asked<P: Point> {
    /// The hook.
    pub by: HookId,
    /// The question.
    pub ask: P::Ask,
}

/// A failure of a fail-closed hook, because of which the operation does not continue.
#[derive(Debug, Clone, Serialize, Deserialize, thiserror::Error)]
#[error("hook `{hook}` failed at {point} and fails closed: {failure}")]
pub struct HookFailed {
    /// The hook.
    pub hook: HookId,
    /// The point.
    pub point: PointId,
    /// The failure.
    #[source]
    pub failure: Failure,
}

impl<P: Point> Decision<P> {
    /// Returns whether the operation continues.
    pub fn passed(&self) -> bool {
        matches!(self, Self::Passed)
    }
}

impl<P: Point> Verdict<P> {
    /// Returns the verdict of a chain without hooks.
    pub(crate) fn empty() -> Self {
        Self {
            decision: Decision::Passed,
            runs: Vec::new(),
            side_outputs: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Returns the hooks that changed the value, in order.
    pub fn changed_by(&self) -> impl Iterator<Item = &HookId> {
        self.runs
            .iter()
            .filter(|run| run.change.is_some())
            .map(|run| &run.hook)
    }

    /// Returns the verdict for observing hooks.
    pub(crate) fn view(&self) -> ChainVerdict {
        let (decision, decided_by) = match &self.decision {
            Decision::Passed => (ViewDecision::Passed, None),
            Decision::Rejected { by, rejection } => (
                ViewDecision::Rejected(rejection.rejection().clone()),
                Some(by),
            ),
            Decision::Answered { by, .. } => (ViewDecision::Answered, Some(by)),
            Decision::Stopped { by, stop } => (
                ViewDecision::Stopped(stop.signal().message.clone()),
                Some(by),
            ),
            // Observers run once the question is decided.
            Decision::Pending(pending) => (ViewDecision::Passed, Some(&pending.first.by)),
            Decision::Failed(failed) => (
                ViewDecision::Failed(ViewFailure {
                    cause: failed.failure.cause().code().into(),
                    message: failed.failure.to_string(),
                }),
                Some(&failed.hook),
            ),
        };
        ChainVerdict {
            decision,
            decided_by: decided_by.map(ToString::to_string),
            changed_by: self.changed_by().map(ToString::to_string).collect(),
        }
    }
}

/// The record of one hook call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HookRun {
    /// The run's number, unique within the process; 0 if nobody watches runs. See
    /// [`next_run`](crate::observer::next_run).
    pub id: u64,
    /// The point.
    pub point: PointId,
    /// The hook.
    pub hook: HookId,
    /// The turn, counted from 1.
    pub turn: u32,
    /// The step, counted from 1.
    pub step: u32,
    /// The outcome of the run.
    pub status: RunStatus,
    /// Whether the hook's answer counted.
    pub mode: Mode,
    /// The duration.
    pub latency: Duration,
    /// The fuel that the hook used; `None` if fuel is not counted.
    pub fuel: Option<u64>,
    /// The bytes of memory that the hook's instance had after the call; `None` if the hook is not a
    /// component, or was not called.
    #[serde(default)]
    pub memory: Option<u64>,
    /// Whether an instance was started for this call because the previous one had been evicted, so
    /// that the hook's data in memory is lost.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restarted: bool,
    /// A change by the hook, or by a person who answered its question.
    pub change: Option<Box<Change>>,
    /// The consequence that the answer would have had if it had counted; only in audit mode, and
    /// only if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would: Option<Box<Would>>,
    /// The hook's question, if it counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Box<str>>,
    /// The decision on the hook's question, if there was one.
    pub approval: Option<Approval>,
    /// The digest of the hook's component, if it is one.
    pub component: Option<Digest>,
    /// The digest of the input that the hook might have changed; only if an observer [wants
    /// it](crate::observer::HookObserver::digests_inputs).
    pub input: Option<Digest>,
    /// The hook's contributions, and its changes to the agent's state.
    pub contributed: Vec<ContributedRecord>,
    /// The host resources that the run used, if they are watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reached: Option<Box<Reached>>,
}

impl HookRun {
    /// Returns the run of a hook that the chain has not reached.
    pub(crate) fn skipped(point: PointId, context: &Context, profile: &Profile) -> Self {
        Self {
            id: 0,
            point,
            hook: profile.id.clone(),
            turn: context.turn,
            step: context.step,
            status: RunStatus::Skipped,
            mode: profile.mode,
            latency: Duration::ZERO,
            fuel: None,
            memory: None,
            restarted: false,
            change: None,
            would: None,
            question: None,
            approval: None,
            component: profile.component,
            input: None,
            contributed: Vec::new(),
            reached: None,
        }
    }

    /// Adds the run of a hook that the chain has reached.
    pub(crate) fn add<'a>(
        runs: &'a mut Vec<Self>,
        point: PointId,
        context: &Context,
        profile: &Profile,
    ) -> &'a mut Self {
        // The run is built in place: it is so large that a copy would cost measurable time.
        runs.extend(std::iter::once_with(|| {
            Self::skipped(point, context, profile)
        }));
        match runs.last_mut() {
            Some(run) => run,
            None => unreachable!("a run was added"),
        }
    }

    /// Records that the hook continued.
    pub(crate) fn continued(&mut self) {
        self.status = RunStatus::Completed {
            outcome: OutcomeKind::Continue,
            rejection: None,
        };
    }
}

/// The kind of a change to the agent's state, in a record.
pub(crate) const STATE_EDIT: &str = "agent-state-edit";

/// The record of one contribution, or of one change to the agent's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContributedRecord {
    /// The kind's name; `agent-state-edit` for a change to the agent's state.
    pub kind: &'static str,
    /// The digest of the contribution or change.
    pub digest: Digest,
    /// The contribution without secrets, as JSON text in the form of [`json`](crate::json): an
    /// object with its kind as the only key. Present only in a session that keeps values, and not
    /// for a change to the agent's state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Box<str>>,
}

impl ContributedRecord {
    /// Returns the grant that the contribution used, as written in `hooks.toml`; `None` for a
    /// change to the agent's state, whose key is [recorded](crate::verdict::Reached::used)
    /// separately.
    pub fn grant(&self) -> Option<String> {
        (self.kind != STATE_EDIT).then(|| as_written(CONTRIBUTE, self.kind))
    }
}

impl<'de> Deserialize<'de> for ContributedRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Record {
            kind: String,
            digest: Digest,
            #[serde(default)]
            value: Option<Box<str>>,
        }
        let Record {
            kind,
            digest,
            value,
        } = Record::deserialize(deserializer)?;
        let mut known = KINDS.into_iter().map(kind_name).chain([STATE_EDIT]);
        let unknown = || serde::de::Error::custom(format!("there is no contribution `{kind}`"));
        let kind = known.find(|known| *known == kind).ok_or_else(unknown)?;
        Ok(Self {
            kind,
            digest,
            value,
        })
    }
}

/// The outcome of a hook run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// The hook answered.
    Completed {
        /// The kind of answer.
        outcome: OutcomeKind,
        /// The refusal, if the hook refused.
        rejection: Option<Box<Rejection>>,
    },
    /// The hook failed.
    Failed {
        /// The code of the cause.
        cause: Cause,
        /// The failure in words that are safe to show.
        message: Box<str>,
        /// Whether the operation was refused because of it.
        fatal: bool,
    },
    /// The hook answered, and the answer was not applied: an earlier hook had replaced the value.
    NotApplied {
        /// The kind of answer.
        outcome: OutcomeKind,
    },
    /// The hook did not run, since the chain ended before it.
    Skipped,
    /// The hook runs detached, or will: the [`HookObserver`](crate::observer::HookObserver)
    /// receives its end.
    Backgrounded,
}

impl HookRun {
    /// Returns the kind of answer, if the hook answered.
    pub fn outcome(&self) -> Option<OutcomeKind> {
        match &self.status {
            RunStatus::Completed { outcome, .. } | RunStatus::NotApplied { outcome } => {
                Some(*outcome)
            }
            _ => None,
        }
    }

    /// Returns the cause of failure, if the hook failed.
    pub fn cause(&self) -> Option<Cause> {
        match &self.status {
            RunStatus::Failed { cause, .. } => Some(*cause),
            _ => None,
        }
    }
}

/// A person's answer to a hook's question.
#[derive(Debug, Clone)]
pub struct PersonAnswer {
    /// The hook.
    pub hook: HookId,
    /// The answer.
    pub approval: Approval,
    /// The person's change.
    pub change: Option<Box<Change>>,
}

/// A change by a hook or a person.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Change {
    /// The digest of the value before.
    pub before: Digest,
    /// The digest of the value after.
    pub after: Digest,
    /// Both values as JSON text in the form of [`json`](crate::json), kept only if the session was
    /// opened to keep them.
    pub values: Option<(String, String)>,
}

/// The decision on a hook's question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Approval {
    /// The answer is yes.
    Approved,
    /// The answer is no, or a change that cannot be used.
    Denied,
    /// Nobody answered, which refuses the operation.
    Unanswered,
    /// The answer is yes, with a change.
    Changed,
}

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    pub(crate) fn of_payload(payload: &Payload<'_>) -> Self {
        struct Hasher(sha2::Sha256);
        impl std::io::Write for Hasher {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.update(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let mut hasher = Hasher(sha2::Sha256::new());
        // Neither the payloads nor the hasher can fail.
        let _ = serde_json::to_writer(&mut hasher, payload);
        Self(hasher.0.finalize().into())
    }
}

impl Digest {
    /// Writes the digest's text into these bytes, and returns it: 64 hexadecimal digits.
    pub fn write<'t>(&self, text: &'t mut [u8; 64]) -> &'t str {
        let digit = |half: u8| match half {
            0..=9 => b'0' + half,
            _ => b'a' + (half - 10),
        };
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
        }
        std::str::from_utf8(text).unwrap_or_default()
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.write(&mut [0; 64]))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl std::str::FromStr for Digest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "a digest has 64 hexadecimal digits".to_owned();
        let bytes = text.as_bytes();
        // This check comes first, since a number may also have a sign.
        if bytes.len() != 64 || !bytes.iter().all(u8::is_ascii_hexdigit) {
            return Err(wrong());
        }
        let mut digest = [0; 32];
        for (byte, pair) in digest.iter_mut().zip(bytes.chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
        }
        Ok(Self(digest))
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
