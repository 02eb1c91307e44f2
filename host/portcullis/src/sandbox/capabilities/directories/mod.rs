//! `wasi:filesystem`: the directories that a hook was granted, and nothing above them. Language
//! runtimes always import it. Without a grant it is inert, since the hook has no directory to start
//! from.
//!
//! A directory is opened once, when its hook is loaded, and every instance gets that descriptor.
//! The path is not resolved again: a hook could have put something else there.

mod kept;
#[cfg(unix)]
mod listing;
mod place;
#[cfg(unix)]
mod snapshot;
mod walk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wasmtime::component::{HasData, Resource, ResourceTable};
use wasmtime_wasi::FsPerms;
use wasmtime_wasi::filesystem::{Descriptor, Dir, OpenMode, WasiFilesystem, WasiFilesystemView};
use wasmtime_wasi::p2::bindings::filesystem::preopens;
use wasmtime_wasi::p2::bindings::{filesystem, sync};

use super::capability::{OpenError, errors, named};
use super::{Access, CallMode, Capability, Grants, Key, Permission};
use crate::contract::linked::component::Linker;
use crate::contract::text::sanitize_for_terminal;
use crate::model::reached::Used;
use crate::sandbox::store::HookStore;

pub(crate) use kept::KeptDirectories;
pub(crate) use place::passed;
use place::{Identity, Place};

/// A directory that a hook may use.
#[derive(Clone)]
pub(crate) struct Directory {
    /// The path for the hook, as the operator wrote it.
    pub(crate) guest: String,
    pub(crate) writable: bool,
    opened: Dir,
    place: Place,
    /// The last known contents, if calls are recorded.
    #[cfg(unix)]
    seen: Arc<snapshot::Seen>,
}

impl std::fmt::Debug for Directory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Directory")
            .field("guest", &self.guest)
            .field("writable", &self.writable)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Directory {
    /// Returns whether both are the same directory under the same name, whatever is at the path
    /// now.
    fn eq(&self, other: &Self) -> bool {
        self.guest == other.guest
            && self.writable == other.writable
            && self.place.itself() == other.place.itself()
    }
}

/// The error for a directory that cannot be given to a hook.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unusable {
    /// The directory, as it was written.
    pub(crate) path: String,
    /// The reason, and the fix.
    pub(crate) why: String,
}

impl Directory {
    /// Opens the directories of a grant, relative to the hooks directory, or their replacements.
    pub(crate) fn open_all(
        hooks: &Path,
        instead: &BTreeMap<String, PathBuf>,
        read: &[String],
        write: &[String],
    ) -> Result<Arc<[Self]>, Vec<Unusable>> {
        let written = write.iter().map(|path| (path, true));
        let only_read = read.iter().filter(|path| !write.contains(path));
        let (mut opened, mut unusable) = (Vec::new(), Vec::new());
        for (path, writable) in written.chain(only_read.map(|path| (path, false))) {
            let at = instead.get(path).map_or(Path::new(path), PathBuf::as_path);
            match Self::open(hooks, path, at, writable) {
                Ok(directory) => opened.push(directory),
                Err(why) => unusable.push(Unusable {
                    path: sanitize_for_terminal(path),
                    why,
                }),
            }
        }
        match unusable.is_empty() {
            true => Ok(opened.into()),
            false => Err(unusable),
        }
    }

    fn open(hooks: &Path, guest: &str, at: &Path, writable: bool) -> Result<Self, String> {
        let opened = walk::open(hooks, at).map_err(|stopped| stopped.why())?;
        let place = Place::of(&opened, &hooks.join(at))
            .map_err(|e| format!("cannot be looked at ({e}); let this user read it"))?;
        let (perms, mode) = match writable {
            true => (FsPerms::ReadWrite, OpenMode::READ | OpenMode::WRITE),
            false => (FsPerms::ReadOnly, OpenMode::READ),
        };
        Ok(Self {
            guest: guest.to_owned(),
            writable,
            opened: Dir::new(opened, perms, mode, false),
            place,
            #[cfg(unix)]
            seen: Arc::default(),
        })
    }

    /// Returns whether the directory is within another one.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.place.is_within(other.place.itself())
    }

    /// Returns whether the directory has one of these identities.
    pub(crate) fn is_among(&self, identities: &[Identity]) -> bool {
        identities.contains(self.place.itself())
    }
}

/// The directories that an instance was granted, the table of its handles, and the record of its
/// used grants.
struct Granted<'a> {
    directories: Arc<[Directory]>,
    table: &'a mut ResourceTable,
    used: &'a mut Used,
}

/// The keys of grants.
const READ: &str = "read";
const WRITE: &str = "write";

struct Preopens;

impl HasData for Preopens {
    type Data<'a> = Granted<'a>;
}

impl preopens::Host for Granted<'_> {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        let directories = self.directories.iter();
        directories
            .map(|directory| {
                let key = if directory.writable { WRITE } else { READ };
                self.used.mark(key, &directory.guest);
                let descriptor = Descriptor::Dir(directory.opened.clone());
                Ok((self.table.push(descriptor)?, directory.guest.clone()))
            })
            .collect()
    }
}

/// Returns whether a resource is a directory being read.
#[cfg(unix)]
pub(super) fn is_listing(resource: &(dyn std::any::Any + Send)) -> bool {
    resource.is::<listing::Listing>()
}

#[cfg(not(unix))]
pub(super) fn is_listing(resource: &(dyn std::any::Any + Send)) -> bool {
    resource.is::<filesystem::types::DirectoryEntryStream>()
}

/// Adds nothing: on other systems, wasmtime reads a directory as a whole.
#[cfg(not(unix))]
mod listing {
    pub(super) fn add_to_linker(_: &mut super::Linker<super::HookStore>) -> wasmtime::Result<()> {
        Ok(())
    }
}

/// Language runtimes import the interface even if the hook uses no files.
pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::Optional(&[
        Key::list(READ, "<directory>", |grants| grants.read.clone())
            .included_in(|grants| grants.write.clone()),
        Key::list(WRITE, "<directory>", |grants| grants.write.clone()),
    ]),
    access: Access::Reach,
    sends: |grants| (!grants.write.is_empty()).then(|| named("the directories", &grants.write)),
    // Disk access takes time.
    waits: |_| true,
    open: |setup, sources| {
        let Grants { read, write, .. } = &*setup.grants;
        let opened = Directory::open_all(sources.hooks, sources.directories, read, write);
        setup.directories = opened.map_err(|e| errors(e, OpenError::Directory))?;
        Ok(())
    },
    notes_use: true,
    ..Capability::new(
        &["wasi:filesystem/types", "wasi:filesystem/preopens"],
        "use files in the directories that it was granted",
        link,
    )
};

fn link(linker: &mut Linker<HookStore>, mode: CallMode) -> wasmtime::Result<()> {
    preopens::add_to_linker::<_, Preopens>(linker, |store| {
        store.called().count_held();
        let (directories, table) = store.capabilities.wasi.granted();
        let used = &mut store.used;
        Granted {
            directories,
            table,
            used,
        }
    })?;
    match mode {
        // These functions are never called: a hook with a directory is called as one that can wait.
        CallMode::Sync => sync::filesystem::types::add_to_linker::<_, WasiFilesystem>(
            linker,
            HookStore::filesystem,
        ),
        CallMode::Async => {
            filesystem::types::add_to_linker::<_, WasiFilesystem>(linker, HookStore::filesystem)?;
            listing::add_to_linker(linker)
        }
    }
}

#[cfg(test)]
mod tests;
