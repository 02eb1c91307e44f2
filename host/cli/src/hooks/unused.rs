//! Grants that do nothing for a hook.

use std::path::Path;

use portcullis::report::HookReport;
use portcullis::settings::Grants;

/// What is said of grants that the hook does not use, and of directories that do not exist. Directories are relative to
/// `dir`.
pub fn notes(report: &HookReport, dir: &Path) -> Vec<String> {
    // What a hook without a table may do is not of its own.
    if report.to_name.is_some() {
        return Vec::new();
    }
    // Without `..`, so that whoever adds a key says here when it is granted.
    let Grants {
        views: _,
        answers: _,
        state,
        shared_state,
        agent_state_edit,
        events,
        secrets,
        read,
        write,
        http,
        model,
        contribute,
    } = &report.grants;
    let mut answers = report.answers.values().flatten();
    let contributes = answers.any(|kind| kind.contribution().is_some());
    let needs = |key| report.needs(key);
    let granted = [
        ("state", *state, needs("state")),
        (
            "shared-state",
            !shared_state.is_empty(),
            needs("shared-state"),
        ),
        (
            "agent-state-edit",
            !agent_state_edit.is_empty(),
            needs("agent-state-edit"),
        ),
        ("events", *events, needs("events")),
        ("secrets", !secrets.is_empty(), needs("secrets")),
        ("read", !read.is_empty(), needs("read")),
        ("write", !write.is_empty(), needs("write")),
        ("http", !http.is_empty(), needs("http")),
        ("model", model.is_some(), needs("model")),
        (
            "contribute",
            contribute.as_ref().is_some_and(|kinds| !kinds.is_empty()),
            contributes,
        ),
    ];
    let mut notes: Vec<String> = granted
        .into_iter()
        .filter(|(_, is_granted, is_used)| *is_granted && !is_used)
        .map(|(key, ..)| format!("does not use the grant `{key}`; remove it"))
        .collect();
    let used = [("read", read), ("write", write)].into_iter();
    for (key, paths) in used.filter(|(key, _)| needs(key)) {
        for path in paths.iter().filter(|path| !dir.join(path).is_dir()) {
            notes.push(format!(
                "has the directory {path} in the grant `{key}`, which does not exist; create it, or correct the path"
            ));
        }
    }
    notes
}
