//! Loading of a single hook file.

use std::path::Path;
use std::sync::{Arc, Once};
use std::time::Instant;

use wasmtime::Engine;

use super::compiler::CompileLimits;
use super::compiling::Uncompiled;
use super::describe::Declaration;
use super::{
    About, LoadError, LoadFault, LoadedHook, Loader, LocatedHook, OperatorOverrides, Pin, Progress,
    Stage, When, config, describe, inspect, parts, read, resolve, trust, version,
};
use crate::chain::quarantine::Breaker;
use crate::contract::text::sanitize_for_terminal;
use crate::model::verdict::Digest;
use crate::sandbox::capabilities::{self, Sources};
use crate::sandbox::component::Component;
use crate::sandbox::info::in_use;
use crate::sandbox::instance::mappings_of;
use crate::sandbox::lines::SourceLines;
use crate::sandbox::mappings;
use crate::sandbox::pool::Pools;
use crate::sandbox::pooling_engine::in_engine;
use crate::settings::OnMismatch;

impl Loader<'_> {
    /// Loads one file and checks it against its grants. An unchanged hook is the same object as
    /// before.
    pub(super) fn file(&self, file: &Path) -> Result<LocatedHook, Vec<LoadError>> {
        let found = self.inspect(file)?;
        let wrong = |faults: Vec<LoadFault>| -> Vec<LoadError> {
            let errors = faults.into_iter();
            errors
                .map(|fault| LoadError::new(file, Stage::Resolve, fault))
                .collect()
        };
        let id = found.hook.descriptor.id.clone();
        let mut missing = match self.settings.knows_grants(&id) {
            true => self.not_granted(file, &found.hook),
            // An entry that was left out of hooks.toml has its own error.
            false => Vec::new(),
        };
        missing.extend(self.promises.missing(&found.hook));
        let is_enabled = found.hook.resolved.enabled;
        let is_unnamed = |fault: &LoadFault| matches!(fault, LoadFault::Unnamed { .. });
        let is_read = !self.settings.source.lacks(&["hooks", &id, "config"]);
        let misfits = match is_enabled && is_read && !missing.iter().any(is_unnamed) {
            true => config::faults(file, &found.hook, self.settings),
            false => Vec::new(),
        };
        let equipped = self.equipped(file, found.hook);
        let hook = match equipped {
            Ok(hook) if !is_enabled || (missing.is_empty() && misfits.is_empty()) => hook,
            equipped => {
                let differs = found
                    .unpinned
                    .map(|fault| LoadError::new(file, Stage::Lock, fault));
                let missing = match is_enabled {
                    true => missing,
                    false => Vec::new(),
                };
                let unequipped = equipped.err().unwrap_or_default();
                let errors = differs.into_iter().chain(wrong(missing)).chain(misfits);
                return Err(errors.chain(wrong(unequipped)).collect());
            }
        };
        let mut before = self.before.found.iter().map(|found| &found.hook);
        Ok(LocatedHook {
            hook: match before.find(|before| before.is_same(&hook)) {
                Some(before) => before.clone(),
                None => Arc::new(hook),
            },
            file: found.file,
            pin: found.pin,
            unpinned: found.unpinned,
            amended: OperatorOverrides::default(),
        })
    }

    /// Gives an enabled hook the secrets, directories and servers that it imports and was granted.
    fn equipped(&self, file: &Path, mut hook: LoadedHook) -> Result<LoadedHook, Vec<LoadFault>> {
        if !hook.resolved.enabled {
            return Ok(hook);
        }
        let Component {
            info,
            setup,
            runtime,
            ..
        } = Arc::make_mut(&mut hook.component);
        let sources = Sources {
            hooks: match file.parent() {
                Some(dir) if dir != Path::new("") => dir,
                _ => Path::new("."),
            },
            secrets: self.secrets,
            #[cfg(feature = "http")]
            roots: &self.settings.http.roots,
            directories: &self.settings.engine.directories,
        };
        for capability in in_use(&info.imports) {
            (capability.open)(setup, &sources)
                .map_err(|errors| errors.into_iter().map(LoadFault::from).collect::<Vec<_>>())?;
        }
        runtime.secrets.add(&setup.secrets);
        setup.views = info.views();
        Arc::make_mut(&mut hook.resolved.profile).secrets = setup.secrets.clone();
        Ok(hook)
    }

    /// Loads one file regardless of its grants.
    pub(crate) fn inspect(&self, file: &Path) -> Result<LocatedHook<LoadedHook>, Vec<LoadError>> {
        let started = Instant::now();
        let symlinks = self.settings.integrity.symlinks;
        let most = self.settings.engine.component_bytes;
        let bytes = read::component_bytes(file, symlinks, most);
        let bytes = bytes.map_err(|fault| vec![LoadError::new(file, Stage::Read, fault)])?;
        let bytes = Arc::new(bytes);
        let digest = Digest::of(&bytes);
        let differs = self.lock.and_then(|lock| lock.differs(file, &digest));
        let differ = |fault| LoadError::new(file, Stage::Lock, fault);
        let unpinned = self.judge(differs).map_err(|fault| vec![differ(fault)])?;
        let inspected = self.inspect_bytes(file, &bytes, digest, unpinned.clone(), started);
        // A change of the file may be the cause, so it is reported first.
        inspected.map_err(|error| unpinned.map(differ).into_iter().chain([*error]).collect())
    }

    fn inspect_bytes(
        &self,
        file: &Path,
        bytes: &Arc<Vec<u8>>,
        digest: Digest,
        unpinned: Option<LoadFault>,
        started: Instant,
    ) -> Result<LocatedHook<LoadedHook>, Box<LoadError>> {
        let fail = |stage| move |fault| Box::new(LoadError::new(file, stage, fault));
        let counted = parts::count(bytes).map_err(fail(Stage::Compile))?;
        // A component that ran before is compiled and has described itself.
        let mut before = self.before.found.iter().map(|found| &found.hook);
        let before = before.find(|before| before.digest == digest);
        let (component, from_cache) = match before {
            Some(before) => (before.component.pre.component().clone(), true),
            None => self
                .compiled(file, bytes, &digest)
                .map_err(fail(Stage::Compile))?,
        };
        let lines = match before {
            Some(before) => before.component.info.lines.clone(),
            None => SourceLines::of(bytes),
        };
        let mut info =
            inspect::inspect(&component, counted, lines.clone()).map_err(fail(Stage::Inspect))?;
        // A part of a newer contract fails with an error about types, but the version is the cause.
        let newer = |fault| version::explained(fault, &info.contract);
        let link = |component, calling| self.linkers.link(component, calling).map_err(not_linked);
        let mut pre =
            link(&component, info.calling).map_err(|fault| fail(Stage::Link)(newer(fault)))?;
        let Declaration { descriptor, config } = match before {
            Some(before) => Declaration {
                descriptor: before.descriptor.clone(),
                config: before.config.clone(),
            },
            None => describe::describe(
                &self.compiling.runtime,
                &pre,
                &info,
                &self.settings.defaults,
            )
            .map_err(|fault| {
                fail(Stage::Describe)(match fault {
                    fault @ LoadFault::Signature { .. } => newer(fault),
                    other => other,
                })
            })?,
        };
        let differs = self
            .lock
            .and_then(|lock| lock.differs_in_id(file, &descriptor.id));
        let differs = self.judge(differs).map_err(fail(Stage::Lock))?;
        let unpinned = match (unpinned, differs) {
            (
                Some(LoadFault::OtherDigest { found, pinned, .. }),
                Some(LoadFault::OtherId { found: id, .. }),
            ) => Some(LoadFault::OtherDigest {
                found,
                pinned,
                other_id: Some(id.into()),
            }),
            (unpinned, differs) => unpinned.or(differs),
        };
        let pin = match (self.lock, &unpinned) {
            (None, _) => Pin::NoLock,
            (Some(_), None) => Pin::Pinned,
            (Some(_), Some(_)) => Pin::Differs,
        };
        let (resolved, setup) =
            resolve::resolve(&descriptor, &info, self.settings, digest, self.promises)
                .map_err(fail(Stage::Resolve))?;
        let engine = self.compiling.runtime.engine_for(setup.isolation);
        let component = in_engine(&component, engine);
        let moved = !Engine::same(component.engine(), pre.engine());
        if moved {
            info = inspect::inspect(&component, counted, lines).map_err(fail(Stage::Inspect))?;
        }
        let stored = |capability: &_| {
            self.linkers.stored() && capabilities::waits_for_store(capability, setup.write_state)
        };
        if info.grant(&resolved.grants, stored) || moved {
            pre = link(&component, info.calling).map_err(fail(Stage::Link))?;
        }
        let runtime = &self.compiling.runtime;
        // The mappings of loaded code are already counted.
        let mapped = match before.filter(|_| !moved) {
            Some(before) => before.component.mapped.clone(),
            None => runtime
                .mappings
                .take_for_code(mappings::of_component())
                .map(Arc::new)
                .map_err(|full| fail(Stage::Link)(LoadFault::Mappings(full.to_string())))?,
        };
        (self.progress)(Progress::Loaded {
            file,
            took: started.elapsed(),
            from_cache,
        });
        // A component that failed under other settings may not fail under these.
        let (quarantine, under) = (self.settings.quarantine, setup.digest());
        let breaker = before.map(|before| before.breaker.clone());
        let breaker = breaker.filter(|breaker| breaker.is_of(quarantine, under));
        Ok(LocatedHook {
            file: file.to_owned(),
            pin,
            unpinned,
            amended: OperatorOverrides::default(),
            hook: LoadedHook {
                digest,
                size: bytes.len() as u64,
                descriptor,
                about: before.map_or_else(|| About::of(bytes), |before| before.about.clone()),
                config,
                resolved,
                component: Arc::new(Component {
                    runtime: runtime.clone(),
                    info,
                    pre,
                    pools: Pools::default(),
                    warned: Arc::new(Once::new()),
                    setup,
                    mapped,
                }),
                breaker: breaker.unwrap_or_else(|| Arc::new(Breaker::new(quarantine, under))),
            },
        })
    }

    /// Returns a difference from the lock as an error or as a value to report.
    fn judge(&self, differs: Option<LoadFault>) -> Result<Option<LoadFault>, LoadFault> {
        match (differs, self.on_mismatch) {
            (Some(fault), OnMismatch::Refuse) => Err(fault),
            (differs, _) => Ok(differs),
        }
    }

    /// Returns the faults for imports that the hook was not granted.
    pub(crate) fn not_granted(&self, file: &Path, hook: &LoadedHook) -> Vec<LoadFault> {
        trust::not_granted(file, &hook.descriptor, &hook.component.info, self.settings)
    }

    fn compiled(
        &self,
        file: &Path,
        bytes: &Arc<Vec<u8>>,
        digest: &Digest,
    ) -> Result<(wasmtime::component::Component, bool), LoadFault> {
        let limits = CompileLimits::of(&self.settings.engine);
        if let Some(known) = self.compiling.known(digest, limits) {
            return Ok((known?, true));
        }
        let uncompiled = Uncompiled {
            file: file.to_owned(),
            digest: *digest,
            bytes: bytes.clone(),
            limits,
        };
        let component = match &self.when {
            When::Now => {
                let begins = |file: &Path| (self.progress)(Progress::Compiling(file));
                let cancel = &self.compiling.cancel;
                self.compiling.compile(&uncompiled, cancel, begins)?
            }
            When::Later(later) => match later.done.get(digest) {
                Some(done) => done.clone()?,
                None => {
                    later.want(uncompiled);
                    return Err(LoadFault::BeingCompiled);
                }
            },
        };
        Ok((component, false))
    }
}

/// Returns the reason why no instance of a hook can start, however few calls run. Called after all
/// components are loaded, since they use mappings too.
pub(super) fn never_starts(found: &LocatedHook) -> Option<LoadError> {
    let Component {
        runtime,
        pre,
        info,
        setup,
        ..
    } = &*found.hook.component;
    let mappings = mappings_of(runtime, pre, info);
    let full = runtime.mappings.check(mappings, setup.purpose).err()?;
    let fault = LoadFault::Mappings(full.to_string());
    let is_enabled = found.hook.resolved.enabled;
    is_enabled.then(|| LoadError::new(&found.file, Stage::Resolve, fault))
}

fn not_linked(error: wasmtime::Error) -> LoadFault {
    LoadFault::Link(sanitize_for_terminal(&format!("{error:#}")))
}
