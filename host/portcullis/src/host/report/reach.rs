//! What a hook can see, change and reach, in plain words, and whether it could carry what it sees out.

use std::collections::BTreeSet;

use serde::Serialize;

use super::HookReport;
use crate::model::points::AnswerKind;
use crate::model::view::View;
use crate::sandbox::capabilities::{HttpRule, Permission};

/// What a hook can see, change and reach.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Reach {
    /// What it can read.
    pub see: Vec<String>,
    /// What it can change or decide.
    pub change: Vec<String>,
    /// What it can reach outside of its calls.
    pub reach: Vec<String>,
}

/// A hook reads what is private and may also send data out: it could carry what it reads out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExfiltrationRisk {
    /// What it reads.
    pub reads: Vec<String>,
    /// Where it could send it.
    pub sends: Vec<String>,
}

impl std::fmt::Display for ExfiltrationRisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "could carry what it reads out: it reads {}, and writes to {}",
            self.reads.join(", "),
            self.sends.join(", ")
        )
    }
}

impl HookReport {
    /// What the hook can see, change and reach, in plain words.
    pub fn reach(&self) -> Reach {
        let mut reach = Reach {
            see: vec!["the facts of its calls: names, sizes, counts".into()],
            change: self.changes(),
            reach: Vec::new(),
        };
        for import in &self.imports {
            let lets = || import.capability.lets.to_owned();
            match import.capability.permission {
                Permission::None
                | Permission::Answers(_)
                | Permission::Directories
                | Permission::Http => {}
                Permission::View(_) => reach.see.push(lets()),
                Permission::Secrets => reach
                    .see
                    .push(named("read the secrets", &self.grants.secrets)),
                Permission::State => reach.change.push(lets()),
                Permission::SharedState => {
                    reach.reach.push(named(&lets(), &self.grants.shared_state));
                }
                Permission::Events => reach.reach.push(lets()),
            }
        }
        if self.has_files() {
            for (what, dirs) in [
                ("read files in", &self.grants.read),
                ("read and write files in", &self.grants.write),
            ] {
                if !dirs.is_empty() {
                    reach.reach.push(format!("{what} {}", dirs.join(", ")));
                }
            }
        }
        if self.imports_http() {
            let servers = self.grants.http.iter();
            reach
                .reach
                .extend(servers.map(|rule| format!("send requests: {rule}")));
        }
        reach
    }

    /// What it reads and where it could send it, if it does both. Of a hook that is disabled
    /// nothing.
    pub fn exfiltration_risk(&self) -> Option<ExfiltrationRisk> {
        let (mut reads, mut sends) = (Vec::new(), Vec::new());
        for import in &self.imports {
            match import.capability.permission {
                Permission::View(view @ (View::Content | View::Conversation | View::ToolData)) => {
                    reads.push(view.name().to_owned())
                }
                Permission::Secrets => reads.push(named("secrets", &self.grants.secrets)),
                Permission::SharedState => {
                    sends.push(named("shared-state", &self.grants.shared_state));
                }
                Permission::Events => sends.push("events".to_owned()),
                _ => {}
            }
        }
        if self.has_files() && !self.grants.write.is_empty() {
            sends.push(named("the directories", &self.grants.write));
        }
        if self.imports_http() && !self.grants.http.is_empty() {
            let servers: Vec<String> = self.grants.http.iter().map(HttpRule::server).collect();
            sends.push(named("servers", &servers));
        }
        let both = self.enabled && !reads.is_empty() && !sends.is_empty();
        both.then_some(ExfiltrationRisk { reads, sends })
    }

    fn has_files(&self) -> bool {
        let mut imports = self.imports.iter();
        imports.any(|import| import.capability.permission == Permission::Directories)
    }

    /// What its answers can do at its points. What the role does not allow is left out.
    fn changes(&self) -> Vec<String> {
        use AnswerKind::{
            Answer, Ask, GiveUp, KeepGoing, Reject, Replace, Retry, Stop, SwitchProvider, Transform,
        };
        let at = |what: &str, kinds: &[AnswerKind]| {
            let may = |kinds_there: &BTreeSet<AnswerKind>| {
                let allowed = |kind: &&AnswerKind| self.role.allows(kind.role());
                kinds
                    .iter()
                    .filter(allowed)
                    .any(|kind| kinds_there.contains(kind))
            };
            let points = self.answers.iter().filter(|(_, there)| may(there));
            let points: Vec<&str> = points.map(|(point, _)| point.name()).collect();
            (!points.is_empty()).then(|| format!("{what}: {}", points.join(", ")))
        };
        let can = [
            at("change what passes", &[Transform, Replace]),
            at("answer in place of the operation", &[Answer]),
            at(
                "say what follows a failed model call",
                &[Retry, SwitchProvider, GiveUp],
            ),
            at("continue a turn that would end", &[KeepGoing]),
            at("refuse", &[Reject]),
            at("have a person decide", &[Ask]),
            at("end the turn", &[Stop]),
        ];
        let can = can.into_iter().flatten();
        can.chain(self.contributions().map(str::to_owned)).collect()
    }
}

fn named(what: &str, names: &[String]) -> String {
    match names {
        [] => what.to_owned(),
        names => format!("{what} ({})", names.join(", ")),
    }
}
