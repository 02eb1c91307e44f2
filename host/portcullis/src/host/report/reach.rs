//! What a hook can see, change and reach, in plain words, and whether it could exfiltrate what it reads.

use std::collections::BTreeSet;

use serde::Serialize;

use super::HookReport;
use crate::model::points::AnswerKind;
use crate::sandbox::capabilities::{Access, named};
use crate::sandbox::info::in_use;

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

/// A hook reads what is private and may also send data: it could exfiltrate what it reads.
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
            "could exfiltrate what it reads: it reads {}, and writes to {}",
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
        for capability in in_use(&self.imports) {
            let names = capability.permission.granted_names(&self.grants);
            let text = named(capability.description, &names);
            match capability.access {
                Access::See => reach.see.push(text),
                Access::Change => reach.change.push(text),
                Access::Reach => reach.reach.push(text),
            }
        }
        reach
    }

    /// What it reads and where it could send it, if it does both. Of a hook that is disabled
    /// nothing.
    pub fn exfiltration_risk(&self) -> Option<ExfiltrationRisk> {
        let capabilities = || in_use(&self.imports);
        let reads: Vec<String> = capabilities()
            .filter_map(|it| (it.reads)(&self.grants))
            .collect();
        let sends: Vec<String> = capabilities()
            .filter_map(|it| (it.sends)(&self.grants))
            .collect();
        let both = self.enabled && !reads.is_empty() && !sends.is_empty();
        both.then_some(ExfiltrationRisk { reads, sends })
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
