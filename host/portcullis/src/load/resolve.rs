//! Resolves a hook's effective settings from the author's declaration, the operator's settings and
//! the defaults.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::lock::Lock;
use super::{LoadError, LoadFault, LocatedHook, MissingGrant, Promises};
use crate::contract::text::{nearest, sanitize_for_terminal};
use crate::contract::{ContributionKind, Descriptor, ExecutionPolicy, FailurePolicy, HookRole};
use crate::model::hook::{HookId, Mode, Profile};
use crate::model::limits::Limits;
use crate::model::points::{AnswerKind, PointId};
use crate::model::prompt::kind_name;
use crate::model::purpose::Purpose;
use crate::model::verdict::Digest;
use crate::model::view::View;
use crate::sandbox::capabilities::{Capability, Config, Permission};
use crate::sandbox::component::Setup;
use crate::sandbox::info::ComponentInfo;
use crate::settings::{Grants, HookSettings, MOST_TOLD, Settings};

/// The priority of a hook without one (the AgentHook design).
pub(crate) const DEFAULT_PRIORITY: i32 = 100;

/// The effective settings of a component.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Resolved {
    /// The profile that chains use.
    pub(crate) profile: Arc<Profile>,
    /// Whether the hook is enabled.
    pub(crate) enabled: bool,
    /// The priority; low runs first.
    pub(crate) priority: i32,
    /// The hooks that run before this one.
    pub(crate) after: Vec<String>,
    /// The grants.
    pub(crate) grants: Arc<Grants>,
}

/// The author's declaration of a hook of any sort.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    pub(crate) id: String,
    pub(crate) role: HookRole,
    pub(crate) failure: Option<FailurePolicy>,
    pub(crate) priority: Option<i32>,
    pub(crate) execution: ExecutionPolicy,
    pub(crate) after: Vec<String>,
    pub(crate) contributes: Vec<ContributionKind>,
    pub(crate) mode: Mode,
}

impl Declared {
    /// Creates the declaration of a component from its descriptor and its imports.
    fn of(descriptor: &Descriptor, info: &ComponentInfo) -> Self {
        Self {
            id: descriptor.id.clone(),
            role: info.role(),
            failure: descriptor.failure,
            priority: descriptor.priority,
            execution: descriptor.execution,
            after: descriptor.after.clone(),
            contributes: info.contributes(),
            mode: Mode::Enforce,
        }
    }
}

/// The effective settings of a hook of any sort that chains need.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Effective {
    pub(crate) profile: Arc<Profile>,
    pub(crate) enabled: bool,
    /// Whether `hooks.toml` does not name the hook, so that it runs after all named hooks.
    pub(crate) capped: bool,
    pub(crate) priority: i32,
    pub(crate) after: Vec<String>,
}

/// Resolves a hook's effective settings: the operator's, or else the author's.
pub(crate) fn effective(
    declared: &Declared,
    overrides: &HookSettings,
    limits: &Limits,
    component: Option<Digest>,
    promises: Promises,
) -> Result<Effective, LoadFault> {
    check_id(&declared.id)?;
    let role = overrides.role.unwrap_or(declared.role);
    let failure = match (role, overrides.failure.or(declared.failure)) {
        (HookRole::Observe, Some(FailurePolicy::FailClosed)) => {
            return Err(LoadFault::ObserverFailsClosed);
        }
        (HookRole::Observe, _) => FailurePolicy::FailOpen,
        (_, wish) => wish.unwrap_or(FailurePolicy::FailClosed),
    };
    let execution = overrides.execution.unwrap_or(declared.execution);
    let mode = overrides.mode.unwrap_or(declared.mode);
    if mode == Mode::Audit && overrides.share.is_some() {
        return Err(LoadFault::ShareOfAudit);
    }
    let profile = Profile {
        id: HookId::from(declared.id.as_str()),
        role,
        failure,
        mode,
        share: overrides.share,
        execution,
        write_run: overrides
            .write_run
            .unwrap_or_else(|| promises.write_run(declared.role, role, failure, mode)),
        // A component has its own limits in any case.
        deadline: (execution == ExecutionPolicy::Deadline && component.is_none())
            .then_some(limits.wall),
        contributes: declared.contributes.clone(),
        policies: overrides.policies,
        most_contributions: limits.contributions,
        component,
        secrets: Arc::default(),
    };
    if profile.is_detached() && role != HookRole::Observe {
        return Err(LoadFault::NobodyWaits);
    }
    Ok(Effective {
        profile: Arc::new(profile),
        enabled: overrides.enabled.unwrap_or(true),
        capped: false,
        priority: overrides
            .priority
            .or(declared.priority)
            .unwrap_or(DEFAULT_PRIORITY),
        after: overrides
            .after
            .clone()
            .unwrap_or_else(|| declared.after.clone()),
    })
}

pub(super) fn resolve(
    descriptor: &Descriptor,
    info: &ComponentInfo,
    settings: &Settings,
    digest: Digest,
    promises: Promises,
) -> Result<(Resolved, Setup), LoadFault> {
    check_points(descriptor, info)?;
    let overrides = settings.of_component(&descriptor.id);
    let mut limits = settings.defaults.limits.clone();
    if let Some(ms) = descriptor.deadline_ms.filter(|ms| *ms > 0) {
        // An author may lower the operator's limit, never raise it.
        let wish = Duration::from_millis(u64::from(ms));
        limits.wall = limits.wall.min(wish);
        limits.deadline = limits.deadline.min(wish);
    }
    let limits = overrides.limits.over(&limits);
    let declared = Declared::of(descriptor, info);
    let effective = effective(&declared, &overrides, &limits, Some(digest), promises)?;
    let id = effective.profile.id.clone();
    let purpose = Purpose::of(effective.profile.role, settings.caps(id.as_str()));
    let setup = Setup {
        isolation: overrides.isolation.unwrap_or_default(),
        write_state: overrides.write_state.unwrap_or_default(),
        config: Config::new(&overrides.config),
        grants: Arc::new(overrides.grants.clone()),
        ..Setup::new(id, purpose, limits)
    };
    let resolved = Resolved {
        profile: effective.profile,
        enabled: effective.enabled,
        priority: effective.priority,
        after: effective.after,
        grants: setup.grants.clone(),
    };
    Ok((resolved, setup))
}

fn check_id(id: &str) -> Result<(), LoadFault> {
    match HookId::fits(id) {
        true => Ok(()),
        false => Err(LoadFault::BadId(sanitize_for_terminal(id))),
    }
}

fn check_points(descriptor: &Descriptor, info: &ComponentInfo) -> Result<(), LoadFault> {
    let mut said: Vec<&str> = descriptor.points.iter().map(String::as_str).collect();
    let mut exported: Vec<&str> = info.points.iter().map(PointId::name).collect();
    said.sort_unstable();
    exported.sort_unstable();
    if said == exported {
        return Ok(());
    }
    let list = |names: &[&str]| match names {
        [] => "nothing".to_owned(),
        names => sanitize_for_terminal(&names.join(", ")),
    };
    Err(LoadFault::PointsMismatch {
        said: list(&said),
        exported: list(&exported),
    })
}

/// Returns the faults for imports that a hook was not granted.
pub(super) fn not_granted(
    descriptor: &Descriptor,
    info: &ComponentInfo,
    settings: &Settings,
) -> Vec<LoadFault> {
    let id = &descriptor.id;
    let grants = &settings.of_component(id).grants;
    let mut missing: Vec<(&'static str, MissingGrant, Vec<String>)> = Vec::new();
    for import in &info.imports {
        let Capability {
            permission,
            description,
            ..
        } = import.capability;
        let Some(entry) = permission.missing(grants, &settings.defaults.views) else {
            continue;
        };
        let grant = match permission {
            Permission::View(_) => whole_list(
                id,
                "views",
                grants.views.as_deref(),
                info.views(),
                View::name,
            ),
            _ => MissingGrant {
                id: id.clone(),
                entry,
            },
        };
        let same = missing
            .iter_mut()
            .find(|(told, needs, _)| (*told, needs) == (description, &grant));
        match same {
            Some((.., imports)) => imports.push(import.name.clone()),
            None => missing.push((description, grant, vec![import.name.clone()])),
        }
    }
    let missing = missing.into_iter();
    missing
        .map(|(description, grant, imports)| LoadFault::NotGranted {
            imports,
            description,
            grant: grant.into(),
        })
        .chain(not_to_answer(id, info, grants, settings))
        .chain(not_to_contribute(id, &info.contributes(), grants))
        .collect()
}

/// Returns the names of the imports that a hook was not granted. A point's answers are among them
/// if one imported answer was not granted.
pub(crate) fn not_granted_imports(
    id: &str,
    info: &ComponentInfo,
    settings: &Settings,
) -> Vec<String> {
    let grants = &settings.of_component(id).grants;
    let answers = grants.answers.as_ref();
    let answers = answers.unwrap_or(&settings.defaults.answers);
    let contribute = grants.contribute.as_deref().unwrap_or_default();
    let may = |kind: &AnswerKind| match kind.contribution() {
        Some(contributed) => contribute.contains(&contributed),
        None => answers.contains(kind),
    };
    let is_missing = |permission: Permission| match permission {
        Permission::Answers(point) => {
            let mut kinds = info.answers.get(&point).into_iter().flatten();
            kinds.any(|kind| !may(kind))
        }
        _ => permission
            .missing(grants, &settings.defaults.views)
            .is_some(),
    };
    let imports = info.imports.iter();
    let missing = imports.filter(|import| is_missing(import.capability.permission));
    missing.map(|import| import.name.clone()).collect()
}

/// Returns a complete list for a hook's grants: the entries of the existing list, and all that the
/// hook imports.
fn whole_list<T: Copy + PartialEq>(
    id: &str,
    key: &str,
    own: Option<&[T]>,
    imported: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
) -> MissingGrant {
    let mut entries = own.unwrap_or_default().to_vec();
    for entry in imported {
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    let names = entries
        .into_iter()
        .map(|entry| format!("\"{}\"", name(entry)));
    let names: Vec<String> = names.collect();
    MissingGrant {
        id: id.to_owned(),
        entry: format!("{key} = [{}]", names.join(", ")),
    }
}

/// Returns the faults for answers that a hook imports and was not granted.
pub(super) fn not_to_answer(
    id: &str,
    info: &ComponentInfo,
    grants: &Grants,
    settings: &Settings,
) -> Vec<LoadFault> {
    let granted = grants.answers.as_ref();
    let granted = granted.unwrap_or(&settings.defaults.answers);
    let mut imported = info.answer_kinds();
    imported.retain(|kind| kind.contribution().is_none());
    let missing = imported.iter().filter(|kind| !granted.contains(kind));
    missing
        .map(|kind| LoadFault::MayNotAnswer {
            kind: kind.name(),
            grant: whole_list(
                id,
                "answers",
                grants.answers.as_deref(),
                imported.iter().copied(),
                AnswerKind::name,
            )
            .into(),
        })
        .collect()
}

/// Returns the faults for contributions that a hook was not granted. Each kind needs its own grant
/// (the HookRuntime design).
pub(crate) fn not_to_contribute(
    id: &str,
    contributes: &[ContributionKind],
    grants: &Grants,
) -> Vec<LoadFault> {
    let granted = grants.contribute.as_deref().unwrap_or_default();
    contributes
        .iter()
        .filter(|kind| !granted.contains(kind))
        .map(|kind| LoadFault::MayNotContribute {
            kind: kind_name(*kind),
            grant: whole_list(
                id,
                "contribute",
                grants.contribute.as_deref(),
                contributes.iter().copied(),
                kind_name,
            )
            .into(),
        })
        .collect()
}

/// Returns errors for sections of the settings whose hooks do not exist, by id. A file that did not
/// load has reported no id, so its name is used in place of the id.
pub(super) fn unknown_hooks<'a>(
    settings: &'a Settings,
    lock: Option<&Lock>,
    found: &[LocatedHook],
    others: &[&str],
    failed: &[PathBuf],
) -> Vec<(&'a str, LoadError)> {
    let loaded = found.iter().map(|found| found.hook.descriptor.id.as_str());
    let named = failed.iter().filter_map(|file| file.file_stem()?.to_str());
    let ids: Vec<&str> = loaded.chain(named).chain(others.iter().copied()).collect();
    let known: BTreeSet<&str> = ids.iter().copied().collect();
    let named = settings.hooks.keys().map(String::as_str);
    let unknown: Vec<&'a str> = named.filter(|id| !known.contains(id)).collect();
    // A misspelt table leaves its hook without a table.
    let has_table = |id: &str| settings.hooks.contains_key(id);
    let (with, without): (Vec<&str>, Vec<&str>) = ids.into_iter().partition(|id| has_table(id));
    let told = unknown.iter().take(MOST_TOLD).map(|id| {
        let is_pinned = lock.is_some_and(|lock| lock.names(id));
        let problem = unknown_hook(id, is_pinned, &with, &without);
        (*id, problem)
    });
    let more = unknown.get(MOST_TOLD).map(|id| {
        let more = unknown.len() - MOST_TOLD;
        (*id, format!("and {more} more hooks that are not there"))
    });
    told.chain(more)
        .map(|(id, problem)| {
            let error = settings.source.error(&["hooks", id], problem);
            (id, error.into())
        })
        .collect()
}

/// Returns the error for a table whose hook does not exist. If the hook is pinned, its file is
/// gone; otherwise the name may be misspelt. A hook without a table is more likely to be the
/// intended one than a hook with a table.
fn unknown_hook(id: &str, is_pinned: bool, with_table: &[&str], without_table: &[&str]) -> String {
    // Only a valid id is safe to paste into a shell.
    let remove = match HookId::fits(id) {
        true => format!(": portcullis remove {id}"),
        false => String::new(),
    };
    let id = sanitize_for_terminal(id);
    let id = id.as_str();
    let near = nearest(id, without_table.iter().copied());
    let near_with_table = nearest(id, with_table.iter().copied());
    if let (false, None, Some(near)) = (is_pinned, near, near_with_table) {
        return format!(
            "there is no hook `{id}`; did you mean `{near}`? That one has a table already. If the file of `{id}` is gone, put it back, or remove this table{remove}"
        );
    }
    match (is_pinned, near, without_table) {
        (true, ..) => format!(
            "there is no hook `{id}`: its file is gone; put it back, or remove what is left of the hook{remove}"
        ),
        (false, Some(near), _) => format!(
            "there is no hook `{id}`; did you mean `{near}`? If its file is gone, remove the table{remove}"
        ),
        (false, None, []) => format!(
            "there is no hook `{id}`: its file is gone, or the name is misspelt; put the file back, or remove the table{remove}"
        ),
        (false, None, others) => format!(
            "there is no hook `{id}`: its file is gone, or the name is misspelt (hooks without a table: {}); put the file back, or remove the table{remove}",
            few(others)
        ),
    }
}

/// Returns some of the names, and the number of the others.
fn few(names: &[&str]) -> String {
    let told = names.get(..MOST_TOLD).unwrap_or(names).join(", ");
    match names.len().saturating_sub(MOST_TOLD) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}
