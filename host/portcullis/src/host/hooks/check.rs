//! A check of a hooks directory that reports every error.

use std::path::Path;
use std::sync::Arc;

use super::{HookSet, Hooks, HooksError, LoadContext, LoadOptions, lock_of};
use crate::chain::order::OrderError;
use crate::contract::text::{nearest, sanitize_for_terminal};
use crate::load::{
    LoadError, LoadErrors, LoadFault, Loaded, Loader, PreviousLoad, Stage, not_a_directory,
};
use crate::settings::{OnMismatch, PartialSettings, Settings};

/// The result of checking a hooks directory: see [`Hooks::check`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The hooks, if they load without errors.
    pub hooks: Option<Hooks>,
    /// The errors that prevent loading.
    pub errors: Vec<LoadError>,
    /// The differences from `hooks.lock`, if `hooks.toml` only reports them.
    pub unpinned: Vec<LoadError>,
    /// Whether the directory contains no hooks of any sort.
    pub is_empty: bool,
}

impl Checked {
    fn failed(error: LoadError) -> Self {
        Self {
            hooks: None,
            errors: vec![error],
            unpinned: Vec::new(),
            is_empty: false,
        }
    }
}

impl Hooks {
    /// Checks a directory against its `hooks.toml` and returns every error: in that file, in the
    /// hooks, in the lock and in the order. Errors that follow from another error are omitted.
    /// Components that differ from the lock are asked to describe themselves too. Blocks, like
    /// [`Hooks::load`].
    ///
    /// # Errors
    ///
    /// Returns an error if no hooks can be loaded at all, such as when the compile cache cannot be
    /// used.
    pub fn check(dir: &Path, options: &LoadOptions<'_>) -> Result<Checked, HooksError> {
        if dir.is_file() {
            return Ok(Checked::failed(not_a_directory(dir)));
        }
        let (settings, mut wrong) = PartialSettings::of_dir(dir).into_parts();
        // Scripts start when they are called, so loading does not notice a missing program.
        wrong.extend(settings.missing_programs(dir));
        wrong.sort_by_key(|error| error.line);
        let mut errors = LoadErrors::from(wrong).0;
        let settings = Arc::new(settings);
        let context = LoadContext::open(&settings, options)?;
        let lock = lock_of(dir, &settings).unwrap_or_else(|error| {
            errors.extend(error.0);
            None
        });
        let before = PreviousLoad::default();
        let loader = Loader {
            lock: lock.as_ref(),
            on_mismatch: OnMismatch::Report,
            secrets: options.secrets.as_deref().unwrap_or(&*settings),
            ..context.loader(&settings, &before, options.progress)
        };
        let native = options.native.iter().map(|hook| hook.id());
        let others: Vec<&str> = settings
            .scripts
            .keys()
            .map(String::as_str)
            .chain(native)
            .collect();
        let (loaded, found) = loader.all_of(dir, &others, false);
        let is_empty = loaded.found.is_empty() && found.is_empty() && others.is_empty();
        errors.extend(found.into_iter().filter(|error| !follows(error, &settings)));
        errors.extend(unknown_before(&loaded, &errors, &settings));
        let set = HookSet::new(
            dir,
            settings.clone(),
            &loaded,
            &options.native,
            context.promises,
        );
        if let Err(disorder) = &set {
            let known = errors.len();
            let own = disorder.0.iter().filter(|error| {
                !is_explained(error, errors.get(..known).unwrap_or_default(), &settings)
            });
            let own: Vec<LoadError> = own.cloned().collect();
            errors.extend(own);
        }
        let mut unpinned = loaded.unpinned;
        let (differing, mut errors): (Vec<_>, Vec<_>) = errors.into_iter().partition(is_mismatch);
        unpinned.extend(differing);
        let is_known = !settings.source.lacks(&["integrity", "on-mismatch"]);
        if settings.integrity.on_mismatch == OnMismatch::Refuse && is_known {
            // A file in the place of a pinned one must not be trusted until the mismatch is
            // resolved.
            errors.retain(|error| !is_of_another_hook(error, &unpinned));
            unpinned.append(&mut errors);
            std::mem::swap(&mut unpinned, &mut errors);
        }
        let hooks = set.ok().filter(|_| errors.is_empty());
        Ok(Checked {
            hooks: hooks.map(|set| Self::of(set, options, None)),
            errors,
            unpinned,
            is_empty,
        })
    }
}

/// Returns errors for the unknown names in `after` of hooks that do not load. The order covers only
/// the hooks that load.
fn unknown_before(loaded: &Loaded, known: &[LoadError], settings: &Settings) -> Vec<LoadError> {
    let found = loaded
        .found
        .iter()
        .map(|found| found.hook.descriptor.id.as_str());
    let found: Vec<&str> = found.collect();
    let stems = known
        .iter()
        .filter_map(|error| error.file.file_stem()?.to_str());
    let broken: Vec<&str> = stems.filter(|stem| !found.contains(stem)).collect();
    let named = settings.hooks.keys().chain(settings.scripts.keys());
    let all: Vec<&str> = named
        .map(String::as_str)
        .chain(broken.iter().copied())
        .collect();
    let all: Vec<&str> = all.into_iter().chain(found).collect();
    let mut errors = Vec::new();
    for (id, hook) in settings
        .hooks
        .iter()
        .filter(|(id, _)| broken.contains(&id.as_str()))
    {
        for (index, name) in hook.after.iter().flatten().enumerate() {
            if all.contains(&name.as_str()) || settings.source.has(&["scripts", name]) {
                continue;
            }
            let hint = match nearest(name, all.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "correct the name, or remove it".to_owned(),
            };
            let problem = sanitize_for_terminal(&format!("there is no hook `{name}`; {hint}"));
            let keys = ["hooks", id, "after", &index.to_string()];
            errors.push(settings.error(&keys, problem).into());
        }
    }
    errors
}

/// Returns whether an error is about a component that differs from the lock.
fn is_mismatch(error: &LoadError) -> bool {
    let about_lock = matches!(error.fault, LoadFault::NoLock | LoadFault::BadLock(_));
    error.stage == Stage::Lock && !about_lock
}

/// Returns whether an error reports an unnamed hook whose file is in the place of another, pinned
/// hook.
fn is_of_another_hook(error: &LoadError, differing: &[LoadError]) -> bool {
    let is_swapped = |other: &LoadError| {
        let is_other = matches!(
            other.fault,
            LoadFault::OtherDigest {
                other_id: Some(_),
                ..
            }
        );
        is_other && other.file == error.file
    };
    matches!(error.fault, LoadFault::Unnamed { .. }) && differing.iter().any(is_swapped)
}

/// Returns whether an error follows from an entry that was left out of `hooks.toml`.
fn follows(error: &LoadError, settings: &Settings) -> bool {
    let LoadFault::Secret(missing) = &error.fault else {
        return false;
    };
    let keys = ["secrets", missing.name.as_str()];
    settings.source.lacks(&keys)
        || (settings.source.has(&keys) && !settings.secrets.contains_key(&missing.name))
}

/// Returns whether a hook is missing from the order because it does not load or its table is wrong.
/// Both are reported already.
fn is_explained(error: &LoadError, known: &[LoadError], settings: &Settings) -> bool {
    let LoadFault::Order(OrderError::MissingDependency { missing, .. }) = &error.fault else {
        return false;
    };
    let mut stems = known.iter().filter_map(|error| error.file.file_stem());
    stems.any(|stem| stem == missing.as_str())
        || (settings.source.has(&["scripts", missing]) && !settings.scripts.contains_key(missing))
}
