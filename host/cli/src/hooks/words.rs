//! A hook's report in words.

use portcullis::contract::{FailurePolicy, HookRole};
use portcullis::hooks::{Mode, Share};
use portcullis::points::PointId;
use portcullis::report::HookReport;

use crate::terminal::Printable;
use crate::terminal::format::printable;

/// Returns the name of a role.
pub fn role(role: HookRole) -> &'static str {
    match role {
        HookRole::Gate => "gate",
        HookRole::Transform => "transform",
        HookRole::Observe => "observe",
    }
}

/// Returns the name of a failure policy.
pub fn failure(failure: FailurePolicy) -> &'static str {
    match failure {
        FailurePolicy::FailOpen => "open",
        FailurePolicy::FailClosed => "closed",
    }
}

/// Returns whether a hook runs, and whether its answers count.
pub fn runs(enabled: bool, mode: Mode, share: Option<Share>) -> Printable {
    match (enabled, mode, share) {
        (false, _, _) => "no".into(),
        (true, Mode::Enforce, None) => "yes".into(),
        (true, Mode::Enforce, Some(share)) => printable!("in {} of sessions, else audit", share),
        (true, Mode::Audit, _) => "audit only".into(),
    }
}

/// Returns the answers that a hook may give at a point: those that it imports and its role allows.
pub fn may_answer(report: &HookReport, point: PointId) -> Vec<&'static str> {
    let answers = report.answers.get(&point);
    let allowed = answers
        .into_iter()
        .flatten()
        .filter(|kind| report.role.allows(kind.role()));
    std::iter::once("continue")
        .chain(allowed.map(|kind| kind.name()))
        .collect()
}
