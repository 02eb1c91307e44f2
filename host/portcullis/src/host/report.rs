//! Reports on hooks, for people and for programs.

mod reach;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Serialize, Serializer};

use crate::contract::text::sanitize_for_terminal;
use crate::contract::{ContributionKind, ExecutionPolicy, FailurePolicy, HookRole};
use crate::host::member::Member;
use crate::load::config;
use crate::load::{
    About, LoadError, LoadFault, LoadedHook, LocatedHook, Pin, how_to_name, not_granted_imports,
};
use crate::model::hook::{HookId, Mode};
use crate::model::json;
use crate::model::limits::Limits;
use crate::model::points::{AnswerKind, PointId};
use crate::model::prompt;
use crate::model::share::Share;
use crate::model::verdict::Digest;
use crate::sandbox::capabilities::{CallMode, Grants};
use crate::sandbox::info::{self, Import, in_use};
use crate::sandbox::mappings;
use crate::settings::{Isolation, Settings, WriteRun, WriteState};

pub use reach::{ExfiltrationRisk, Reach};

/// A report on a component: its identity, its points, its imports and its effective settings.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct HookReport {
    /// The hook's id.
    pub id: HookId,
    /// The hook's version.
    pub version: String,
    /// The kind of hook that the author declares.
    pub kind: String,
    /// The description.
    pub description: String,
    /// The licence, and links to more information.
    pub about: About,
    /// The contract version that the component is built for.
    pub contract: String,
    /// The file.
    pub file: PathBuf,
    /// The file's digest.
    pub digest: Digest,
    /// The file's size in bytes.
    pub bytes: u64,
    /// The state of the component in `hooks.lock`.
    pub pin: Pin,
    /// The points that the hook serves.
    pub points: Vec<PointId>,
    /// The JSON schema of the configuration, if the hook provides one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config_schema: Option<serde_json::Value>,
    /// The errors in the configuration, according to the schema. An enabled hook does not load with
    /// any.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_texts")]
    pub config_errors: Vec<LoadError>,
    /// The imports.
    pub imports: Vec<Import>,
    /// The imports that the hook was not granted, each with the grant that would allow it.
    pub not_granted: Vec<String>,
    /// The names of the imports that the hook was not granted. A point's answers are among them if
    /// one imported answer was not granted.
    pub not_granted_imports: Vec<String>,
    /// The revoked grants that the hook uses, as written in `hooks.toml`. The hook's file no longer
    /// loads, and the hook is not called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub revoked: Vec<String>,
    /// Whether `hooks.toml` does not name the hook, so that `[unnamed]` caps it and it runs after
    /// all named hooks.
    pub capped: bool,
    /// Whether the hook is not loaded because `hooks.toml` does not name it and `[unnamed]` refuses
    /// unnamed hooks.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
    /// The instructions to add a table to `hooks.toml`, if the hook has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_name: Option<String>,
    /// Whether the hook is enabled.
    pub enabled: bool,
    /// The role, which limits the answers.
    pub role: HookRole,
    /// The answers that the hook imports, by point. It can give no others.
    pub answers: BTreeMap<PointId, BTreeSet<AnswerKind>>,
    /// The failure policy.
    #[serde(serialize_with = "json::serialize")]
    pub failure: FailurePolicy,
    /// The mode: whether the answers count.
    pub mode: Mode,
    /// The share of sessions in which the answers count; `None` if they count in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
    /// The priority; low runs first.
    pub priority: i32,
    /// The hooks that run before this one.
    pub after: Vec<String>,
    /// The execution policy: how the agent waits for the hook.
    #[serde(serialize_with = "json::serialize")]
    pub execution: ExecutionPolicy,
    /// The names of the contributions that the hook may make.
    pub contributes: Vec<&'static str>,
    /// The lifetime of the hook's instances.
    pub isolation: Isolation,
    /// The time at which the hook's own state is written to the host's store.
    pub write_state: WriteState,
    /// The time at which the start of a run is written to the journal.
    pub write_run: WriteRun,
    /// Whether any import can wait.
    pub calling: CallMode,
    /// The limits.
    pub limits: Limits,
    /// The limits that all hooks share.
    pub shared: SharedReport,
    /// The grants.
    pub grants: Grants,
}

/// The limits that all hooks share, by their names in `hooks.toml`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SharedReport {
    /// `[turn] hooks-ms`.
    pub turn_hooks_ms: u128,
    /// `[turn] fuel`.
    pub turn_fuel: u64,
    /// `[engine] concurrent-calls`.
    pub concurrent_calls: usize,
    /// `[engine] queued-calls`.
    pub queued_calls: usize,
    /// `[engine] memory-bytes`.
    pub engine_memory_bytes: u64,
    /// The memory mappings that instances may have: `[engine] memory-mappings` or its default, at
    /// most the kernel's limit.
    pub engine_memory_mappings: u64,
    /// `[engine] compile-ms`.
    pub compile_ms: u128,
    /// `[engine] compile-memory-bytes`.
    pub compile_memory_bytes: u64,
    /// `[engine] component-bytes`.
    pub component_bytes: u64,
    /// `[quarantine] failures`.
    pub quarantine_failures: u32,
    /// `[quarantine] seconds`.
    pub quarantine_seconds: u64,
}

/// The memory mappings that the instances of a host share: see
/// [`EngineOptions::memory_mappings`](crate::limits::EngineOptions::memory_mappings).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct MappingUse {
    /// The number of mappings that instances may have.
    pub most: u64,
    /// The number of mappings in use, including those of compiled code.
    pub used: u64,
}

impl From<&Settings> for SharedReport {
    fn from(settings: &Settings) -> Self {
        Self {
            turn_hooks_ms: settings.turn.hooks.as_millis(),
            turn_fuel: settings.turn.fuel,
            concurrent_calls: settings.engine.concurrent_calls,
            queued_calls: settings.engine.queued_calls,
            engine_memory_bytes: settings.engine.memory_bytes,
            engine_memory_mappings: mappings::most(settings.engine.memory_mappings),
            compile_ms: settings.engine.compile.as_millis(),
            compile_memory_bytes: settings.engine.compile_memory_bytes,
            component_bytes: settings.engine.component_bytes,
            quarantine_failures: settings.quarantine.failures,
            quarantine_seconds: settings.quarantine.period.as_secs(),
        }
    }
}

impl HookReport {
    pub(crate) fn of<H: AsRef<LoadedHook>>(
        found: &LocatedHook<H>,
        not_granted: &[LoadFault],
        settings: &Settings,
    ) -> Self {
        let hook = found.hook.as_ref();
        let LoadedHook {
            descriptor,
            resolved,
            component,
            ..
        } = hook;
        let (info, setup) = (&component.info, &component.setup);
        let contributes = resolved.profile.contributes.iter().copied();
        Self {
            id: resolved.profile.id.clone(),
            version: sanitize_for_terminal(&descriptor.version),
            kind: sanitize_for_terminal(&descriptor.kind),
            description: sanitize_for_terminal(&descriptor.description),
            about: hook.about.clone(),
            contract: info.contract.to_string(),
            file: found.file.clone(),
            digest: hook.digest,
            bytes: hook.size,
            pin: found.pin,
            points: info.points.iter().collect(),
            config_schema: hook.config.as_ref().map(|config| config.as_json().clone()),
            config_errors: config::faults(&found.file, hook, settings),
            imports: info.imports.clone(),
            not_granted: not_granted.iter().map(ToString::to_string).collect(),
            not_granted_imports: not_granted_imports(&descriptor.id, info, settings),
            revoked: found.amended.revoked.clone(),
            capped: settings.caps(&descriptor.id),
            refused: settings.refuses(&descriptor.id),
            to_name: (!settings.hooks.contains_key(&descriptor.id))
                .then(|| how_to_name(&found.file, &descriptor.id, settings)),
            enabled: resolved.enabled && !found.amended.off,
            role: resolved.profile.role,
            answers: info.answers.clone(),
            failure: resolved.profile.failure,
            mode: resolved.profile.mode,
            share: resolved.profile.share,
            priority: resolved.priority,
            after: resolved.after.clone(),
            execution: resolved.profile.execution,
            contributes: contributes.map(prompt::kind_name).collect(),
            isolation: setup.isolation,
            write_state: setup.write_state,
            write_run: resolved.profile.write_run,
            calling: info.calling,
            limits: setup.limits.clone(),
            shared: settings.into(),
            grants: resolved.grants.as_ref().clone(),
        }
    }

    /// Returns the grants that the hook uses, by name: `content`, `state`, `secrets: KEY`,
    /// `contribute: note`.
    pub fn uses(&self) -> Vec<String> {
        let permissions = in_use(&self.imports).map(|capability| capability.permission);
        let granted = permissions.map(|it| it.granted(&self.grants).join("; "));
        granted.chain(self.granted_contributions()).collect()
    }

    /// Returns the granted contributions, by the name of the grant.
    fn granted_contributions(&self) -> Option<String> {
        let granted = self.grants.contribute.iter().flatten();
        let names = granted.map(|kind| prompt::kind_name(*kind));
        let names: Vec<&str> = names
            .filter(|name| self.contributes.contains(name))
            .collect();
        (!names.is_empty()).then(|| format!("contribute: {}", names.join(", ")))
    }

    /// Returns whether the hook can read its configuration.
    pub fn reads_config(&self) -> bool {
        info::reads_config(&self.imports)
    }

    /// Returns the errors in the defaults and examples of the configuration schema, each with its
    /// key.
    pub fn wrong_values(&self) -> Vec<String> {
        let schema = self.config_schema.as_ref();
        schema.map(config::wrong_values).unwrap_or_default()
    }

    /// Returns whether the hook has an import that this key of `[hooks.ID.grants]` allows.
    pub fn needs(&self, key: &str) -> bool {
        in_use(&self.imports).any(|capability| capability.permission.keys().contains(&key))
    }

    /// Returns the abilities that the hook's contributions give it, in plain words.
    fn contributions(&self) -> impl Iterator<Item = &'static str> {
        let declared = |kind: &ContributionKind| {
            let name = prompt::kind_name(*kind);
            self.contributes.contains(&name)
        };
        prompt::KINDS.into_iter().filter(declared).map(lets)
    }
}

/// A summary of a hook of any sort: its points and its effective settings.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct HookSummary {
    /// The hook's id.
    pub id: HookId,
    /// The sort of hook.
    pub sort: Sort,
    /// The points that the hook serves.
    pub points: Vec<PointId>,
    /// Whether `hooks.toml` does not name the hook: [`HookReport::capped`].
    pub capped: bool,
    /// Whether the hook is enabled.
    pub enabled: bool,
    /// Whether the hook is enabled but not called, because a grant that it uses was revoked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub revoked: bool,
    /// The role, which limits the answers.
    pub role: HookRole,
    /// The failure policy.
    #[serde(serialize_with = "json::serialize")]
    pub failure: FailurePolicy,
    /// The mode: whether the answers count.
    pub mode: Mode,
    /// The share of sessions in which the answers count; `None` if they count in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
    /// The priority; low runs first.
    pub priority: i32,
    /// The hooks that run before this one.
    pub after: Vec<String>,
    /// The execution policy: how the agent waits for the hook.
    #[serde(serialize_with = "json::serialize")]
    pub execution: ExecutionPolicy,
}

/// The sort of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sort {
    /// A component, in its sandbox.
    Component,
    /// Code of the embedder, in the embedder's process.
    Native,
    /// A command, with all permissions of its user.
    Script,
}

impl HookSummary {
    /// Returns the hook's mode in a session; `root` is the id of the outermost agent's session.
    pub fn mode_in(&self, root: &str) -> Mode {
        self.mode.within(self.share, self.id.as_str(), root)
    }

    pub(crate) fn of(member: &Member, sort: Sort) -> Self {
        let effective = &member.effective;
        let profile = &effective.profile;
        Self {
            id: profile.id.clone(),
            sort,
            points: member.points.iter().collect(),
            capped: effective.capped,
            enabled: effective.enabled,
            revoked: member.is_withheld(),
            role: profile.role,
            failure: profile.failure,
            mode: profile.mode,
            share: profile.share,
            priority: effective.priority,
            after: effective.after.clone(),
            execution: profile.execution,
        }
    }
}

/// Returns the ability that a contribution gives a hook, in plain words.
const fn lets(kind: ContributionKind) -> &'static str {
    match kind {
        ContributionKind::Policy => "set policies for the turn",
        ContributionKind::Context => "add to what the turn knows",
        ContributionKind::Section => "write parts of the prompt",
        ContributionKind::Tools => "offer tools of its own to the model",
        ContributionKind::Note => "leave remarks in the record",
        ContributionKind::Job => "leave work for the host's handlers",
    }
}

fn as_texts<S: Serializer>(errors: &[LoadError], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(errors.iter().map(ToString::to_string))
}
