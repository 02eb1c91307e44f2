//! A hook's report in words.

use portcullis::contract::{FailurePolicy, HookRole};
use portcullis::hooks::Mode;
use portcullis::points::PointId;
use portcullis::report::HookReport;

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
pub fn runs(enabled: bool, mode: Mode) -> &'static str {
    match (enabled, mode) {
        (false, _) => "no",
        (true, Mode::Enforce) => "yes",
        (true, Mode::Audit) => "audit only",
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
