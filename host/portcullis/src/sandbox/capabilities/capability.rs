//! What a capability is: interfaces that hooks may import, and all that the host knows of them.

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

/// Something that hooks may import.
#[derive(Debug, Clone, Copy)]
pub struct Capability {
    /// The WIT interfaces that it consists of, without their versions.
    pub interfaces: &'static [&'static str],
    /// What a hook can do with it, in plain words.
    pub description: &'static str,
    /// What must be granted for it. Default: nothing.
    pub permission: Permission,
    /// What it is to a reader of reports. Default: something that the hook sees.
    pub access: Access,
    /// The feature of this crate that it needs, if the crate was built without it. Default: none.
    pub needs_feature: Option<&'static str>,
    /// The least role of a hook that imports it. Default: one that observes.
    pub(crate) role: HookRole,
    /// The private data that a hook reads with it, in words. Default: none.
    pub(crate) reads: fn(&Grants) -> Option<String>,
    /// Where a hook can send data with it, in words. Default: nowhere.
    pub(crate) sends: fn(&Grants) -> Option<String>,
    /// Whether a function of it can make a hook wait. Default: none can.
    pub(crate) waits: fn(function: &str) -> bool,
    /// Whether a run notes which of its grants was used. Default: it does not.
    pub(crate) notes_use: bool,
    /// Opens what a hook was granted of it, once, when the hook is loaded. Default: nothing is opened.
    pub(crate) open: fn(&mut Setup, &Sources<'_>) -> Result<(), Vec<OpenError>>,
    /// Wires it into a linker.
    pub(crate) link: fn(&mut Linker<HookStore>, CallMode) -> wasmtime::Result<()>,
}

impl Capability {
    /// A capability that every hook has, and that is harmless.
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

/// A capability is known by its interfaces.
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

/// What a capability is to a reader of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The hook sees something.
    See,
    /// The hook changes or keeps something.
    Change,
    /// The hook reaches something outside of its calls.
    Reach,
}

/// Where the things are that a hook can be granted.
pub(crate) struct Sources<'a> {
    /// The hooks directory.
    pub(crate) hooks: &'a Path,
    pub(crate) secrets: &'a dyn SecretSource,
    /// The files of `[http] roots`.
    #[cfg(feature = "http")]
    pub(crate) roots: &'a [PathBuf],
    /// What is in the place of granted directories, by the paths of the grants.
    pub(crate) directories: &'a BTreeMap<String, PathBuf>,
}

/// Something that a hook was granted cannot be opened.
#[derive(Debug)]
pub(crate) enum OpenError {
    Directory(Unusable),
    Secret(MissingSecret),
    #[cfg(feature = "http")]
    Tls(super::http::TlsError),
}

/// As errors of one type.
pub(super) fn errors<E>(errors: Vec<E>, as_open_error: fn(E) -> OpenError) -> Vec<OpenError> {
    errors.into_iter().map(as_open_error).collect()
}

/// What something is, and its names if it has any.
pub(crate) fn named(what: &str, names: &[String]) -> String {
    match names {
        [] => what.to_owned(),
        names => format!("{what} ({})", names.join(", ")),
    }
}
