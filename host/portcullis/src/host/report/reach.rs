//! A hook's reach in plain words: the data it can see, change and reach, and its exfiltration risk.

use std::collections::BTreeSet;

use serde::Serialize;

use super::HookReport;
use crate::model::points::AnswerKind;
use crate::sandbox::capabilities::{Access, named};
use crate::sandbox::info::in_use;

/// The data and services that a hook can see, change and reach.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Reach {
    /// The data that the hook can read.
    pub see: Vec<String>,
    /// The changes and decisions that the hook can make.
    pub change: Vec<String>,
    /// The services and stores that the hook can reach outside of its calls.
    pub reach: Vec<String>,
}

/// The exfiltration risk of a hook that reads private data and may also send data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExfiltrationRisk {
    /// The private data that the hook reads.
    pub reads: Vec<String>,
    /// The destinations to which the hook could send the data.
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
    /// Returns the hook's reach, in plain words.
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

    /// Returns the private data that the hook reads and the destinations of its data, if it has
    /// both. `None` for a disabled hook.
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

    /// Returns the effects of the hook's answers at its points. Answers that the role does not
    /// allow are omitted.
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
