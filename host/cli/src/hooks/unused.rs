//! Grants that do nothing for a hook.

use std::collections::BTreeSet;
use std::path::Path;

use portcullis::capabilities::{Permission, View};
use portcullis::points::AnswerKind;
use portcullis::report::HookReport;
use portcullis::settings::Grants;

/// Returns notes about grants that the hook does not use, entries of `views` and `answers` that it
/// does not import, and directories that do not exist. Directories are relative to `dir`.
pub fn notes(report: &HookReport, dir: &Path) -> Vec<String> {
    // A hook without a table has the defaults, not grants of its own.
    if report.to_name.is_some() {
        return Vec::new();
    }
    // Without `..`, so that adding a key is a compile error until this function handles it.
    let Grants {
        views,
        answers,
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
    let imports = report.imports.iter();
    let imported_views = imports.filter_map(|import| match import.capability.permission {
        Permission::View(view) => Some(view),
        _ => None,
    });
    let imported_views: BTreeSet<View> = imported_views.collect();
    let imported_answers = report.answers.values().flatten().copied();
    let imported_answers: BTreeSet<AnswerKind> = imported_answers.collect();
    let mut kinds = imported_answers.iter();
    let contributes = kinds.any(|kind| kind.contribution().is_some());
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
    let views = views.iter().flatten();
    let views = views.filter(|view| !imported_views.contains(*view));
    let views = views.map(|view| ("views", view.name()));
    let answers = answers.iter().flatten();
    let answers = answers.filter(|kind| !imported_answers.contains(*kind));
    let answers = answers.map(|kind| ("answers", kind.name()));
    for (key, entry) in views.chain(answers) {
        notes.push(format!(
            "does not use `{entry}` in the grant `{key}`; remove it"
        ));
    }
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
