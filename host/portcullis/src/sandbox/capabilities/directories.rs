//! `wasi:filesystem`: the directories that a hook was granted, and nothing above them. Language
//! runtimes import it always: without a grant it is inert, since there is no directory to begin with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wasmtime::component::Linker;
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView as _};
use wasmtime_wasi::p2::bindings::{filesystem, sync};
use wasmtime_wasi::{FsPerms, WasiCtxBuilder};

use super::CallMode;
use crate::model::failure::Failure;
use crate::sandbox::store::HookStore;

/// What a hook can do that was granted a directory.
pub(crate) const LETS: &str = "use files in the directories that it was granted";

/// Whether an interface is of files.
pub(crate) fn is_files(interface: &str) -> bool {
    interface.starts_with("wasi:filesystem/")
}

/// A directory that a hook may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Directory {
    /// Where it is.
    host: PathBuf,
    /// What the hook calls it: as the operator wrote it.
    guest: String,
    writable: bool,
}

/// A directory that a hook was granted cannot be given to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("was granted the directory `{path}`, which {why}")]
pub struct DirectoryError {
    /// The directory, as the operator wrote it.
    pub path: String,
    /// Why, and what to do.
    pub why: String,
}

/// Finds the directories of a grant, which are named from the hooks directory.
pub(crate) fn find(
    hooks: &Path,
    read: &[String],
    write: &[String],
) -> Result<Arc<[Directory]>, Vec<DirectoryError>> {
    let written = write.iter().map(|path| (path, true));
    let read = read.iter().filter(|path| !write.contains(path));
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for (path, writable) in written.chain(read.map(|path| (path, false))) {
        match directory(hooks, path, writable) {
            Ok(directory) => found.push(directory),
            Err(why) => faults.push(DirectoryError {
                path: crate::contract::text::sanitize_for_terminal(path),
                why,
            }),
        }
    }
    match faults.is_empty() {
        true => Ok(found.into()),
        false => Err(faults),
    }
}

fn directory(hooks: &Path, path: &str, writable: bool) -> Result<Directory, String> {
    let named = hooks.join(path);
    let missing = |e| {
        format!(
            "is not there ({}: {e}); make it, or take the grant away",
            named.display()
        )
    };
    let host = named.canonicalize().map_err(missing)?;
    if !host.is_dir() {
        return Err("is no directory; grant the one that it is in".into());
    }
    // Whoever writes there says which hooks run, and what they may.
    let hooks = hooks.canonicalize().map_err(missing)?;
    if writable && hooks.starts_with(&host) {
        return Err("holds the hooks themselves and hooks.toml, which no hook may write; grant one within it".into());
    }
    Ok(Directory {
        host,
        guest: path.to_owned(),
        writable,
    })
}

/// Opens the directories for an instance.
pub(super) fn open(builder: &mut WasiCtxBuilder, directories: &[Directory]) -> Result<(), Failure> {
    for directory in directories {
        let perms = match directory.writable {
            true => FsPerms::ReadWrite,
            false => FsPerms::ReadOnly,
        };
        builder
            .preopened_dir(&directory.host, &directory.guest, perms)
            .map_err(|e| {
                let why = format!(
                    "its directory `{}` cannot be opened: {e:#}",
                    directory.guest
                );
                Failure::Host(crate::contract::text::sanitize_for_terminal(&why))
            })?;
    }
    Ok(())
}

pub(super) fn add_to_linker(
    linker: &mut Linker<HookStore>,
    calling: CallMode,
) -> wasmtime::Result<()> {
    filesystem::preopens::add_to_linker::<_, WasiFilesystem>(linker, HookStore::filesystem)?;
    match calling {
        // Nothing of it is ever reached: a hook that has a directory is called as one that waits.
        CallMode::Sync => sync::filesystem::types::add_to_linker::<_, WasiFilesystem>(
            linker,
            HookStore::filesystem,
        ),
        CallMode::Async => {
            filesystem::types::add_to_linker::<_, WasiFilesystem>(linker, HookStore::filesystem)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grant_names_directories_from_that_of_the_hooks() {
        let dir = tempfile::tempdir().unwrap();
        let hooks = dir.path().join("hooks");
        for name in ["hooks/a", "hooks/b", "beside"] {
            std::fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        std::fs::write(hooks.join("file"), "").unwrap();
        let paths = |paths: &[&str]| -> Vec<String> {
            paths.iter().map(|path| (*path).to_owned()).collect()
        };
        let find = |read: &[&str], write: &[&str]| find(&hooks, &paths(read), &paths(write));
        let found = find(&["a", "b", "../beside", "."], &["b"]).unwrap();
        let told: Vec<_> = found
            .iter()
            .map(|d| (d.guest.as_str(), d.writable))
            .collect();
        assert_eq!(
            told,
            [
                ("b", true),
                ("a", false),
                ("../beside", false),
                (".", false)
            ]
        );
        for (found, why) in [
            (find(&["none"], &[]), "`none`, which is not there"),
            (find(&["file"], &[]), "`file`, which is no directory"),
            (find(&[], &["."]), "no hook may write"),
            (find(&[], &[".."]), "no hook may write"),
        ] {
            let faults = found.expect_err(why);
            assert!(faults[0].to_string().contains(why), "{}", faults[0]);
        }
    }
}
