//! Compiled hooks on disk, so that the next start takes milliseconds.
//!
//! Loading compiled code runs it, so only files that this host wrote are loaded: the directory
//! belongs to its user and nobody else may write to it. A file is found by the digest of the
//! component, the version of wasmtime and the configuration of the engine.

use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::Digest as _;
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::verdict::Digest;

/// A directory of compiled hooks.
#[derive(Debug, Clone)]
pub struct CompileCache {
    dir: PathBuf,
}

/// The cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The directory cannot be made or read.
    #[error("the compile cache {} cannot be used: {cause}", dir.display())]
    Io {
        /// The directory.
        dir: PathBuf,
        /// What went wrong.
        #[source]
        cause: io::Error,
    },
    /// Others may write to the directory.
    #[error(
        "the compile cache {} can be written by others, and compiled code that others wrote must \
         not run; delete it (it is made anew, private), or name another directory",
        dir.display()
    )]
    NotPrivate {
        /// The directory.
        dir: PathBuf,
    },
}

impl CompileCache {
    /// The cache in `dir`, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// The directory cannot be made, or others may write to it.
    pub fn open(dir: impl Into<PathBuf>) -> Result<Self, CacheError> {
        let dir = dir.into();
        let io = |cause| CacheError::Io {
            dir: dir.clone(),
            cause,
        };
        make_private(&dir).map_err(io)?;
        // Resolved once, so that a link cannot be turned elsewhere later.
        let dir = dir.canonicalize().map_err(io)?;
        let io = |cause| CacheError::Io {
            dir: dir.clone(),
            cause,
        };
        if !is_private(&dir).map_err(io)? {
            return Err(CacheError::NotPrivate { dir });
        }
        Ok(Self { dir })
    }

    /// The cache in the user's cache directory, or nothing if the user has none.
    ///
    /// # Errors
    ///
    /// As [`CompileCache::open`].
    pub fn for_user() -> Result<Option<Self>, CacheError> {
        directories::ProjectDirs::from("", "", "portcullis")
            .map(|dirs| Self::open(dirs.cache_dir().join("compiled")))
            .transpose()
    }

    /// Where it is.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The compiled component, if it is there.
    pub(crate) fn get(&self, engine: &Engine, component: &Digest) -> Option<Component> {
        let path = self.path(engine, component);
        if !path.exists() {
            return None;
        }
        // SAFETY: the directory is private to this user (checked when it was opened), so the file
        // is one that `put` wrote from wasmtime's own output, whole, since it is renamed in place.
        let found = unsafe { Component::deserialize_file(engine, &path) };
        found
            .inspect_err(|e| tracing::warn!(path = %path.display(), "compiled hook not used: {e}"))
            .ok()
    }

    /// Keeps a compiled component.
    pub(crate) fn put(
        &self,
        engine: &Engine,
        digest: &Digest,
        component: &Component,
    ) -> io::Result<()> {
        let bytes = component
            .serialize()
            .map_err(|e| io::Error::other(format!("{e:#}")))?;
        let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
        file.write_all(&bytes)?;
        file.persist(self.path(engine, digest))?;
        Ok(())
    }

    fn path(&self, engine: &Engine, component: &Digest) -> PathBuf {
        let mut key = KeyHasher(sha2::Sha256::new());
        component.to_string().hash(&mut key);
        engine.precompile_compatibility_hash().hash(&mut key);
        let key: [u8; 32] = key.0.finalize().into();
        let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.dir.join(name).with_extension("cwasm")
    }
}

/// Hashes with SHA-256 instead of the short hashes of [`Hasher`].
struct KeyHasher(sha2::Sha256);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

#[cfg(unix)]
const OTHERS_WRITE: u32 = 0o022;
#[cfg(unix)]
const STICKY: u32 = 0o1000;

#[cfg(unix)]
fn make_private(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
}

#[cfg(unix)]
fn is_private(dir: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let meta = std::fs::metadata(dir)?;
    // A file made just now belongs to this process's user.
    let mine = tempfile::NamedTempFile::new_in(dir)?
        .as_file()
        .metadata()?
        .uid();
    let mut private = meta.mode() & OTHERS_WRITE == 0 && (meta.uid() == mine || meta.uid() == 0);
    // Whoever can write to a directory above can put another one in its place, unless it is one,
    // such as /tmp, in which only owners may rename.
    for above in dir.ancestors().skip(1) {
        let mode = std::fs::metadata(above)?.mode();
        private &= mode & OTHERS_WRITE == 0 || mode & STICKY != 0;
    }
    Ok(private)
}

#[cfg(not(unix))]
fn make_private(dir: &Path) -> io::Result<()> {
    std::fs::create_dir_all(dir)
}

#[cfg(not(unix))]
fn is_private(_: &Path) -> io::Result<bool> {
    // The user's own directories are private by default elsewhere.
    Ok(true)
}
