//! The text about answers that a hook imports and its role does not allow.

use std::collections::BTreeSet;

use portcullis::points::AnswerKind;
use portcullis::report::HookReport;

use super::words;

/// Returns the note about a hook whose role in `hooks.toml` is lower than its answers need; `None`
/// for any other hook.
pub fn note(report: &HookReport) -> Option<String> {
    let imported = report.answers.values().flatten();
    let above = imported.filter(|kind| !report.role.allows(kind.role()));
    let above: BTreeSet<&AnswerKind> = above.collect();
    if above.is_empty() {
        return None;
    }
    let names: Vec<&str> = above.iter().map(|kind| kind.name()).collect();
    Some(format!(
        "imports answers that its role `{}` does not allow: {}; such an answer is a failure: remove `role`; to \
         record its answers without effect, write mode = \"audit\" in its place",
        words::role(report.role),
        names.join(", ")
    ))
}
