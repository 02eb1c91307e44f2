//! Loading of hooks from a directory of `.wasm` files.
//!
//! The stages for every file: read → check against `hooks.lock` → compile (or take from the cache)
//! → inspect (points from its exports, needs from its imports) → describe → resolve against
//! `hooks.toml` → link. Then the hooks are ordered at every point. All errors are found before any
//! hook runs.

mod about;
#[expect(
    unsafe_code,
    reason = "loads compiled code that this host wrote itself"
)]
pub(crate) mod cache;
pub mod compiler;
pub(crate) mod compiling;
pub(crate) mod config;
mod describe;
mod dir;
mod error;
mod failed;
mod fault;
mod file;
mod grants;
mod inspect;
mod kept;
pub(crate) mod lock;
mod missing_grant;
mod open;
mod parts;
mod promises;
mod read;
mod resolve;
mod threads;
mod trust;
mod version;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::chain::quarantine::Breaker;
use crate::contract::Descriptor;
use crate::load::compiling::{Compiling, When};
use crate::load::lock::Lock;
use crate::model::secrets::SecretSource;
use crate::model::verdict::Digest;
use crate::sandbox::component::Component;
use crate::sandbox::link::Linkers;
use crate::settings::{OnMismatch, Settings};

pub use about::About;
pub(crate) use dir::{LastHolder, Loaded, PreviousLoad};
pub use error::{LoadError, LoadErrors, Stage};
pub(crate) use failed::FailedCompiles;
pub use fault::LoadFault;
pub(crate) use kept::OperatorOverrides;
pub use missing_grant::MissingGrant;
pub(crate) use open::Seen;
pub(crate) use promises::{Promises, script_file};
pub(crate) use read::{not_a_directory, read_small};
pub(crate) use resolve::Resolved;
pub(crate) use resolve::{
    DEFAULT_PRIORITY, Declared, Effective, effective, not_granted_imports, not_to_contribute,
};
pub(crate) use trust::how_to_name;

/// A hook that is ready to be instantiated.
pub(crate) struct LoadedHook {
    pub(crate) digest: Digest,
    pub(crate) size: u64,
    pub(crate) descriptor: Descriptor,
    pub(crate) about: About,
    /// The schema of the configuration, if the hook provides one.
    pub(crate) config: Option<Arc<config::ConfigSchema>>,
    pub(crate) resolved: Resolved,
    pub(crate) component: Arc<Component>,
    pub(crate) breaker: Arc<Breaker>,
}

impl LoadedHook {
    /// Returns whether both have the same component and the same effective settings. Then the
    /// instances are kept.
    fn is_same(&self, other: &Self) -> bool {
        self.digest == other.digest
            && self.resolved == other.resolved
            && self.component.setup == other.component.setup
            && self.breaker.has_settings_of(&other.breaker)
    }
}

impl AsRef<LoadedHook> for LoadedHook {
    fn as_ref(&self) -> &LoadedHook {
        self
    }
}

/// A hook with its file.
#[derive(Clone)]
pub(crate) struct LocatedHook<H = Arc<LoadedHook>> {
    pub(crate) file: PathBuf,
    /// The state of the component in the lock.
    pub(crate) pin: Pin,
    /// The difference from the lock, if it is only reported.
    pub(crate) unpinned: Option<LoadFault>,
    /// The operator's changes since, if the hook continues as it was loaded.
    pub(crate) amended: OperatorOverrides,
    pub(crate) hook: H,
}

impl LocatedHook {
    /// Returns whether both are the same loaded hook with the same revoked grants.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.hook, &other.hook) && self.amended.revoked == other.amended.revoked
    }
}

/// The state of a component in `hooks.lock`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pin {
    /// There is no lock.
    NoLock,
    /// The component is the pinned one.
    Pinned,
    /// The component differs from the lock.
    Differs,
}

/// The progress of loading.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// The number of files that were found.
    Found(usize),
    /// A file is being compiled, which takes from 50 ms to some seconds.
    Compiling(&'a Path),
    /// A file is loaded.
    Loaded {
        /// The file.
        file: &'a Path,
        /// The time that loading took.
        took: Duration,
        /// Whether the component was already compiled.
        from_cache: bool,
    },
    /// A file did not load.
    Failed(&'a Path),
}

pub(crate) struct Loader<'a> {
    pub(crate) compiling: &'a Compiling,
    /// The time at which uncompiled components are compiled.
    pub(crate) when: When<'a>,
    pub(crate) linkers: &'a Linkers,
    /// The promises of the host.
    pub(crate) promises: Promises,
    pub(crate) settings: &'a Settings,
    pub(crate) lock: Option<&'a Lock>,
    pub(crate) on_mismatch: OnMismatch,
    pub(crate) secrets: &'a dyn SecretSource,
    /// The result of the previous load.
    pub(crate) before: &'a PreviousLoad,
    pub(crate) progress: &'a (dyn Fn(Progress<'_>) + Sync),
}
