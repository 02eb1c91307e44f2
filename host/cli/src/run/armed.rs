//! Which hooks are armed when a session starts, and which are not: a guard that does not run must
//! be reported.

use portcullis::Hooks;
use portcullis::hooks::{LoadError, Mode};
use portcullis::report::Sort;
use serde::Serialize;

use super::RunArgs;
use crate::hooks::capped_note;

/// What is armed when a session starts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Armed {
    /// Hooks whose answers take effect.
    pub armed: Vec<String>,
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
    /// Hooks that hooks.toml does not name: they are capped, and run behind all others.
    pub capped: Vec<String>,
    /// Whether the operator disabled all hooks.
    pub no_hooks: bool,
    /// The tools that may run.
    pub tools: Vec<String>,
}

/// What is armed.
pub fn report(hooks: &Hooks, tools: &[String], args: &RunArgs) -> Armed {
    let mut armed = Armed {
        armed: Vec::new(),
        audit_only: Vec::new(),
        off: Vec::new(),
        outside: Vec::new(),
        broken: texts(&hooks.broken()),
        unpinned: texts(&hooks.unpinned()),
        exfiltration_risk: risks(hooks),
        capped: capped(hooks),
        no_hooks: args.no_hooks,
        tools: tools.to_vec(),
    };
    for report in hooks.standings() {
        let list = match (report.enabled, report.mode) {
            (false, _) => &mut armed.off,
            (true, Mode::Audit) => &mut armed.audit_only,
            (true, Mode::Enforce) => &mut armed.armed,
        };
        list.push(report.id.to_string());
        if report.sort == Sort::Script && report.enabled {
            armed.outside.push(report.id.to_string());
        }
    }
    armed
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
