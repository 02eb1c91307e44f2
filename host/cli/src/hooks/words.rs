//! A hook's report in words.

use portcullis::points::PointId;
use portcullis::report::{Failure, Role};
use portcullis::{HookReport, Mode, Permission};

/// What a role lets a hook answer.
pub fn role(role: Role) -> &'static str {
    match role {
        Role::Gate => "gate",
        Role::Transform => "transform",
        Role::Observe => "observe",
    }
}

/// What a failure means.
pub fn failure(failure: Failure) -> &'static str {
    match failure {
        Failure::FailOpen => "open",
        Failure::FailClosed => "closed",
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

/// What a hook imports beyond what is inert, by the names of the grants.
pub fn uses(report: &HookReport) -> Vec<String> {
    report
        .imports
        .iter()
        .filter_map(|import| match import.capability.permission {
            Permission::None | Permission::Answers(_) => None,
            Permission::View(view) => Some(view.name().to_owned()),
            Permission::State => Some("state".to_owned()),
            Permission::SharedState => Some(format!(
                "shared-state: {}",
                report.grants.shared_state.join(", ")
            )),
            Permission::Directories => {
                let list = |what: &str, dirs: &[String]| match dirs {
                    [] => None,
                    dirs => Some(format!("{}: {}", what, dirs.join(", "))),
                };
                let grants = &report.grants;
                let (read, write) = (list("read", &grants.read), list("write", &grants.write));
                (import.capability.interface == "wasi:filesystem/types")
                    .then(|| read.into_iter().chain(write).collect::<Vec<_>>().join("; "))
            }
            Permission::Http => {
                let rules = report.grants.http.iter().map(ToString::to_string);
                (import.capability.interface == "wasi:http/outgoing-handler")
                    .then(|| format!("http: {}", rules.collect::<Vec<_>>().join("; ")))
            }
            Permission::Secrets => Some(format!("secrets: {}", report.grants.secrets.join(", "))),
            Permission::Events => Some("events".to_owned()),
        })
        .collect()
}
