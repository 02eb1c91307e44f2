//! The shape of `hooks.toml`, as it is written. What is said of each key here is what the reference
//! says of it, and what [`schema`](super::schema()) tells editors.

mod limits;
mod trust;

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Integrity, Isolation, RecordingTable, TelemetryTable, Unnamed, WriteRun, WriteState};
use crate::chain::quarantine::QuarantineOptions;
use crate::contract::{ContributionKind, ExecutionPolicy, FailurePolicy, HookRole};
use crate::model::hook::Mode;
use crate::model::limits::TurnLimits;
use crate::model::limits::{LONGEST_MS, MOST, MOST_BYTES, MOST_CALLS};
use crate::model::named;
use crate::model::points::{AnswerKind, PointId};
use crate::model::prompt::Policies;
use crate::model::view::View;
use crate::sandbox::capabilities::Grants;
use crate::sandbox::engine::EngineOptions;
use crate::script::ScriptCommand;

pub(super) use limits::Limits;
pub(super) use trust::Trust;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct File {
    /// How the engine is set up. It is the same for all hooks of a host.
    pub(super) engine: Engine,
    /// What all components together may use in one turn of a session: guards, and observers as much
    /// again. Detached runs do not count, and there is no such budget outside of turns.
    pub(super) turn: Turn,
    /// When a component that keeps failing is not called for a while. It then fails at once, under
    /// its own failure policy: a guard that fails closed continues to refuse.
    pub(super) quarantine: Quarantine,
    /// Which files of the hooks directory are loaded.
    pub(super) integrity: Integrity,
    /// What `portcullis add` and `update` require of a component that they fetch.
    pub(super) trust: Trust,
    /// How `portcullis serve`, `portcullis hook` and `portcullis mcp-proxy` record calls. With the table, they do, in the
    /// store that they keep runs in. Agents have `[stores]` of their own in `agent.toml`.
    #[schemars(extend("x-if-left-out" = "calls are recorded with `--record`"))]
    pub(super) recording: Option<RecordingTable>,
    /// Whom `portcullis serve` and `portcullis mcp-proxy` alert. Agents have `[[alerts]]` in `agent.toml`.
    pub(super) alerts: Alerts,
    /// Where the spans and metrics of `portcullis serve`, `portcullis hook` and `portcullis mcp-proxy` go. Agents have a
    /// table of their own in `agent.toml`.
    pub(super) telemetry: Option<TelemetryTable>,
    /// Settings for the requests of all hooks.
    pub(super) http: Http,
    /// Settings for hooks that have none of their own.
    pub(super) defaults: Defaults,
    /// What a component may do at most that has no `[hooks.ID]` table.
    pub(super) unnamed: Unnamed,
    /// Settings for one hook, by its id. They override what the hook's author declares.
    pub(super) hooks: BTreeMap<String, Hook>,
    /// A hook that is a command, by its id. It runs outside of the sandbox, with all the
    /// permissions of its user.
    pub(super) scripts: BTreeMap<String, Script>,
    /// Where a secret is, by its name: one of the two keys.
    pub(super) secrets: BTreeMap<String, Secret>,
}

/// One of the two is required.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Secret {
    /// The host's environment variable that holds the secret.
    pub(super) env: Option<String>,
    /// The file that holds the secret, relative to the hooks directory. A line break at its end is
    /// removed. At most 64 KiB.
    pub(super) file: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Alerts {
    /// The file with the `[[alerts]]`, such as an `agent.toml`, relative to the hooks directory. Its other tables are
    /// ignored. `--alerts` names another.
    #[schemars(extend("x-if-left-out" = "nobody is alerted"))]
    pub(super) file: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Engine {
    /// How often deadlines are checked, in milliseconds. An endless loop ends at most two ticks
    /// after its deadline.
    #[schemars(range(min = 1, max = 1_000), extend("default" = EngineOptions::default().tick.as_millis() as u64))]
    pub(super) tick_ms: Option<i64>,
    /// Whether fuel is counted at all. Without it hooks compute 18-43 % faster, and only the
    /// deadline, which is less exact, stops them.
    #[schemars(extend("default" = EngineOptions::default().fuel))]
    pub(super) fuel: Option<bool>,
    /// Milliseconds of processor time, over all threads, that compiling one component may take. A
    /// component that takes longer does not load.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = EngineOptions::default().compile.as_millis() as u64))]
    pub(super) compile_ms: Option<i64>,
    /// Bytes of memory that compiling one component may take, in the command's child process. A
    /// component that takes more does not load.
    #[schemars(range(min = 1, max = MOST), extend("default" = EngineOptions::default().compile_memory_bytes))]
    pub(super) compile_memory_bytes: Option<i64>,
    /// Bytes of the largest component that is compiled.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = EngineOptions::default().component_bytes))]
    pub(super) component_bytes: Option<i64>,
    /// Concurrent calls of components, over all sessions. Observers and unnamed hooks get no more than
    /// half of them, and detached runs no more than a quarter (and 64); the rest is reserved for guards.
    #[schemars(range(min = 1, max = MOST_CALLS), extend("default" = EngineOptions::default().concurrent_calls))]
    pub(super) concurrent_calls: Option<i64>,
    /// Calls of guards that may wait for one of those to end, within their own `wall-ms`, and as many
    /// of observers. A call beyond that fails with the cause `overload`.
    #[schemars(range(min = 1, max = MOST_CALLS), extend("default" = EngineOptions::default().queued_calls))]
    pub(super) queued_calls: Option<i64>,
    /// Bytes of memory that all instances of all sessions may have together: their memories, touched or
    /// not, and what the host holds for their handles. Where there are not enough, instances that wait for
    /// their next call are evicted, and start again when they are called. Observers and unnamed hooks get
    /// no more than half, and a quarter is kept for instances of at most 8 MiB. A call that would need more
    /// fails with the cause `overload`.
    #[schemars(range(min = 1, max = MOST), extend("default" = EngineOptions::default().memory_bytes))]
    pub(super) memory_bytes: Option<i64>,
    /// Memory mappings that all instances of all sessions may have together: five for an instance of a hook
    /// in Rust, and two more if it can wait. Where there are not enough, instances that wait for their next
    /// call are evicted, and start again when they are called. Observers, unnamed hooks and components
    /// with more than 64 mappings get no more than half. A call that would need more fails with the cause
    /// `overload`. Three quarters of what the kernel gives a process are the most, and the default.
    #[schemars(range(min = 1, max = MOST), extend("x-if-left-out" = "three quarters of `vm.max_map_count`: 49,148 where that is 65,530"))]
    pub(super) memory_mappings: Option<i64>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Turn {
    /// Milliseconds that all components may take in one turn.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = TurnLimits::default().hooks.as_millis() as u64))]
    pub(super) hooks_ms: Option<i64>,
    /// Fuel that all components may use in one turn.
    #[schemars(range(min = 1, max = MOST), extend("default" = TurnLimits::default().fuel))]
    pub(super) fuel: Option<i64>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Quarantine {
    /// Failures in a row, over all sessions, after which a component is not called.
    #[schemars(range(min = 1, max = MOST_CALLS), extend("default" = QuarantineOptions::default().failures))]
    pub(super) failures: Option<i64>,
    /// For how many seconds. Then one call tries it again.
    #[schemars(range(min = 1, max = LONGEST_MS / 1_000), extend("default" = QuarantineOptions::default().period.as_secs()))]
    pub(super) seconds: Option<i64>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Http {
    /// Files of certificates (PEM) of authorities to trust in addition to the web's. Paths are relative
    /// to the hooks directory.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub(super) roots: Vec<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Defaults {
    /// Limits for all hooks.
    pub(super) limits: Limits,
    /// The views that hooks may import. What a hook sees is what it imports.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<View>", extend("x-if-left-out" = "all"))]
    pub(super) views: Option<Vec<View>>,
    /// The answers that hooks may import. What a hook may answer is what it imports. Contributions
    /// (`add-…`) are granted by `contribute`, hook by hook.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<AnswerKind>", extend("x-if-left-out" = "all"))]
    pub(super) answers: Option<Vec<AnswerKind>>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Hook {
    /// Whether the hook is enabled.
    #[schemars(extend("default" = true))]
    pub(super) enabled: Option<bool>,
    /// Low runs first at forward points, high first at reverse ones.
    #[schemars(extend("x-if-left-out" = "the author's, else 100"))]
    pub(super) priority: Option<i32>,
    /// Ids of the hooks that must run before it, in place of those that it declares.
    #[schemars(extend("x-if-left-out" = "the author's"))]
    pub(super) after: Option<Vec<String>>,
    /// The role, in place of the one that follows from the answers that it imports: a `gate`
    /// continues or refuses, a hook of the role `transform` may give every answer, and one of the
    /// role `observe` decides nothing. An answer that the role does not allow is a failure.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<HookRole>", extend("x-if-left-out" = "by its imports"))]
    pub(super) role: Option<HookRole>,
    /// What its failure means: `fail-open` as if it had continued, `fail-closed` as if it had
    /// refused.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<FailurePolicy>", extend("x-if-left-out" = "the author's, else by role: `observe` opens, others close"))]
    pub(super) failure: Option<FailurePolicy>,
    /// How the agent waits for it: `blocking` until it answers, `deadline` until its deadline,
    /// `fire-and-record` and `background` not at all. A hook of the last two must be an observer.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<ExecutionPolicy>", extend("x-if-left-out" = "the author's"))]
    pub(super) execution: Option<ExecutionPolicy>,
    /// What the policies that it contributes do to those of the same domain before them: `narrow`, so
    /// that both hold, or `replace`.
    pub(super) policies: Policies,
    /// How long an instance lives: as long as its `session`, for one `call`, or `shared` by all
    /// sessions, as long as the host. What a shared hook keeps in memory of one session it can read
    /// in another. An instance that traps ends at once, and one that waits for its next call ends if the
    /// host needs its memory or its memory mappings: what must not be lost belongs in the hook's state.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Isolation>", extend("default" = Isolation::default()))]
    pub(super) isolation: Option<Isolation>,
    /// When its own state is written to the host's store, if there is one: `after-answer`, so that a
    /// crash may lose the last calls; `before-answer`, so that an answer counts only once the store
    /// has what the call wrote, and a store that fails is a failure of the hook; or `never`, so that
    /// its state is gone with the process. Shared state is always written before the answer.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<WriteState>", extend("default" = WriteState::default()))]
    pub(super) write_state: Option<WriteState>,
    /// When the start of its runs is in the journal: `after-answer`, so that a crash may lose the last
    /// ones; or `before-answer`, so that an answer counts only once the journal has its run, and a
    /// journal that fails is a failure of the hook. With `before-answer` it does not load without a
    /// journal.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<WriteRun>", extend("x-if-left-out" = "`before-answer` for an audit that fails closed, where there is a journal; else `after-answer`"))]
    pub(super) write_run: Option<WriteRun>,
    /// `enforce`, or `audit`: its answers are recorded and have no effect.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Mode>", extend("default" = Mode::default()))]
    pub(super) mode: Option<Mode>,
    /// The share of sessions in which its answers count, with the mode `enforce`: more than 0, at most 1. In the others
    /// it runs in audit mode. Which sessions these are follows from the hook's id and the id of the outermost agent's
    /// session.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0, "x-if-left-out" = "all sessions"))]
    pub(super) share: Option<f64>,
    /// Its limits, where they differ from `[defaults.limits]`.
    pub(super) limits: Limits,
    /// What it may import, answer and contribute.
    #[schemars(transform = without_default)]
    pub(super) grants: Grants,
    /// The hook's configuration. If the hook gives a schema of it, the table must fit the schema. A hook that reads no
    /// configuration must have none.
    #[schemars(extend("x-if-left-out" = "nothing"))]
    pub(super) config: serde_json::Map<String, serde_json::Value>,
}

/// `command` and `points` are required; that they are there is checked with the rest, so that
/// every mistake is found at once.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Script {
    /// The program and its arguments. It runs in the hooks directory; a path with a slash begins
    /// there, a bare name is looked up in `PATH`.
    #[schemars(extend("x-if-left-out" = "required"))]
    pub(super) command: Option<Vec<String>>,
    /// The points it serves, at least one.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<PointId>", extend("x-if-left-out" = "required"))]
    pub(super) points: Option<Vec<PointId>>,
    /// Whether the hook is enabled.
    #[schemars(extend("default" = true))]
    pub(super) enabled: Option<bool>,
    /// Low runs first at forward points, high first at reverse ones.
    #[schemars(extend("default" = 100))]
    pub(super) priority: Option<i32>,
    /// Ids of the hooks that must run before it.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub(super) after: Option<Vec<String>>,
    /// What it may answer. Exit codes cannot say more than a `gate` may.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<HookRole>", extend("default" = "gate"))]
    pub(super) role: Option<HookRole>,
    /// What its failure means.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<FailurePolicy>", extend("x-if-left-out" = "by role: `observe` opens, others close"))]
    pub(super) failure: Option<FailurePolicy>,
    /// `enforce`, or `audit`: its answers are recorded and have no effect.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Mode>", extend("default" = Mode::default()))]
    pub(super) mode: Option<Mode>,
    /// The share of sessions in which its answers count, with the mode `enforce`: more than 0, at most 1. In the others
    /// it runs in audit mode. Which sessions these are follows from the hook's id and the id of the outermost agent's
    /// session.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0, "x-if-left-out" = "all sessions"))]
    pub(super) share: Option<f64>,
    /// How the agent waits for it. With `fire-and-record` and `background` it must be an observer.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<ExecutionPolicy>", extend("default" = "blocking"))]
    pub(super) execution: Option<ExecutionPolicy>,
    /// When the start of its runs is in the journal, as for other hooks. With `before-answer` it does not
    /// load without a journal.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<WriteRun>", extend("default" = WriteRun::default()))]
    pub(super) write_run: Option<WriteRun>,
    /// What it may contribute.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<ContributionKind>", extend("x-if-left-out" = "nothing"))]
    pub(super) contribute: Option<Vec<ContributionKind>>,
    /// Milliseconds that one call may take. After that the process and all that it started are
    /// killed.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = ScriptCommand::TIMEOUT.as_millis() as u64))]
    pub(super) timeout_ms: Option<i64>,
    /// Bytes that it may write to its standard output, and to its standard error.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = ScriptCommand::MAX_OUTPUT_BYTES))]
    pub(super) max_output_bytes: Option<i64>,
    /// Environment variables for it, in addition to the host's `PATH` and the like.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub(super) env: BTreeMap<String, String>,
    /// The views that it is given.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<View>", extend("x-if-left-out" = "`defaults.views`"))]
    pub(super) views: Option<Vec<View>>,
}

/// The keys of a table have defaults of their own.
fn without_default(schema: &mut schemars::Schema) {
    schema.remove("default");
}
