//! A cache of compiled hooks on disk, so that the next start takes milliseconds.
//!
//! Compiled code runs with the host's permissions, so only files that this host wrote are loaded:
//! the directory belongs to the host's user, and nobody else may read or write it. A file is found
//! by the digest of the component, the wasmtime version and the engine configuration. It ends with
//! the digest of its content. The digest detects truncated, swapped and damaged files. It does not
//! protect against the user's other programs, which can write a correct digest too.
//!
//! A file is read once for the digest and then mapped: a call touches few of the tens of megabytes
//! of a compiled Python, and none are copied. The digest is BLAKE3, which is as fast as memory.
//! Later reads from disk are not checked again. If files cannot be mapped as executable, such as on
//! a mount without `exec`, they are copied into memory.

pub(super) mod functions;
mod private;

use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use wasmtime::Engine;
use wasmtime::component::Component;

use super::LoadFault;
use super::compiler::Compiled;
use crate::model::verdict::Digest;
use private::{Exchange, exchangeable, is_mine_alone, make_private, me, open};

/// A directory of compiled hooks.
#[derive(Debug, Clone)]
pub struct CompileCache {
    dir: PathBuf,
    owner: u32,
}

/// The number of digest bytes at the end of a file.
const DIGEST: usize = blake3::OUT_LEN;

/// The cache cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The directory cannot be created or read.
    #[error("the compile cache {} cannot be used: {cause}", dir.display())]
    Io {
        /// The directory.
        dir: PathBuf,
        /// The cause.
        #[source]
        cause: io::Error,
    },
    /// The directory is not private to its user.
    #[error(
        "the compile cache {} belongs to others, or can be read or written by them, and compiled code that others wrote must \
         not run; delete it (the host makes a private one), or name another directory",
        dir.display()
    )]
    NotPrivate {
        /// The directory.
        dir: PathBuf,
    },
    /// The directory is in one of another user, who can replace it.
    #[error(
        "the compile cache {} is in {}, which belongs to another user, who can put another cache in its place, and compiled code that others wrote must not run; name another directory",
        dir.display(), above.display()
    )]
    OfAnother {
        /// The directory.
        dir: PathBuf,
        /// The directory above it that belongs to another user.
        above: PathBuf,
    },
    /// Other users can replace the directory.
    #[error(
        "the compile cache {} can be exchanged by others, who can write to {}, and compiled code that others wrote must not \
         run; take that from them (chmod go-w {}), or name another directory",
        dir.display(), above.display(), above.display()
    )]
    Exchangeable {
        /// The directory.
        dir: PathBuf,
        /// The directory above it that other users can write to.
        above: PathBuf,
    },
}

impl CompileCache {
    /// Opens the cache in `dir`, which is created if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be created or is not private to this user.
    pub fn open(dir: impl Into<PathBuf>) -> Result<Self, CacheError> {
        let dir = dir.into();
        let io = |cause| CacheError::Io {
            dir: dir.clone(),
            cause,
        };
        make_private(&dir).map_err(io)?;
        // Resolved once, so that a link cannot be redirected later.
        let dir = dir.canonicalize().map_err(io)?;
        let io = |cause| CacheError::Io {
            dir: dir.clone(),
            cause,
        };
        let owner = me(&dir).map_err(io)?;
        if !is_mine_alone(&std::fs::metadata(&dir).map_err(io)?, owner) {
            return Err(CacheError::NotPrivate { dir });
        }
        match exchangeable(&dir, owner).map_err(io)? {
            Some(Exchange::Owner(above)) => Err(CacheError::OfAnother { dir, above }),
            Some(Exchange::Writers(above)) => Err(CacheError::Exchangeable { dir, above }),
            None => Ok(Self { dir, owner }),
        }
    }

    /// Opens the cache in the user's cache directory. Returns `None` if the user has none.
    ///
    /// # Errors
    ///
    /// Same as [`CompileCache::open`].
    pub fn for_user() -> Result<Option<Self>, CacheError> {
        directories::ProjectDirs::from("", "", "portcullis")
            .map(|dirs| Self::open(dirs.cache_dir().join("compiled")))
            .transpose()
    }

    /// Returns the cache directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the compiled component, if it exists. An entry that differs from what `put` wrote is
    /// removed.
    pub(crate) fn get(&self, engine: &Engine, component: &Digest) -> Option<Component> {
        let path = self.path(engine, component);
        let found = match self.read(&path) {
            Ok(None) => return None,
            Ok(Some(file)) => {
                // SAFETY: the directory and the file are private to this user, and the bytes are
                // those that `put` wrote from wasmtime's own output: they have its digest.
                let mapped = unsafe { Component::deserialize_file(engine, opened(&file, &path)) };
                mapped.or_else(|_| copied(engine, file, &path))
            }
            Err(why) => Err(why),
        };
        let why = match found {
            Ok(component) => return Some(component),
            Err(why) => why,
        };
        tracing::warn!(path = %path.display(), "a compiled hook is discarded, and the hook compiled again: {why}");
        if let Err(e) = std::fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), "it cannot be removed: {e}");
        }
        None
    }

    /// Opens a file that is private to this user, if it exists.
    fn open_own(&self, path: &Path) -> Result<Option<File>, String> {
        let file = match open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e.to_string()),
        };
        let meta = file.metadata().map_err(|e| e.to_string())?;
        if !meta.is_file() {
            return Err("it is not a regular file".into());
        }
        if !is_mine_alone(&meta, self.owner) {
            return Err("others may read or write it, or own it".into());
        }
        Ok(Some(file))
    }

    /// Opens a file and checks its digest. Returns `None` if it does not exist.
    fn read(&self, path: &Path) -> Result<Option<File>, String> {
        let Some(mut file) = self.open_own(path)? else {
            return Ok(None);
        };
        let size = file.metadata().map_err(|e| e.to_string())?.len();
        let size = size.checked_sub(DIGEST as u64).ok_or_else(changed)?;
        let mut digest = [0; DIGEST];
        let found = checksum(path, (&mut file).take(size))
            .and_then(|found| file.read_exact(&mut digest).map(|()| found))
            .map_err(|e| e.to_string())?;
        match found == digest {
            true => Ok(Some(file)),
            false => Err(changed()),
        }
    }

    /// Writes a compiled component.
    fn put(&self, engine: &Engine, digest: &Digest, compiled: impl Read) -> io::Result<()> {
        self.write(&self.path(engine, digest), compiled)
    }

    /// Writes a file atomically, with its digest at the end.
    fn write(&self, path: &Path, mut content: impl Read) -> io::Result<()> {
        // Temporary files are private to their user.
        let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
        io::copy(&mut content, &mut file)?;
        file.rewind()?;
        let sum = checksum(path, &mut file)?;
        file.write_all(sum.as_bytes())?;
        file.persist(path)?;
        Ok(())
    }

    fn path(&self, engine: &Engine, component: &Digest) -> PathBuf {
        let mut key = KeyHasher(blake3::Hasher::new());
        component.to_string().hash(&mut key);
        engine.precompile_compatibility_hash().hash(&mut key);
        let name = key.0.finalize().to_hex();
        self.dir.join(name.as_str()).with_extension("cwasm")
    }
}

/// A [`Hasher`] that computes a BLAKE3 hash instead of a short one.
struct KeyHasher(blake3::Hasher);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

/// Writes a compiled component to the cache, if there is one, and returns it ready to run. The
/// output of a child is mapped, not copied into this process.
pub(super) fn keep(
    cache: Option<&CompileCache>,
    engine: &Engine,
    digest: &Digest,
    compiled: Compiled,
) -> Result<Component, LoadFault> {
    let not_kept = |cache: &CompileCache, e: io::Error| {
        tracing::warn!(cache = %cache.dir().display(), "compiled hook not kept: {e}");
    };
    match (compiled, cache) {
        (Compiled::Component(component), Some(cache)) => {
            let bytes = component
                .serialize()
                .map_err(|e| io::Error::other(format!("{e:#}")));
            if let Err(e) = bytes.and_then(|bytes| cache.put(engine, digest, bytes.as_slice())) {
                not_kept(cache, e);
            }
            Ok(component)
        }
        (Compiled::Component(component), None) => Ok(component),
        (Compiled::File(mut file), Some(cache)) => {
            let kept = file
                .rewind()
                .and_then(|()| cache.put(engine, digest, &mut file));
            if let Err(e) = kept {
                not_kept(cache, e);
            }
            match cache.get(engine, digest) {
                Some(component) => Ok(component),
                None => of_worker(engine, file),
            }
        }
        (Compiled::File(file), None) => of_worker(engine, file),
    }
}

/// Returns a component that a worker compiled, without keeping a file.
fn of_worker(engine: &Engine, mut file: File) -> Result<Component, LoadFault> {
    // SAFETY: the file has no name, and nobody but this host's own worker had it open.
    let mapped = unsafe { Component::deserialize_file(engine, opened(&file, Path::new(""))) };
    let mut copied = || {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        // SAFETY: as above.
        unsafe { Component::deserialize(engine, bytes) }
    };
    mapped.or_else(|_| copied()).map_err(|e| {
        LoadFault::Compiler(format!(
            "the compiler's process gave what this host cannot run; is its program built from the same version? {e:#}"
        ))
    })
}

/// Returns a compiled component from a copy in memory.
fn copied(engine: &Engine, file: File, path: &Path) -> Result<Component, String> {
    let compiled = content(file, path)?;
    // SAFETY: the same as for the mapped file.
    unsafe { Component::deserialize(engine, compiled) }.map_err(|e| format!("{e:#}"))
}

/// Returns the content of a file, if its digest is correct.
fn content(mut file: File, path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    file.rewind()
        .and_then(|()| file.read_to_end(&mut bytes))
        .map_err(|e| e.to_string())?;
    let size = match bytes.split_last_chunk::<DIGEST>() {
        Some((content, digest)) if checksum(path, content).is_ok_and(|found| found == *digest) => {
            content.len()
        }
        _ => return Err(changed()),
    };
    bytes.truncate(size);
    Ok(bytes)
}

fn changed() -> String {
    "it is not what was written there".into()
}

/// Returns the digest of an entry. It includes the file name, so that swapped entries are detected.
fn checksum(path: &Path, compiled: impl Read) -> io::Result<blake3::Hash> {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let mut digest = blake3::Hasher::new();
    digest.update(name);
    digest.update_reader(compiled)?;
    Ok(digest.finalize())
}

/// Returns a path to the opened file itself, even if another file has replaced it in the directory.
/// Without `/proc`, returns `path`.
#[cfg(target_os = "linux")]
fn opened(file: &File, path: &Path) -> PathBuf {
    use std::os::fd::AsRawFd;
    let opened = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
    match opened.exists() {
        true => opened,
        false => path.to_owned(),
    }
}

#[cfg(not(target_os = "linux"))]
fn opened(_: &File, path: &Path) -> PathBuf {
    path.to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// Returns a cache with one entry, and the entry.
    fn kept() -> (tempfile::TempDir, CompileCache, Engine, Digest, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let cache = CompileCache::open(dir.path().join("compiled")).unwrap();
        let engine = Engine::default();
        let digest = Digest::of(b"a component");
        let component = Component::new(&engine, b"\0asm\x0d\0\x01\0").unwrap();
        let bytes = component.serialize().unwrap();
        cache.put(&engine, &digest, bytes.as_slice()).unwrap();
        let path = cache.path(&engine, &digest);
        assert!(cache.get(&engine, &digest).is_some());
        (dir, cache, engine, digest, path)
    }

    fn mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_is_kept_is_its_users_alone() {
        let (_dir, cache, .., path) = kept();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(cache.dir()), mode(&path)), (0o700, 0o600));
    }

    #[test]
    fn an_entry_that_is_not_what_was_written_is_thrown_away() {
        type Tamper = fn(&Path);
        let flip: Tamper = |path| {
            let mut bytes = std::fs::read(path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::fs::write(path, bytes).unwrap();
        };
        let flip_digest: Tamper = |path| {
            let mut bytes = std::fs::read(path).unwrap();
            *bytes.last_mut().unwrap() ^= 1;
            std::fs::write(path, bytes).unwrap();
        };
        let cut: Tamper = |path| {
            let bytes = std::fs::read(path).unwrap();
            std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        };
        let stub: Tamper = |path| std::fs::write(path, b"x").unwrap();
        let open_up: Tamper = |path| mode(path, 0o640);
        let link: Tamper = |path| {
            let other = path.with_extension("other");
            std::fs::rename(path, &other).unwrap();
            symlink(other, path).unwrap();
        };
        for (name, tamper) in [
            ("flip", flip),
            ("flip digest", flip_digest),
            ("cut", cut),
            ("stub", stub),
            ("open up", open_up),
            ("link", link),
        ] {
            let (_dir, cache, engine, digest, path) = kept();
            tamper(&path);
            assert!(cache.get(&engine, &digest).is_none(), "{name}");
            assert!(std::fs::symlink_metadata(&path).is_err(), "{name}");
        }
    }

    #[test]
    fn where_it_cannot_be_mapped_it_is_copied_and_checked_again() {
        let (_dir, _cache, engine, _, path) = kept();
        assert!(copied(&engine, File::open(&path).unwrap(), &path).is_ok());
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        for changed in [&bytes[..], &bytes[..middle], b"x"] {
            std::fs::write(&path, changed).unwrap();
            assert!(copied(&engine, File::open(&path).unwrap(), &path).is_err());
        }
    }

    #[test]
    fn an_entry_under_the_name_of_another_is_thrown_away() {
        let (_dir, cache, engine, _, path) = kept();
        let other = Digest::of(b"another");
        std::fs::copy(&path, cache.path(&engine, &other)).unwrap();
        assert!(cache.get(&engine, &other).is_none());
    }
}
