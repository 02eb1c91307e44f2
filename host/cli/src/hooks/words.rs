//! A hook's report in words.

use portcullis::contract::{FailurePolicy, HookRole};
use portcullis::hooks::{Mode, Share};
use portcullis::points::PointId;
use portcullis::report::HookReport;

use crate::terminal::Printable;
use crate::terminal::format::printable;

/// What a role lets a hook answer.
pub fn role(role: HookRole) -> &'static str {
    match role {
        HookRole::Gate => "gate",
        HookRole::Transform => "transform",
        HookRole::Observe => "observe",
    }
}

/// What a failure means.
pub fn failure(failure: FailurePolicy) -> &'static str {
    match failure {
        FailurePolicy::FailOpen => "open",
        FailurePolicy::FailClosed => "closed",
    }
}

/// Whether a hook runs, and whether its answers count.
pub fn runs(enabled: bool, mode: Mode, share: Option<Share>) -> Printable {
    match (enabled, mode, share) {
        (false, _, _) => "no".into(),
        (true, Mode::Enforce, None) => "yes".into(),
        (true, Mode::Enforce, Some(share)) => printable!("in {} of sessions, else audit", share),
        (true, Mode::Audit, _) => "audit only".into(),
    }
}

/// What a hook may answer at a point: what it imports, as far as its role allows it.
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
