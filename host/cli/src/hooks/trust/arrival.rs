//! A component that is to be put into a hooks directory.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use portcullis::lock::Origin;
use portcullis::verdict::Digest;
use tempfile::TempDir;

/// A component that is to be put into a hooks directory. Until then it is a file elsewhere, which is gone with this.
#[derive(Debug)]
pub(crate) struct Arrival {
    staged: TempDir,
    bytes: Vec<u8>,
    /// The file in the directory that it replaces, by its digest.
    pub(super) replaces: Option<Digest>,
    pub(super) origin: Origin,
}

/// What a file was before.
pub(super) struct Undo {
    file: PathBuf,
    before: Option<Vec<u8>>,
}

impl Arrival {
    /// A component that was fetched, and the digest of the file that it replaces.
    pub(crate) fn stage(
        bytes: Vec<u8>,
        origin: Origin,
        replaces: Option<Digest>,
    ) -> anyhow::Result<Self> {
        let staged = tempfile::tempdir().context("there is no directory for temporary files")?;
        let arrival = Self {
            staged,
            bytes,
            replaces,
            origin,
        };
        std::fs::write(arrival.file(), &arrival.bytes)
            .with_context(|| format!("{} cannot be written", arrival.file().display()))?;
        Ok(arrival)
    }

    /// Where it is now.
    pub(crate) fn file(&self) -> PathBuf {
        self.staged.path().join("hook.wasm")
    }

    /// Whether it was put there before.
    pub(super) fn is_there(&self, file: &Path) -> bool {
        std::fs::read(file).is_ok_and(|bytes| bytes == self.bytes)
    }

    /// Puts it into the directory, whole or not at all.
    pub(super) fn put(&self, file: &Path) -> anyhow::Result<Undo> {
        let dir = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(dir)
            .with_context(|| format!("{} cannot be made", dir.display()))?;
        let before = match std::fs::read(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            read => Some(read.with_context(|| format!("{} cannot be read", file.display()))?),
        };
        let found = before.as_deref().map(Digest::of);
        // A hook that is added may be there already, without having been agreed to.
        let is_added_again = self.replaces.is_none() && before.as_ref() == Some(&self.bytes);
        if found != self.replaces && !is_added_again {
            bail!(
                "nothing was written: {} was changed meanwhile; run the command again",
                file.display()
            );
        }
        crate::files::put(file, &self.bytes)?;
        Ok(Undo {
            file: file.to_owned(),
            before,
        })
    }
}

impl Undo {
    /// Makes the file what it was before. The error that led here is the one to report.
    pub(super) fn run(self) {
        let _ = match self.before {
            Some(bytes) => crate::files::put(&self.file, &bytes),
            None => std::fs::remove_file(&self.file).map_err(Into::into),
        };
    }
}
