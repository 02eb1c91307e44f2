//! The shape of `hooks.toml`. The doc comments of the keys are the text of the reference and of the
//! [`schema`](super::schema()) for editors.

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
    /// Settings of the engine, the same for all hooks of a host.
    pub(super) engine: Engine,
    /// The budget of all components together in one turn of a session. Guards have one budget, and
    /// observers another of the same size. Detached runs do not count, and there is no such budget
    /// outside of turns.
    pub(super) turn: Turn,
    /// Settings for quarantine: a component that keeps failing is not called for a while. Its calls
    /// then fail immediately, under its own failure policy: a guard that fails closed continues to
    /// refuse.
    pub(super) quarantine: Quarantine,
    /// The rules for loading files of the hooks directory.
    pub(super) integrity: Integrity,
    /// The requirements of `portcullis add` and `update` for a component that they fetch.
    pub(super) trust: Trust,
    /// Settings for recording calls in `portcullis serve`, `portcullis hook` and
    /// `portcullis mcp-proxy`. If the table exists, they record calls in the store of their runs.
    /// Agents have their own `[stores]` in `agent.toml`.
    #[schemars(extend("x-if-left-out" = "calls are recorded with `--record`"))]
    pub(super) recording: Option<RecordingTable>,
    /// The alerts of `portcullis serve` and `portcullis mcp-proxy`. Agents have `[[alerts]]` in
    /// `agent.toml`.
    pub(super) alerts: Alerts,
    /// The destination of spans and metrics of `portcullis serve`, `portcullis hook` and
    /// `portcullis mcp-proxy`. Agents have their own table in `agent.toml`.
    pub(super) telemetry: Option<TelemetryTable>,
    /// Settings for the requests of all hooks.
    pub(super) http: Http,
    /// Settings for hooks that have none of their own.
    pub(super) defaults: Defaults,
    /// The maximum permissions of a component that has no `[hooks.ID]` table.
    pub(super) unnamed: Unnamed,
    /// Settings for one hook, by its id. They override the author's declaration.
    pub(super) hooks: BTreeMap<String, Hook>,
    /// A hook that is a command, by its id. It runs outside of the sandbox, with all permissions of
    /// its user.
    pub(super) scripts: BTreeMap<String, Script>,
    /// The location of a secret, by its name: one of the two keys.
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
    /// The file with the `[[alerts]]`, such as an `agent.toml`, relative to the hooks directory.
    /// Other tables in the file are ignored. `--alerts` overrides this file.
    #[schemars(extend("x-if-left-out" = "nobody is alerted"))]
    pub(super) file: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Engine {
    /// The interval at which deadlines are checked, in milliseconds. An endless loop ends at most
    /// two ticks after its deadline.
    #[schemars(range(min = 1, max = 1_000), extend("default" = EngineOptions::default().tick.as_millis() as u64))]
    pub(super) tick_ms: Option<i64>,
    /// Whether fuel is counted. Without fuel, hooks compute 18-43 % faster, and only the deadline,
    /// which is less exact, stops them.
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
    /// Concurrent component calls, over all sessions. Observers and unnamed hooks get at most half
    /// of them, and detached runs at most a quarter (and 64). The rest is reserved for guards.
    #[schemars(range(min = 1, max = MOST_CALLS), extend("default" = EngineOptions::default().concurrent_calls))]
    pub(super) concurrent_calls: Option<i64>,
    /// Guard calls that may wait for a running call to end, within their own `wall-ms`, and as many
    /// observer calls. A call beyond that fails with the cause `overload`.
    #[schemars(range(min = 1, max = MOST_CALLS), extend("default" = EngineOptions::default().queued_calls))]
    pub(super) queued_calls: Option<i64>,
    /// Bytes of memory that all instances of all sessions may have together: their memories,
    /// touched or not, and the host's data for their handles. If there are not enough, idle
    /// instances are evicted and start again at their next call. Observers and unnamed hooks get at
    /// most half, and a quarter is reserved for instances of at most 8 MiB. A call that would need
    /// more fails with the cause `overload`.
    #[schemars(range(min = 1, max = MOST), extend("default" = EngineOptions::default().memory_bytes))]
    pub(super) memory_bytes: Option<i64>,
    /// Memory mappings that all instances of all sessions may have together: five for an instance
    /// of a hook in Rust, and two more if it can wait. If there are not enough, idle instances are
    /// evicted and start again at their next call. Observers, unnamed hooks and components with
    /// more than 64 mappings get at most half. A call that would need more fails with the cause
    /// `overload`. The maximum and the default are three quarters of the kernel's limit for a
    /// process.
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
    /// Seconds until one call tries the component again.
    #[schemars(range(min = 1, max = LONGEST_MS / 1_000), extend("default" = QuarantineOptions::default().period.as_secs()))]
    pub(super) seconds: Option<i64>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Http {
    /// Certificate files (PEM) of authorities to trust in addition to the web's. Paths are relative
    /// to the hooks directory.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub(super) roots: Vec<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Defaults {
    /// Limits for all hooks.
    pub(super) limits: Limits,
    /// The views that hooks may import. A hook sees only the views that it imports.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<View>", extend("x-if-left-out" = "all"))]
    pub(super) views: Option<Vec<View>>,
    /// The answers that hooks may import. A hook may give only the answers that it imports.
    /// Contributions (`add-…`) are granted to each hook by `contribute`.
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
    /// The priority: low runs first at forward points, high first at reverse points.
    #[schemars(extend("x-if-left-out" = "the author's, else 100"))]
    pub(super) priority: Option<i32>,
    /// Ids of the hooks that must run before this one, in place of those that the author declares.
    #[schemars(extend("x-if-left-out" = "the author's"))]
    pub(super) after: Option<Vec<String>>,
    /// The role, in place of the one that follows from the imported answers: a `gate` continues or
    /// refuses, a hook of the role `transform` may give every answer, and one of the role `observe`
    /// decides nothing. An answer that the role does not allow is a failure.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<HookRole>", extend("x-if-left-out" = "by its imports"))]
    pub(super) role: Option<HookRole>,
    /// The failure policy: `fail-open` treats a failure as if the hook had continued, `fail-closed`
    /// as if it had refused.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<FailurePolicy>", extend("x-if-left-out" = "the author's, else by role: `observe` opens, others close"))]
    pub(super) failure: Option<FailurePolicy>,
    /// The execution policy. The agent waits for a `blocking` hook until it answers, for a
    /// `deadline` hook until its deadline, and not at all for `fire-and-record` and `background`. A
    /// hook with one of the last two must be an observer.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<ExecutionPolicy>", extend("x-if-left-out" = "the author's"))]
    pub(super) execution: Option<ExecutionPolicy>,
    /// The effect of the hook's policies on earlier policies of the same domain: `narrow`, so that
    /// both apply, or `replace`.
    pub(super) policies: Policies,
    /// The lifetime of an instance: as long as its `session`, for one `call`, or `shared` by all
    /// sessions, as long as the host. A shared hook can read in one session the data that it keeps
    /// in memory of another. An instance that traps ends immediately, and an idle instance ends if
    /// the host needs its memory or its memory mappings. Data that must not be lost belongs in the
    /// hook's state.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Isolation>", extend("default" = Isolation::default()))]
    pub(super) isolation: Option<Isolation>,
    /// The time at which the hook's own state is written to the host's store, if there is one:
    /// `after-answer`, so that a crash may lose the last calls; `before-answer`, so that an answer
    /// counts only once the store has the call's writes, and a store failure is a hook failure; or
    /// `never`, so that the state is lost when the process ends. Shared state is always written
    /// before the answer.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<WriteState>", extend("default" = WriteState::default()))]
    pub(super) write_state: Option<WriteState>,
    /// The time at which the start of a run is written to the journal: `after-answer`, so that a
    /// crash may lose the last runs; or `before-answer`, so that an answer counts only once the
    /// journal has its run, and a journal failure is a hook failure. With `before-answer`, the hook
    /// does not load without a journal.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<WriteRun>", extend("x-if-left-out" = "`before-answer` for an audit that fails closed, where there is a journal; else `after-answer`"))]
    pub(super) write_run: Option<WriteRun>,
    /// `enforce`, or `audit`: the hook's answers are recorded and have no effect.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Mode>", extend("default" = Mode::default()))]
    pub(super) mode: Option<Mode>,
    /// The share of sessions in which the hook's answers count, with the mode `enforce`: more than
    /// 0, at most 1. In the other sessions the hook runs in audit mode. The hook's id and the id of
    /// the outermost agent's session determine the sessions.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0, "x-if-left-out" = "all sessions"))]
    pub(super) share: Option<f64>,
    /// The hook's limits that differ from `[defaults.limits]`.
    pub(super) limits: Limits,
    /// The imports, answers and contributions that the hook may use.
    #[schemars(transform = without_default)]
    pub(super) grants: Grants,
    /// The hook's configuration. If the hook provides a schema, the table must match it. A hook
    /// that reads no configuration must have none.
    #[schemars(extend("x-if-left-out" = "nothing"))]
    pub(super) config: serde_json::Map<String, serde_json::Value>,
}

/// `command` and `points` are required. A missing key is reported with all other errors.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Script {
    /// The program and its arguments. The program runs in the hooks directory. A path with a slash
    /// is relative to that directory; a bare name is looked up in `PATH`.
    #[schemars(extend("x-if-left-out" = "required"))]
    pub(super) command: Option<Vec<String>>,
    /// The points that the script serves, at least one.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<PointId>", extend("x-if-left-out" = "required"))]
    pub(super) points: Option<Vec<PointId>>,
    /// Whether the hook is enabled.
    #[schemars(extend("default" = true))]
    pub(super) enabled: Option<bool>,
    /// The priority: low runs first at forward points, high first at reverse points.
    #[schemars(extend("default" = 100))]
    pub(super) priority: Option<i32>,
    /// Ids of the hooks that must run before this one.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub(super) after: Option<Vec<String>>,
    /// The role, which limits the answers. Exit codes cannot express more than a `gate` may answer.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<HookRole>", extend("default" = "gate"))]
    pub(super) role: Option<HookRole>,
    /// The failure policy.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<FailurePolicy>", extend("x-if-left-out" = "by role: `observe` opens, others close"))]
    pub(super) failure: Option<FailurePolicy>,
    /// `enforce`, or `audit`: the hook's answers are recorded and have no effect.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Mode>", extend("default" = Mode::default()))]
    pub(super) mode: Option<Mode>,
    /// The share of sessions in which the hook's answers count, with the mode `enforce`: more than
    /// 0, at most 1. In the other sessions the hook runs in audit mode. The hook's id and the id of
    /// the outermost agent's session determine the sessions.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0, "x-if-left-out" = "all sessions"))]
    pub(super) share: Option<f64>,
    /// The execution policy: how the agent waits for the script. With `fire-and-record` and
    /// `background`, the script must be an observer.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<ExecutionPolicy>", extend("default" = "blocking"))]
    pub(super) execution: Option<ExecutionPolicy>,
    /// The time at which the start of a run is written to the journal, as for other hooks. With
    /// `before-answer`, the script does not load without a journal.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<WriteRun>", extend("default" = WriteRun::default()))]
    pub(super) write_run: Option<WriteRun>,
    /// The contributions that the script may make.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<ContributionKind>", extend("x-if-left-out" = "nothing"))]
    pub(super) contribute: Option<Vec<ContributionKind>>,
    /// Milliseconds that one call may take. After that, the process and all processes that it
    /// started are killed.
    #[schemars(range(min = 1, max = LONGEST_MS), extend("default" = ScriptCommand::TIMEOUT.as_millis() as u64))]
    pub(super) timeout_ms: Option<i64>,
    /// Bytes that the script may write to its standard output, and to its standard error.
    #[schemars(range(min = 1, max = MOST_BYTES), extend("default" = ScriptCommand::MAX_OUTPUT_BYTES))]
    pub(super) max_output_bytes: Option<i64>,
    /// Environment variables for the script, in addition to the host's `PATH` and the like.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub(super) env: BTreeMap<String, String>,
    /// The views that the script receives.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<View>", extend("x-if-left-out" = "`defaults.views`"))]
    pub(super) views: Option<Vec<View>>,
}

/// Removes the default of a table, since its keys have their own defaults.
fn without_default(schema: &mut schemars::Schema) {
    schema.remove("default");
}
