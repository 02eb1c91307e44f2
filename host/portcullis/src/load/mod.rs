//! From a directory of `.wasm` files to hooks that are ready to run.
//!
//! For every file: read → held against `hooks.lock` → compile (or take from the cache) → inspect (points from its exports,
//! needs from its imports) → describe → resolve against `hooks.toml` → link. Then the order at
//! every point. Whatever is wrong is found before anything runs.

mod compile;
mod describe;
mod error;
mod inspect;
mod open;
mod parts;
mod read;
mod resolve;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use wasmtime::component::{Component, InstancePre};

use crate::cache::CompileCache;
use crate::capabilities::http::{self, Egress};
use crate::capabilities::{Permission, directories};
use crate::contract::Descriptor;
use crate::engine::Runtime;
use crate::link::Linkers;
use crate::lock::{Lock, Pinned, name_of};
use crate::pool::Pool;
use crate::quarantine::Breaker;
use crate::secrets::{SecretSource, Secrets};
use crate::settings::{OnMismatch, Settings};
use crate::store::HookStore;
use crate::verdict::Digest;

pub use error::{LoadError, LoadErrors, LoadFault, Stage};
pub use inspect::Import;
pub(crate) use inspect::Shape;
pub(crate) use read::read_small;
pub use resolve::Resolved;
pub(crate) use resolve::{DEFAULT_PRIORITY, Standing, Wishes, not_to_contribute, standing};

/// A hook that is ready to be instantiated.
pub(crate) struct LoadedHook {
    /// Where it runs.
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) file: PathBuf,
    pub(crate) digest: Digest,
    pub(crate) size: u64,
    pub(crate) shape: Shape,
    pub(crate) descriptor: Descriptor,
    pub(crate) resolved: Resolved,
    pub(crate) pre: InstancePre<HookStore>,
    /// What sessions share of its instances, where they do.
    pub(crate) pool: Pool,
    pub(crate) breaker: Arc<Breaker>,
    /// How it stands to the lock.
    pub(crate) pin: Pin,
    /// What differs from the lock, where that is only reported.
    pub(crate) unpinned: Option<LoadFault>,
}

/// How a component stands to `hooks.lock`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pin {
    /// There is no lock.
    NoLock,
    /// It is the pinned one.
    Pinned,
    /// It is not.
    Differs,
}

/// What is going on while hooks are loaded.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// This many files were found.
    Found(usize),
    /// A file is being compiled, which takes from 50 ms to some seconds.
    Compiling(&'a Path),
    /// A file is loaded.
    Loaded {
        /// The file.
        file: &'a Path,
        /// How long it took.
        took: Duration,
        /// Whether it was compiled already.
        from_cache: bool,
    },
    /// A file did not load.
    Failed(&'a Path),
}

pub(crate) struct Loader<'a> {
    pub(crate) runtime: &'a Arc<Runtime>,
    pub(crate) linkers: &'a Linkers,
    pub(crate) cache: Option<&'a CompileCache>,
    pub(crate) settings: &'a Settings,
    pub(crate) lock: Option<&'a Lock>,
    pub(crate) on_mismatch: OnMismatch,
    pub(crate) secrets: &'a dyn SecretSource,
    pub(crate) progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

/// All that was found in a directory.
pub(crate) struct Loaded {
    pub(crate) hooks: Vec<Arc<LoadedHook>>,
    /// What was left out, if it may be.
    pub(crate) broken: Vec<LoadError>,
    /// What differs from the lock, where that is only reported.
    pub(crate) unpinned: Vec<LoadError>,
}

impl Loader<'_> {
    /// Loads a directory. With `skip_broken`, hooks that do not load are left out and named;
    /// what is wrong with the settings is an error all the same. `others` are the ids of hooks that
    /// are no files.
    pub(crate) fn dir(
        &self,
        dir: &Path,
        others: &[&str],
        skip_broken: bool,
    ) -> Result<Loaded, LoadErrors> {
        let files = read::hook_files(dir).map_err(|e| LoadErrors(vec![e]))?;
        (self.progress)(Progress::Found(files.len()));
        let mut hooks: Vec<Arc<LoadedHook>> = Vec::new();
        let mut errors = Vec::new();
        let mut duplicates = Vec::new();
        let mut failed = Vec::new();
        for (file, loaded) in self.files(&files) {
            match loaded {
                Ok(hook) => match hooks.iter().find(|h| h.descriptor.id == hook.descriptor.id) {
                    Some(first) => duplicates.push(LoadError::new(
                        &file,
                        Stage::Resolve,
                        LoadFault::DuplicateId {
                            id: hook.descriptor.id.clone(),
                            other: first.file.clone(),
                        },
                    )),
                    None => hooks.push(Arc::new(hook)),
                },
                Err(faults) => {
                    (self.progress)(Progress::Failed(&file));
                    errors.extend(faults);
                    failed.push(file);
                }
            }
        }
        let mut unpinned = self.gone(dir, &files);
        match self.on_mismatch {
            OnMismatch::Refuse => errors.append(&mut unpinned),
            OnMismatch::Report => unpinned.extend(hooks.iter().filter_map(|hook| {
                let fault = hook.unpinned.clone()?;
                Some(LoadError::new(&hook.file, Stage::Lock, fault))
            })),
        }
        let mut broken = Vec::new();
        if skip_broken {
            broken.append(&mut errors);
        }
        // Never left out: either of the two may be an impostor of the other.
        errors.append(&mut duplicates);
        let unknown = resolve::unknown_hooks(self.settings, &hooks, others, &failed);
        match skip_broken && !failed.is_empty() {
            true => broken.extend(unknown),
            false => errors.extend(unknown),
        }
        match errors.is_empty() {
            true => Ok(Loaded {
                hooks,
                broken,
                unpinned,
            }),
            false => Err(LoadErrors(errors)),
        }
    }

    /// The pinned components that are not among the files of a directory.
    fn gone(&self, dir: &Path, files: &[PathBuf]) -> Vec<LoadError> {
        let gone = self.lock.into_iter().flat_map(|lock| lock.gone(files));
        gone.map(|(name, fault)| LoadError::new(&dir.join(name), Stage::Lock, fault))
            .collect()
    }

    /// The lock that the components of a directory, as they are now, would be pinned by.
    pub(crate) fn pins(&self, dir: &Path) -> Result<Lock, LoadErrors> {
        let files = read::hook_files(dir).map_err(|e| LoadErrors(vec![e]))?;
        (self.progress)(Progress::Found(files.len()));
        let mut lock = Lock::default();
        let mut errors = Vec::new();
        for file in &files {
            match (name_of(file), self.inspect(file)) {
                (_, Err(error)) => errors.push(*error),
                (None, Ok(_)) => {
                    errors.push(LoadError::new(file, Stage::Lock, LoadFault::NameIsNoText));
                }
                (Some(name), Ok(hook)) => {
                    let pinned = Pinned {
                        id: hook.descriptor.id.clone(),
                        sha256: hook.digest,
                    };
                    lock.components.insert(name.to_owned(), pinned);
                }
            }
        }
        match errors.is_empty() {
            true => Ok(lock),
            false => Err(LoadErrors(errors)),
        }
    }

    /// What differs from the lock: refused, or handed on to be reported.
    fn judge(&self, differs: Option<LoadFault>) -> Result<Option<LoadFault>, LoadFault> {
        match (differs, self.on_mismatch) {
            (Some(fault), OnMismatch::Refuse) => Err(fault),
            (differs, _) => Ok(differs),
        }
    }

    /// Loads files side by side, and gives them back in order.
    fn files(&self, files: &[PathBuf]) -> Vec<(PathBuf, Result<LoadedHook, Vec<LoadError>>)> {
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
        let mut loaded = std::thread::scope(|scope| {
            let others: Vec<_> = (1..workers.min(files.len()))
                .map(|_| scope.spawn(work))
                .collect();
            let mut loaded = work();
            for other in others {
                match other.join() {
                    Ok(done) => loaded.extend(done),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            loaded
        });
        loaded.sort_by_key(|(index, ..)| *index);
        loaded
            .into_iter()
            .map(|(_, file, hook)| (file, hook))
            .collect()
    }

    /// Loads one file, and holds it against its grants.
    fn file(&self, file: &Path) -> Result<LoadedHook, Vec<LoadError>> {
        let hook = self.inspect(file).map_err(|error| vec![*error])?;
        let missing = resolve::not_granted(&hook.descriptor, &hook.shape, self.settings);
        if hook.resolved.enabled && !missing.is_empty() {
            let errors = missing
                .into_iter()
                .map(|fault| LoadError::new(file, Stage::Resolve, fault));
            return Err(errors.collect());
        }
        self.equipped(hook).map_err(|faults| {
            let errors = faults.into_iter();
            errors
                .map(|fault| LoadError::new(file, Stage::Resolve, fault))
                .collect()
        })
    }

    /// Gives a hook that runs the secrets, directories and servers that it imports and was granted.
    fn equipped(&self, mut hook: LoadedHook) -> Result<LoadedHook, Vec<LoadFault>> {
        let wants = |permission| {
            let mut imports = hook.shape.imports.iter();
            let wanted = imports.any(|import| import.capability.permission == permission);
            wanted && hook.resolved.enabled
        };
        let (files, secrets) = (wants(Permission::Directories), wants(Permission::Secrets));
        let http = wants(Permission::Http);
        if files {
            let hooks = match hook.file.parent() {
                Some(dir) if dir != Path::new("") => dir,
                _ => Path::new("."),
            };
            hook.resolved.directories = directories::find(hooks, &hook.resolved.grants)?;
        }
        if secrets {
            let names = &hook.resolved.grants.secrets;
            let secrets = Arc::new(Secrets::read(names, self.secrets)?);
            Arc::make_mut(&mut hook.resolved.profile).secrets = secrets;
        }
        if http {
            let resolved = &mut hook.resolved;
            resolved.egress = Some(Arc::new(Egress {
                hook: resolved.profile.id.clone(),
                rules: resolved.grants.http.clone(),
                limits: resolved.limits.http,
                tls: http::tls(&self.settings.http.roots)?,
                secrets: resolved.profile.secrets.clone(),
            }));
        }
        Ok(hook)
    }

    /// Loads one file without regard to its grants.
    pub(crate) fn inspect(&self, file: &Path) -> Result<LoadedHook, Box<LoadError>> {
        let started = Instant::now();
        let fail = |stage| move |fault| Box::new(LoadError::new(file, stage, fault));
        let symlinks = self.settings.integrity.symlinks;
        let most = self.settings.engine.component_bytes;
        let bytes = read::component_bytes(file, symlinks, most).map_err(fail(Stage::Read))?;
        let bytes = Arc::new(bytes);
        let digest = Digest::of(&bytes);
        let differs = self.lock.and_then(|lock| lock.differs(file, &digest));
        let unpinned = self.judge(differs).map_err(fail(Stage::Lock))?;
        let (component, from_cache) = self
            .compiled(file, &bytes, &digest)
            .map_err(fail(Stage::Compile))?;
        let mut shape = inspect::shape(&self.runtime.engine, &component, &bytes)
            .map_err(fail(Stage::Inspect))?;
        let mut pre = self
            .linkers
            .link(&component, shape.calling)
            .map_err(fail(Stage::Link))?;
        let descriptor = describe::describe(self.runtime, &pre, &shape, &self.settings.defaults)
            .map_err(fail(Stage::Describe))?;
        let differs = self
            .lock
            .and_then(|lock| lock.differs_in_id(file, &descriptor.id));
        let differs = self.judge(differs).map_err(fail(Stage::Lock))?;
        let unpinned = unpinned.or(differs);
        let pin = match (self.lock, &unpinned) {
            (None, _) => Pin::NoLock,
            (Some(_), None) => Pin::Pinned,
            (Some(_), Some(_)) => Pin::Differs,
        };
        let resolved = resolve::resolve(&descriptor, &shape, self.settings, digest)
            .map_err(fail(Stage::Resolve))?;
        if resolved.grants.directories() && shape.has_directories() {
            pre = self
                .linkers
                .link(&component, shape.calling)
                .map_err(fail(Stage::Link))?;
        }
        (self.progress)(Progress::Loaded {
            file,
            took: started.elapsed(),
            from_cache,
        });
        Ok(LoadedHook {
            runtime: self.runtime.clone(),
            file: file.to_owned(),
            digest,
            size: bytes.len() as u64,
            shape,
            descriptor,
            resolved,
            pre,
            pool: Pool::default(),
            breaker: Arc::new(Breaker::new(self.settings.quarantine)),
            pin,
            unpinned,
        })
    }

    /// What the hook imports and was not granted.
    pub(crate) fn not_granted(&self, hook: &LoadedHook) -> Vec<LoadFault> {
        resolve::not_granted(&hook.descriptor, &hook.shape, self.settings)
    }

    fn compiled(
        &self,
        file: &Path,
        bytes: &Arc<Vec<u8>>,
        digest: &Digest,
    ) -> Result<(Component, bool), LoadFault> {
        let engine = &self.runtime.engine;
        if let Some(component) = self.cache.and_then(|cache| cache.get(engine, digest)) {
            return Ok((component, true));
        }
        (self.progress)(Progress::Compiling(file));
        let component = compile::compile(engine, bytes.clone(), self.settings.engine.compile)?;
        if let Some(cache) = self.cache
            && let Err(e) = cache.put(engine, digest, &component)
        {
            tracing::warn!(cache = %cache.dir().display(), "compiled hook not kept: {e}");
        }
        Ok((component, false))
    }
}
