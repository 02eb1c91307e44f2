//! Capabilities: interfaces that hooks may import, and the host's facts about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::directories::Unusable;
use super::permission::Permission;
use super::{CallMode, Grants};
use crate::contract::HookRole;
use crate::contract::linked::component::Linker;
use crate::model::secrets::{MissingSecret, SecretSource};
use crate::sandbox::component::Setup;
use crate::sandbox::store::HookStore;

/// A set of interfaces that hooks may import.
#[derive(Debug, Clone, Copy)]
pub struct Capability {
    /// The WIT interfaces, without their versions.
    pub interfaces: &'static [&'static str],
    /// The hook's use of the capability, in plain words.
    pub description: &'static str,
    /// The required grant. Default: none.
    pub permission: Permission,
    /// The kind of access, for readers of reports. Default: the hook sees something.
    pub access: Access,
    /// The required feature of this crate, if the crate was built without it. Default: none.
    pub needs_feature: Option<&'static str>,
    /// The least role of a hook that imports the capability. Default: observer.
    pub(crate) role: HookRole,
    /// The private data that a hook reads with the capability, in words. Default: none.
    pub(crate) reads: fn(&Grants) -> Option<String>,
    /// The places to which a hook can send data with the capability, in words. Default: none.
    pub(crate) sends: fn(&Grants) -> Option<String>,
    /// Returns whether a function can make a hook wait. Default: none can.
    pub(crate) waits: fn(function: &str) -> bool,
    /// Whether a run records the use of the grants. Default: it does not.
    pub(crate) notes_use: bool,
    /// Opens the resources of a hook's grant, once, when the hook is loaded. Default: nothing is
    /// opened.
    pub(crate) open: fn(&mut Setup, &Sources<'_>) -> Result<(), Vec<OpenError>>,
    /// Adds the interfaces to a linker.
    pub(crate) link: fn(&mut Linker<HookStore>, CallMode) -> wasmtime::Result<()>,
}

impl Capability {
    /// Creates a capability that every hook has, and that is harmless.
    pub(crate) const fn new(
        interfaces: &'static [&'static str],
        description: &'static str,
        link: fn(&mut Linker<HookStore>, CallMode) -> wasmtime::Result<()>,
    ) -> Self {
        Self {
            interfaces,
            description,
            permission: Permission::None,
            access: Access::See,
            needs_feature: None,
            role: HookRole::Observe,
            reads: |_| None,
            sends: |_| None,
            waits: |_| false,
            notes_use: false,
            open: |_, _| Ok(()),
            link,
        }
    }
}

/// Capabilities are compared by their interfaces.
impl PartialEq for Capability {
    fn eq(&self, other: &Self) -> bool {
        self.interfaces == other.interfaces
    }
}

impl Eq for Capability {}

impl Serialize for Capability {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Capability", 2)?;
        fields.serialize_field("grants", &self.permission.keys())?;
        fields.serialize_field("description", self.description)?;
        fields.end()
    }
}

/// The kind of access that a capability gives, for readers of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The hook sees something.
    See,
    /// The hook changes or keeps something.
    Change,
    /// The hook reaches something outside of its calls.
    Reach,
}

/// The sources of the resources that a hook can be granted.
pub(crate) struct Sources<'a> {
    /// The hooks directory.
    pub(crate) hooks: &'a Path,
    pub(crate) secrets: &'a dyn SecretSource,
    /// The files of `[http] roots`.
    #[cfg(feature = "http")]
    pub(crate) roots: &'a [PathBuf],
    /// The directories that replace granted ones, by the paths of the grants.
    pub(crate) directories: &'a BTreeMap<String, PathBuf>,
}

/// The error for a granted resource that cannot be opened.
#[derive(Debug)]
pub(crate) enum OpenError {
    Directory(Unusable),
    Secret(MissingSecret),
    #[cfg(feature = "http")]
    Tls(super::http::TlsError),
}

/// Converts errors to one type.
pub(super) fn errors<E>(errors: Vec<E>, as_open_error: fn(E) -> OpenError) -> Vec<OpenError> {
    errors.into_iter().map(as_open_error).collect()
}

/// Returns a description with the names, if there are any.
pub(crate) fn named(what: &str, names: &[String]) -> String {
    match names {
        [] => what.to_owned(),
        names => format!("{what} ({})", names.join(", ")),
    }
}
