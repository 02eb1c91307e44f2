//! The grants for a hook's imports.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use anyhow::bail;
use clap::Args;
use portcullis::capabilities::{HttpRule, Permission, View};
use portcullis::completion::ModelGrant;
use portcullis::points::AnswerKind;
use portcullis::report::HookReport;
use portcullis::settings::Grants;

/// The grants whose values no import names: the operator gives them.
#[derive(Debug, Args)]
pub struct Extra {
    /// A secret that it may read, by its name in hooks.toml. May be repeated.
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,
    /// A server that it may send requests to, as hooks.toml writes it. May be repeated.
    #[arg(long, value_name = "RULE")]
    http: Vec<HttpRule>,
    /// A shared namespace that it may use. May be repeated.
    #[arg(long, value_name = "NAME")]
    shared_state: Vec<String>,
    /// A key of the agent's state that it may change, such as `risk` or `notes/*`. May be repeated.
    #[arg(long, value_name = "KEY")]
    agent_state_edit: Vec<String>,
    /// The tokens of the agent's model that it may use in a turn.
    #[arg(long, value_name = "TOKENS")]
    model_tokens: Option<NonZeroU64>,
    /// A directory that it may read, relative to the hooks directory. May be repeated.
    #[arg(long, value_name = "DIR")]
    read: Vec<String>,
    /// A directory that it may read and write, relative to the hooks directory. May be repeated.
    #[arg(long, value_name = "DIR")]
    write: Vec<String>,
}

/// Returns the grants of a hook: its grants `before`, if it has a table, and those for imports that
/// they do not cover.
///
/// A hook without a table gets lists of exactly its imports. In an existing table, an omitted list
/// stays omitted as long as the defaults are enough.
pub(super) fn of(
    report: &HookReport,
    before: Option<&Grants>,
    defaults: &portcullis::settings::Defaults,
    extra: &Extra,
) -> anyhow::Result<Grants> {
    // Without `..`, so that adding a key is a compile error until this function handles it.
    let Grants {
        views: views_before,
        answers: answers_before,
        mut state,
        mut shared_state,
        mut agent_state_edit,
        mut events,
        mut secrets,
        mut read,
        mut write,
        mut http,
        mut model,
        contribute,
    } = before.cloned().unwrap_or_default();
    let answers: BTreeSet<AnswerKind> = report.answers.values().flatten().copied().collect();
    let contributed = answers.iter().filter_map(|kind| kind.contribution());
    let answers = answers.iter().filter(|kind| kind.contribution().is_none());
    let views = report
        .imports
        .iter()
        .filter_map(|import| match import.capability.permission {
            Permission::View(view) => Some(view),
            _ => None,
        });
    let views: BTreeSet<View> = views.collect();
    let is_new = before.is_none();
    let views = list(views_before, views, &defaults.views, is_new);
    let mut kinds = contribute.unwrap_or_default();
    extend(&mut kinds, contributed);
    let answers = list(answers_before, answers.copied(), &defaults.answers, is_new);
    let imports = |key| {
        let mut imports = report.imports.iter();
        imports.any(|import| import.capability.permission.keys().contains(&key))
    };
    state |= imports("state");
    events |= imports("events");
    extend(&mut secrets, extra.secret.iter().cloned());
    extend(&mut http, extra.http.iter().cloned());
    extend(&mut shared_state, extra.shared_state.iter().cloned());
    extend(
        &mut agent_state_edit,
        extra.agent_state_edit.iter().cloned(),
    );
    extend(&mut read, extra.read.iter().cloned());
    extend(&mut write, extra.write.iter().cloned());
    if let Some(tokens) = extra.model_tokens {
        let (provider, name) = model.map_or((None, None), |model| (model.provider, model.model));
        model = Some(ModelGrant {
            tokens,
            provider,
            model: name,
        });
    }
    let missing: Vec<&str> = [
        ("secrets", secrets.is_empty(), "--secret NAME"),
        ("http", http.is_empty(), "--http 'GET https://SERVER'"),
        (
            "shared-state",
            shared_state.is_empty(),
            "--shared-state NAME",
        ),
        (
            "agent-state-edit",
            agent_state_edit.is_empty(),
            "--agent-state-edit KEY",
        ),
        ("model", model.is_none(), "--model-tokens TOKENS"),
    ]
    .into_iter()
    .filter(|(key, is_empty, _)| *is_empty && imports(key))
    .map(|(.., option)| option)
    .collect();
    match missing.as_slice() {
        [] => Ok(Grants {
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
            contribute: (!kinds.is_empty()).then_some(kinds),
        }),
        missing => bail!(
            "`{}` imports what you have to name for it; add {}",
            report.id,
            missing.join(" and ")
        ),
    }
}

/// Returns a list with the imports added. `None` if it was omitted and the defaults are enough.
fn list<T: Copy + PartialEq>(
    before: Option<Vec<T>>,
    imported: impl IntoIterator<Item = T>,
    defaults: &[T],
    is_new: bool,
) -> Option<Vec<T>> {
    let imported: Vec<T> = imported.into_iter().collect();
    let mut list = match before {
        Some(list) => list,
        None if !is_new && imported.iter().all(|item| defaults.contains(item)) => return None,
        None => Vec::new(),
    };
    extend(&mut list, imported);
    Some(list)
}

fn extend<T: PartialEq>(list: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for item in more {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}
