//! Checks for directory grants that overlap, and for directories that no hook may write.

use std::path::{Path, PathBuf};

use super::{LoadError, LoadFault, Loader, LocatedHook, Stage};
use crate::contract::text::sanitize_for_terminal;
use crate::load::lock::LOCK_NAME;
use crate::sandbox::capabilities::directories::{Directory, passed};
use crate::settings::{FILE_NAME, SecretPlace, Settings};

/// Returns an error for each granted directory within one that a hook may write.
pub(super) fn overlapping(found: &[LocatedHook]) -> Vec<LoadError> {
    let mut errors = Vec::new();
    for (inner, within) in granted(found) {
        let mut writable = granted(found).filter(|(_, directory)| directory.writable);
        let Some((outer, around)) = writable.find(|(_, around)| within.is_within(around)) else {
            continue;
        };
        let by = &outer.hook.descriptor.id;
        let fault = LoadFault::OverlappingGrants {
            path: sanitize_for_terminal(&within.guest),
            outer: sanitize_for_terminal(&around.guest),
            by: (*by != inner.hook.descriptor.id).then(|| by.clone()),
        };
        errors.push(LoadError::new(&inner.file, Stage::Resolve, fault));
    }
    errors
}

/// Returns the directories that hooks were granted, each with its hook. A hook that is disabled, or
/// has a revoked grant, does not run, so its directories must not prevent the reload.
fn granted(found: &[LocatedHook]) -> impl Iterator<Item = (&LocatedHook, &Directory)> {
    let running = |hook: &&LocatedHook| !hook.amended.off && hook.amended.revoked.is_empty();
    found.iter().filter(running).flat_map(|hook| {
        let directories = hook.hook.component.setup.directories.iter();
        directories.map(move |directory| (hook, directory))
    })
}

impl Loader<'_> {
    /// Returns an error for each directory that a hook may write and that contains a source of
    /// loading.
    pub(super) fn writable_sources(
        &self,
        dir: &Path,
        files: &[PathBuf],
        found: &[LocatedHook],
    ) -> Vec<LoadError> {
        if !granted(found).any(|(_, directory)| directory.writable) {
            return Vec::new();
        }
        let mut errors = Vec::new();
        for (what, path) in self.sources(dir, files) {
            let wrong = |file: &Path, path: &str, what| {
                let path = sanitize_for_terminal(path);
                let fault = LoadFault::WritableSource { path, what };
                LoadError::new(file, Stage::Resolve, fault)
            };
            let passed = passed(&path);
            for (hook, directory) in granted(found).filter(|(_, directory)| directory.writable) {
                let what = match &passed {
                    Ok(passed) if directory.is_among(passed) => what.clone(),
                    Ok(_) => continue,
                    // The location is unknown, so it may be within the directory.
                    Err(e) => format!("perhaps {what} (it cannot be found out: {e})"),
                };
                let what = sanitize_for_terminal(&what);
                errors.push(wrong(&hook.file, &directory.guest, what));
            }
        }
        // One error is enough for each directory.
        let mut seen: Vec<(PathBuf, String)> = Vec::new();
        errors.retain(|error| {
            let LoadFault::WritableSource { path, .. } = &error.fault else {
                return true;
            };
            let key = (error.file.clone(), path.clone());
            let new = !seen.contains(&key);
            seen.push(key);
            new
        });
        errors
    }

    /// Returns the files that are read or run because of a hooks directory, each with a
    /// description.
    fn sources(&self, dir: &Path, files: &[PathBuf]) -> Vec<(String, PathBuf)> {
        let settings = self.settings;
        let mut sources = vec![
            (
                "the hooks themselves and hooks.toml".to_owned(),
                dir.join(FILE_NAME),
            ),
            ("hooks.lock".to_owned(), dir.join(LOCK_NAME)),
        ];
        if let Some(file) = settings.source.file() {
            sources.push(("the settings".to_owned(), file.to_owned()));
        }
        for file in files {
            sources.push((format!("the hook {}", file.display()), file.clone()));
        }
        if let Some(cache) = &self.compiling.cache {
            sources.push((
                "the compile cache".to_owned(),
                cache.dir().join("(an entry)"),
            ));
        }
        for (name, place) in &settings.secrets {
            if let SecretPlace::File(file) = place {
                sources.push((format!("the secret `{name}`"), file.clone()));
            }
        }
        for file in &settings.http.roots {
            sources.push((format!("the certificates {}", file.display()), file.clone()));
        }
        sources.extend(programs(settings, dir));
        sources
    }
}

/// Returns the programs of scripts and the files in their commands, since an interpreter's program
/// is one of its arguments.
fn programs(settings: &Settings, dir: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    settings.scripts.iter().flat_map(move |(id, script)| {
        let command = script.command(dir, &settings.defaults);
        let named = command.program.components().count() > 1;
        let program = command.find().ok();
        let program = program.or_else(|| named.then(|| command.program.clone()));
        let args = command.args.iter().map(|arg| dir.join(arg));
        let files = args.filter(|file| file.is_file());
        let all: Vec<PathBuf> = program.into_iter().chain(files).collect();
        let what = format!("a file that the script `{id}` runs");
        all.into_iter().map(move |file| (what.clone(), file))
    })
}
