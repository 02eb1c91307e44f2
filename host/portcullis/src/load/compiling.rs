//! Compilation of components while they are loaded, or in the background while hooks run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use wasmtime::component::Component;

use super::cache::{self, CompileCache};
use super::compiler::{CompileLimits, Compilers};
use super::{FailedCompiles, LoadFault};
use crate::model::verdict::Digest;
use crate::sandbox::engine::Runtime;

/// The resources for compiling, kept between loads.
pub(crate) struct Compiling {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) cache: Option<CompileCache>,
    pub(crate) compilers: Compilers,
    /// The components that did not compile before.
    pub(crate) failed: FailedCompiles,
    /// A token that cancels compilations in progress.
    pub(crate) cancel: CancellationToken,
}

/// A component that was read and is not compiled yet.
#[derive(Debug, Clone)]
pub(crate) struct Uncompiled {
    pub(crate) file: PathBuf,
    pub(crate) digest: Digest,
    pub(crate) bytes: Arc<Vec<u8>>,
    pub(crate) limits: CompileLimits,
}

/// The time at which an uncompiled component is compiled.
pub(crate) enum When<'a> {
    /// While the component is loaded.
    Now,
    /// In the background. The component does not load until it is compiled.
    Later(&'a Later),
}

/// Components that are compiled in the background.
pub(crate) struct Later {
    /// The results so far.
    pub(super) done: HashMap<Digest, Result<Component, LoadFault>>,
    /// The components to compile.
    wanted: Mutex<Vec<Uncompiled>>,
}

impl Later {
    /// Creates the value with the results so far.
    pub(crate) fn after(done: HashMap<Digest, Result<Component, LoadFault>>) -> Self {
        Self {
            done,
            wanted: Mutex::default(),
        }
    }

    /// Clears the components to compile, since the directory is read again.
    pub(crate) fn restart(&self) {
        self.lock().clear();
    }

    pub(super) fn want(&self, component: Uncompiled) {
        self.lock().push(component);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Uncompiled>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the components to compile, in the order of their files.
    pub(crate) fn into_wanted(self) -> Vec<Uncompiled> {
        let wanted = self.wanted.into_inner();
        let mut wanted = wanted.unwrap_or_else(PoisonError::into_inner);
        wanted.sort_by(|a, b| a.file.cmp(&b.file));
        wanted
    }
}

impl Compiling {
    /// Returns a component from the cache, or the known reason why it does not compile.
    pub(super) fn known(
        &self,
        component: &Digest,
        limits: CompileLimits,
    ) -> Option<Result<Component, LoadFault>> {
        let cached = self.cache.as_ref();
        let cached = cached.and_then(|cache| cache.get(&self.runtime.engine, component));
        cached
            .map(Ok)
            .or_else(|| self.failed.of(component, limits).map(Err))
    }

    /// Compiles a component and keeps the result or the fault. Blocks until the compilation ends,
    /// exceeds a limit or is cancelled.
    pub(crate) fn compile(
        &self,
        component: &Uncompiled,
        cancel: &CancellationToken,
        begins: impl FnOnce(&Path),
    ) -> Result<Component, LoadFault> {
        let Uncompiled {
            file,
            digest,
            bytes,
            limits,
        } = component;
        begins(file);
        let cache = self.cache.as_ref();
        self.compilers
            .compile(&self.runtime, cache, bytes, *limits, cancel)
            .and_then(|compiled| cache::keep(cache, &self.runtime.engine, digest, compiled))
            .inspect_err(|fault| self.failed.remember(*digest, fault))
    }
}
