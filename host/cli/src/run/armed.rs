//! The hooks that are armed when a session starts, and those that are not: a guard that does not
//! run must be reported.

use portcullis::Hooks;
use portcullis::hooks::{LoadError, Mode};
use portcullis::report::Sort;
use portcullis_agent_file::LoadedHooks;
use schemars::JsonSchema;
use serde::Serialize;

use crate::hooks::capped_note;

/// The hooks and tools at the start of a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Armed {
    /// Hooks whose answers take effect.
    pub armed: Vec<String>,
    /// Hooks whose answers take effect in a share of sessions, and are recorded only in the others.
    pub canary: Vec<String>,
    /// Hooks whose answers are recorded only.
    pub audit_only: Vec<String>,
    /// Hooks that are disabled.
    pub off: Vec<String>,
    /// Scripts, which run outside the sandbox.
    pub outside: Vec<String>,
    /// Hooks that did not load and were left out, with the reason.
    pub broken: Vec<String>,
    /// Hooks that differ from hooks.lock and were loaded nevertheless.
    pub unpinned: Vec<String>,
    /// Hooks that read private data and may also send data out.
    pub exfiltration_risk: Vec<String>,
    /// Hooks that hooks.toml does not name: they are capped, and run after all others.
    pub capped: Vec<String>,
    /// Whether the operator disabled all hooks.
    pub no_hooks: bool,
    /// The tools that may run.
    pub tools: Vec<String>,
}

/// Reports the hooks and tools of the agent and its sub-agents.
pub fn report(hooks: &LoadedHooks, tools: &[String], no_hooks: bool) -> Armed {
    let mut armed = Armed {
        armed: Vec::new(),
        canary: Vec::new(),
        audit_only: Vec::new(),
        off: Vec::new(),
        outside: Vec::new(),
        broken: Vec::new(),
        unpinned: Vec::new(),
        exfiltration_risk: Vec::new(),
        capped: Vec::new(),
        no_hooks,
        tools: tools.to_vec(),
    };
    for hooks in hooks.all() {
        armed.add(hooks);
    }
    armed
}

impl Armed {
    fn add(&mut self, hooks: &Hooks) {
        self.broken.extend(texts(&hooks.broken()));
        self.unpinned.extend(texts(&hooks.unpinned()));
        self.exfiltration_risk.extend(risks(hooks));
        self.capped.extend(capped(hooks));
        for hook in hooks.summaries() {
            let id = hook.id.to_string();
            match (hook.enabled, hook.mode, hook.share) {
                (false, _, _) => self.off.push(id),
                (true, Mode::Audit, _) => self.audit_only.push(id),
                (true, Mode::Enforce, None) => self.armed.push(id),
                (true, Mode::Enforce, Some(share)) => self.canary.push(format!("{id} ({share})")),
            }
            if hook.sort == Sort::Script && hook.enabled {
                self.outside.push(hook.id.to_string());
            }
        }
    }
}

fn texts(errors: &[LoadError]) -> Vec<String> {
    let texts = errors.iter().map(ToString::to_string);
    texts.collect()
}

fn capped(hooks: &Hooks) -> Vec<String> {
    let reports = hooks.reports();
    let notes = reports.iter().filter_map(|report| {
        let note = capped_note(report)?;
        Some(format!("{} {note}", report.id))
    });
    notes.collect()
}

fn risks(hooks: &Hooks) -> Vec<String> {
    let reports = hooks.reports();
    let risks = reports.iter().filter_map(|report| {
        let risk = report.exfiltration_risk()?;
        Some(format!("{} {risk}", report.id))
    });
    risks.collect()
}
