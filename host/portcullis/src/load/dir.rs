//! Loading of all files of a directory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{
    LoadError, LoadErrors, LoadFault, LoadedHook, Loader, LocatedHook, Progress, Stage, grants,
    read, resolve, threads,
};
use crate::load::file::never_starts;
use crate::load::lock::{Lock, Pinned, is_file_name, name_of};
use crate::model::verdict::Digest;
use crate::settings::OnMismatch;

/// The result of the previous load of a directory. Empty for the first load.
#[derive(Default)]
pub(crate) struct PreviousLoad {
    /// Whether the directory was loaded before. Then a file that does not load leaves the previous
    /// hook running.
    pub(crate) again: bool,
    /// The components, by file.
    pub(crate) found: Vec<LocatedHook>,
    /// The ids of all components that ever ran, each with its last holder.
    pub(crate) ids: BTreeMap<String, LastHolder>,
}

/// The component that had an id last.
pub(crate) struct LastHolder {
    file: PathBuf,
    digest: Digest,
}

impl LastHolder {
    pub(crate) fn of(found: &LocatedHook) -> Self {
        Self {
            file: found.file.clone(),
            digest: found.hook.digest,
        }
    }

    /// Returns whether `found` is the same file, or the same component in another file.
    fn is(&self, found: &LocatedHook) -> bool {
        self.file == found.file || self.digest == found.hook.digest
    }
}

/// The result of loading a directory.
#[derive(Default)]
pub(crate) struct Loaded {
    pub(crate) found: Vec<LocatedHook>,
    /// The hooks in `found` whose files do not load, and which continue as they were.
    pub(crate) kept: Vec<LocatedHook>,
    /// The files that are being compiled. Their hooks continue as they were, or are not present
    /// yet.
    pub(crate) compiling: Vec<PathBuf>,
    /// The errors of hooks that do not load and may be left out.
    pub(crate) broken: Vec<LoadError>,
    /// The differences from the lock, if they are only reported.
    pub(crate) unpinned: Vec<LoadError>,
}

impl PreviousLoad {
    /// Returns the hook that was loaded from a file.
    fn of_file(&self, file: &Path) -> Option<&LocatedHook> {
        self.found.iter().find(|found| found.file == file)
    }
}

impl Loader<'_> {
    /// Loads a directory. With `skip_broken`, hooks that do not load are left out and reported;
    /// errors in the settings are still errors. `others` are the ids of hooks that are not files.
    ///
    /// If the directory was loaded before and a file does not load, its hook continues as it was
    /// loaded, without the grants that the operator has revoked since.
    pub(crate) fn dir(
        &self,
        dir: &Path,
        others: &[&str],
        skip_broken: bool,
    ) -> Result<Loaded, LoadErrors> {
        match self.all_of(dir, others, skip_broken) {
            (loaded, errors) if errors.is_empty() => Ok(loaded),
            (_, errors) => Err(LoadErrors(errors)),
        }
    }

    /// Loads a directory and returns the hooks that load together with the errors of the others.
    pub(crate) fn all_of(
        &self,
        dir: &Path,
        others: &[&str],
        skip_broken: bool,
    ) -> (Loaded, Vec<LoadError>) {
        let files = match read::hook_files(dir) {
            Ok(files) => files,
            Err(error) => return (Loaded::default(), vec![error]),
        };
        (self.progress)(Progress::Found(files.len()));
        let mut loaded = Loaded::default();
        let mut errors = Vec::new();
        let mut failed = Vec::new();
        for (file, result) in self.files(&files) {
            match result {
                Ok(found) => loaded.found.push(found),
                Err(faults) if is_being_compiled(&faults) => {
                    let before = self.before.of_file(&file);
                    loaded.found.extend(before.map(|before| self.kept(before)));
                    loaded.compiling.push(file);
                }
                Err(faults) => {
                    (self.progress)(Progress::Failed(&file));
                    errors.extend(faults);
                    match self.before.of_file(&file) {
                        Some(before) => loaded.kept.push(self.kept(before)),
                        None => failed.push(file),
                    }
                }
            }
        }
        let mut gone = self.gone(dir, &files);
        match self.on_mismatch {
            OnMismatch::Refuse => {
                let kept = gone.iter().filter_map(|e| self.before.of_file(&e.file));
                loaded.kept.extend(kept.map(|before| self.kept(before)));
                errors.append(&mut gone);
            }
            OnMismatch::Report => {
                loaded.unpinned = gone;
                let differing = loaded.found.iter().filter_map(|found| {
                    let fault = found.unpinned.clone()?;
                    Some(LoadError::new(&found.file, Stage::Lock, fault))
                });
                loaded.unpinned.extend(differing);
            }
        }
        loaded.found.extend(loaded.kept.iter().cloned());
        self.keep_removed(&mut loaded, &files);
        loaded.found.sort_by(|a, b| a.file.cmp(&b.file));
        if skip_broken || self.before.again {
            loaded.broken.append(&mut errors);
        }
        // Duplicates are never left out: either of the two may be an impostor.
        errors.extend(duplicates(&mut loaded.found));
        errors.extend(self.impostors(&loaded.found, &failed));
        // Errors about write grants are never left out either.
        errors.extend(grants::overlapping(&loaded.found));
        errors.extend(self.writable_sources(dir, &files, &loaded.found));
        errors.extend(self.missing_of_scripts());
        let unknown = match loaded.compiling.is_empty() {
            true => {
                // A file that does not load still exists, so its hook is not gone.
                let pinned = |file: &PathBuf| {
                    let name = file.file_name()?.to_str()?;
                    Some(self.lock?.components.get(name)?.id.as_str())
                };
                let there = files.iter().filter_map(pinned);
                let others: Vec<&str> = others.iter().copied().chain(there).collect();
                resolve::unknown_hooks(self.settings, self.lock, &loaded.found, &others, &failed)
            }
            // The ids of new files are not known yet.
            false => Vec::new(),
        };
        for (id, unknown) in unknown {
            // The table may belong to a hook that did not load or was removed since.
            let explained = !loaded.broken.is_empty() && !failed.is_empty();
            match explained || self.before.ids.contains_key(id) {
                true => loaded.broken.push(unknown),
                false => errors.push(unknown),
            }
        }
        (loaded, errors)
    }

    /// Returns errors for hooks that have the id of another file that did not load or was removed,
    /// since the operator's grants were for that file. Returns none if there is a lock, which
    /// assigns ids to files.
    fn impostors(&self, found: &[LocatedHook], failed: &[PathBuf]) -> Vec<LoadError> {
        let impostors = found.iter().filter_map(|found| {
            let id = found.hook.descriptor.id.as_str();
            let is_named = self.lock.is_none() && self.settings.hooks.contains_key(id);
            let fault = is_named.then(|| self.impostor(id, found, failed))?;
            Some(LoadError::new(&found.file, Stage::Resolve, fault?))
        });
        impostors.collect()
    }

    fn impostor(&self, id: &str, found: &LocatedHook, failed: &[PathBuf]) -> Option<LoadFault> {
        let mut failed = failed.iter();
        if let Some(other) = failed.find(|file| file.file_stem().is_some_and(|stem| stem == id)) {
            return Some(LoadFault::DuplicateId {
                id: id.to_owned(),
                other: other.clone(),
            });
        }
        let last = self.before.ids.get(id)?;
        let is_another = self.settings.names_matter() && !last.is(found);
        is_another.then(|| LoadFault::IdOfAnother {
            id: id.to_owned(),
            before: last.file.clone(),
        })
    }

    /// Keeps the hooks of removed files while a new file is compiled, since it may contain the same
    /// hook under another name.
    fn keep_removed(&self, loaded: &mut Loaded, files: &[PathBuf]) {
        let is_new = |file: &PathBuf| self.before.of_file(file).is_none();
        if !loaded.compiling.iter().any(is_new) {
            return;
        }
        for before in &self.before.found {
            let id = &before.hook.descriptor.id;
            let moved = (loaded.found.iter()).any(|found| found.hook.descriptor.id == *id);
            if !moved && !files.contains(&before.file) {
                loaded.found.push(self.kept(before));
            }
        }
    }

    /// Returns errors for the pinned components that are not among the files of a directory.
    fn gone(&self, dir: &Path, files: &[PathBuf]) -> Vec<LoadError> {
        let gone = self.lock.into_iter().flat_map(|lock| lock.gone(files));
        gone.map(|(name, fault)| LoadError::new(&dir.join(name), Stage::Lock, fault))
            .collect()
    }

    /// Creates a lock that pins the components of a directory as they are now.
    pub(crate) fn pins(&self, dir: &Path) -> Result<Lock, LoadErrors> {
        let mut lock = Lock::default();
        let mut errors = Vec::new();
        for LocatedHook { file, hook, .. } in self.inspected(dir)? {
            match name_of(&file).filter(|name| is_file_name(name)) {
                None => errors.push(LoadError::new(
                    &file,
                    Stage::Lock,
                    LoadFault::NameNotPinnable,
                )),
                Some(name) => {
                    let pinned = Pinned::new(hook.descriptor.id.clone(), hook.digest);
                    lock.components.insert(name.to_owned(), pinned);
                }
            }
        }
        match errors.is_empty() {
            true => Ok(lock),
            false => Err(LoadErrors(errors)),
        }
    }

    /// Returns the components of a directory, regardless of their grants and configurations.
    pub(crate) fn inspected(&self, dir: &Path) -> Result<Vec<LocatedHook<LoadedHook>>, LoadErrors> {
        let files = read::hook_files(dir).map_err(|e| LoadErrors(vec![e]))?;
        (self.progress)(Progress::Found(files.len()));
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for file in &files {
            match self.inspect(file) {
                Ok(hook) => found.push(hook),
                Err(faults) => errors.extend(faults),
            }
        }
        match errors.is_empty() {
            true => Ok(found),
            false => Err(LoadErrors(errors)),
        }
    }

    /// Loads files in parallel and returns them in order.
    fn files(&self, files: &[PathBuf]) -> Vec<(PathBuf, Result<LocatedHook, Vec<LoadError>>)> {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        let next = std::sync::atomic::AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(file) = files.get(index) else {
                    return done;
                };
                done.push((index, file.clone(), self.file(file)));
            }
        };
        let workers = workers.min(files.len());
        let loaded = threads::side_by_side(workers, std::thread::Builder::new, work);
        let mut loaded: Vec<_> = loaded.into_iter().flatten().collect();
        loaded.sort_by_key(|(index, ..)| *index);
        let never_start: Vec<_> = loaded
            .iter()
            .map(|(.., found)| found.as_ref().ok().and_then(never_starts))
            .collect();
        let checked = loaded.into_iter().zip(never_start);
        checked
            .map(|((_, file, found), fault)| (file, fault.map_or(found, |fault| Err(vec![fault]))))
            .collect()
    }
}

/// Returns whether a file only has to be compiled.
fn is_being_compiled(faults: &[LoadError]) -> bool {
    let mut faults = faults.iter().map(|error| &error.fault);
    faults.any(|fault| *fault == LoadFault::BeingCompiled)
}

/// Removes the hooks that have the id of an earlier one, and returns their errors.
fn duplicates(found: &mut Vec<LocatedHook>) -> Vec<LoadError> {
    let mut errors = Vec::new();
    let mut first: Vec<(String, PathBuf)> = Vec::new();
    found.retain(|found| {
        let id = &found.hook.descriptor.id;
        let Some((_, other)) = first.iter().find(|(other, _)| other == id) else {
            first.push((id.clone(), found.file.clone()));
            return true;
        };
        let fault = LoadFault::DuplicateId {
            id: id.clone(),
            other: other.clone(),
        };
        errors.push(LoadError::new(&found.file, Stage::Resolve, fault));
        false
    });
    errors
}
