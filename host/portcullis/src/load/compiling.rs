//! When components are compiled: while they are loaded, or beside the hooks that run.

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

/// What compiling needs, and keeps from one time to the next.
pub(crate) struct Compiling {
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) cache: Option<CompileCache>,
    pub(crate) compilers: Compilers,
    /// What did not compile before.
    pub(crate) failed: FailedCompiles,
    /// Ends compilations that are under way.
    pub(crate) cancel: CancellationToken,
}

/// A component that was read and is not compiled.
#[derive(Debug, Clone)]
pub(crate) struct Uncompiled {
    pub(crate) file: PathBuf,
    pub(crate) digest: Digest,
    pub(crate) bytes: Arc<Vec<u8>>,
    pub(crate) limits: CompileLimits,
}

/// When a component is compiled that is not compiled yet.
pub(crate) enum When<'a> {
    /// While it is loaded.
    Now,
    /// By somebody else: it does not load until that is done.
    Later(&'a Later),
}

/// Components that are compiled elsewhere.
pub(crate) struct Later {
    /// The results of those that were compiled.
    pub(super) done: HashMap<Digest, Result<Component, LoadFault>>,
    /// Those that are to be compiled.
    wanted: Mutex<Vec<Uncompiled>>,
}

impl Later {
    /// With what was compiled so far.
    pub(crate) fn after(done: HashMap<Digest, Result<Component, LoadFault>>) -> Self {
        Self {
            done,
            wanted: Mutex::default(),
        }
    }

    /// Forgets what is to be compiled: the directory is read anew.
    pub(crate) fn restart(&self) {
        self.lock().clear();
    }

    pub(super) fn want(&self, component: Uncompiled) {
        self.lock().push(component);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Uncompiled>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those that are to be compiled, in the order of their files.
    pub(crate) fn into_wanted(self) -> Vec<Uncompiled> {
        let wanted = self.wanted.into_inner();
        let mut wanted = wanted.unwrap_or_else(PoisonError::into_inner);
        wanted.sort_by(|a, b| a.file.cmp(&b.file));
        wanted
    }
}

impl Compiling {
    /// A component from the cache, or why it is known not to compile.
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

    /// Compiles a component, and keeps it or why it does not compile. Blocks until it is compiled, over
    /// a limit or cancelled.
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
