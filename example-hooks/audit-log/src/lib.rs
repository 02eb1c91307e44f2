//! Writes down what happens: one line of JSON in the log and one event `audit` for each point.
//!
//! ```toml
//! [hooks.audit-log.grants]
//! events = true
//! ```
//!
//! An entry has the session, agent, turn and step, the decision and the hook that made it, and the
//! facts of the point in the contract's JSON form:
//!
//! ```json
//! {"point":"pre-tool-call","session":"s1","agent":"main","turn":1,"step":2,
//!  "decision":"rejected","by":"path-jail","code":"outside-working-dir","reason":"…",
//!  "changed-by":[],"facts":{"call-id":"c7","name":"read_file","arguments-bytes":31,
//!  "grant":{"working-dir":"/work","timeout-ms":60000}}}
//! ```
//!
//! It imports no answer, so it can only observe: it sees the final value and the verdict, and runs
//! after a refusal too. It imports no view of content, conversation or tool data, so it cannot read
//! messages, arguments or outputs. The reasons of other hooks and providers are logged unchanged.
//!
//! Points: all of a session, its turns, model calls, tool calls and compactions. Role: observe, so
//! it fails open. Needs the view `verdict`; it has no configuration.

mod entry;

use entry::record;
use portcullis_sdk::prelude::*;

struct AuditLog;

#[hook(
    id = "audit-log",
    kind = "audit",
    description = "Writes down what happens and what was decided, without reading what is said.",
    priority = 50
)]
impl AuditLog {
    fn session_start(call: &session_start::Call) -> HookResult<session_start::Verdict> {
        record("session-start", &call.facts())?;
        Ok(call.proceed())
    }

    fn session_end(call: &session_end::Call) -> HookResult<session_end::Verdict> {
        record("session-end", &call.facts())?;
        Ok(call.proceed())
    }

    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        record("pre-turn", &call.facts())?;
        Ok(call.proceed())
    }

    fn post_turn(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        record("post-turn", &call.facts())?;
        Ok(call.proceed())
    }

    fn turn_error(call: &turn_error::Call) -> HookResult<turn_error::Verdict> {
        record("turn-error", &call.facts())?;
        Ok(call.proceed())
    }

    fn pre_llm_call(call: &pre_llm_call::Call) -> HookResult<pre_llm_call::Verdict> {
        record("pre-llm-call", &call.facts())?;
        Ok(call.proceed())
    }

    fn post_llm_call(call: &post_llm_call::Call) -> HookResult<post_llm_call::Verdict> {
        record("post-llm-call", &call.facts())?;
        Ok(call.proceed())
    }

    fn llm_error(call: &llm_error::Call) -> HookResult<llm_error::Verdict> {
        record("llm-error", &call.facts())?;
        Ok(call.proceed())
    }

    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        record("pre-tool-call", &call.facts())?;
        Ok(call.proceed())
    }

    fn post_tool_call(call: &post_tool_call::Call) -> HookResult<post_tool_call::Verdict> {
        record("post-tool-call", &call.facts())?;
        Ok(call.proceed())
    }

    fn pre_compaction(call: &pre_compaction::Call) -> HookResult<pre_compaction::Verdict> {
        record("pre-compaction", &call.facts())?;
        Ok(call.proceed())
    }

    fn post_compaction(call: &post_compaction::Call) -> HookResult<post_compaction::Verdict> {
        record("post-compaction", &call.facts())?;
        Ok(call.proceed())
    }
}
