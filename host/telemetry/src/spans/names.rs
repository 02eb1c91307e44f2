//! Portcullis's own attributes. The others are those of the semantic conventions.

/// The turn, counted from 1.
pub(crate) const TURN: &str = "portcullis.turn";
/// The step, counted from 1.
pub(crate) const STEP: &str = "portcullis.step";
/// The outcome of a session, a turn or a tool call.
pub(crate) const OUTCOME: &str = "portcullis.outcome";
/// The checkpoint of a turn that is suspended or was resumed.
pub(crate) const CHECKPOINT: &str = "portcullis.checkpoint";
/// The hook that refused, stopped, answered or recovered.
pub(crate) const BY: &str = "portcullis.by";
/// The stable code of a refusal or a stop.
pub(crate) const CODE: &str = "portcullis.code";
/// Whether a turn continues one whose process ended.
pub(crate) const CONTINUED: &str = "portcullis.continued";
/// The purpose of a model call.
pub(crate) const PURPOSE: &str = "portcullis.model.purpose";
/// The attempt at a model call, counted from 1.
pub(crate) const ATTEMPT: &str = "portcullis.model.attempt";
/// Whether a tool ran.
pub(crate) const RAN: &str = "portcullis.tool.ran";
/// The hook.
pub(crate) const HOOK: &str = "portcullis.hook.id";
/// The point.
pub(crate) const POINT: &str = "portcullis.point";
/// Whether the hook's answer counts: `enforce` or `audit`.
pub(crate) const MODE: &str = "portcullis.hook.mode";
/// The hook's answer.
pub(crate) const ANSWER: &str = "portcullis.hook.answer";
/// The fuel that the hook used.
pub(crate) const FUEL: &str = "portcullis.hook.fuel";
/// The bytes of memory that the hook's instance has.
pub(crate) const MEMORY: &str = "portcullis.hook.memory";
/// The digest of the hook's component.
pub(crate) const COMPONENT: &str = "portcullis.hook.component";
/// Whether the hook changed something.
pub(crate) const CHANGED: &str = "portcullis.hook.changed";
/// Whether the operation was refused because the hook failed.
pub(crate) const FATAL: &str = "portcullis.hook.failed_closed";
/// Whether the hook's instance was started again.
pub(crate) const RESTARTED: &str = "portcullis.hook.restarted";
/// The reason for a turn's suspension.
pub(crate) const WAITS_FOR: &str = "portcullis.waits_for";
/// The number of messages that a compaction has removed.
pub(crate) const REMOVED: &str = "portcullis.messages.removed";
/// A person's decision.
pub(crate) const APPROVAL: &str = "portcullis.approval";
/// The answer of a bridge, a proxy or a daemon to an operation.
pub(crate) const DECISION: &str = "portcullis.decision";
