//! A component that is to be put into a hooks directory.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use portcullis::hooks::{HooksError, LoadErrors};
use portcullis::lock::Origin;
use portcullis::verdict::Digest;
use tempfile::TempDir;

/// A component that is to be put into a hooks directory. Until then it is a temporary file, which is removed with this
/// value.
#[derive(Debug)]
pub(crate) struct Arrival {
    staged: TempDir,
    bytes: Vec<u8>,
    /// The digest of the file in the directory that it replaces.
    pub(super) replaces: Option<Digest>,
    pub(super) origin: Origin,
}

/// A file's earlier content.
pub(super) struct Undo {
    file: PathBuf,
    before: Option<Vec<u8>>,
}

impl Arrival {
    /// Writes a fetched component into a temporary directory. `replaces` is the digest of the file
    /// that it replaces.
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

    /// Returns the path of the staged file.
    pub(crate) fn file(&self) -> PathBuf {
        self.staged.path().join(staged_name(&self.origin.source))
    }

    /// Returns an error that names the component's source instead of the temporary file, which is
    /// removed.
    pub(crate) fn named(&self, mut error: HooksError) -> HooksError {
        if let HooksError::Load(LoadErrors(errors)) = &mut error {
            let staged = self.file();
            for error in errors.iter_mut().filter(|error| error.file == staged) {
                error.file = PathBuf::from(&self.origin.source);
            }
        }
        error
    }

    /// Returns whether the file already has this content.
    pub(super) fn is_there(&self, file: &Path) -> bool {
        std::fs::read(file).is_ok_and(|bytes| bytes == self.bytes)
    }

    /// Puts the component into the directory, whole or not at all.
    pub(super) fn put(&self, file: &Path) -> anyhow::Result<Undo> {
        let dir = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(dir)
            .with_context(|| format!("{} cannot be made", dir.display()))?;
        let before = match std::fs::read(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            read => Some(read.with_context(|| format!("{} cannot be read", file.display()))?),
        };
        let found = before.as_deref().map(Digest::of);
        // The file of an added hook may exist already, although nobody has agreed to the hook.
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

/// Returns the file name of a fetched component, as progress shows it: the last part of the source,
/// without a tag or a query.
fn staged_name(source: &str) -> String {
    let path = source.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = last.split([':', '@']).next().unwrap_or_default();
    let name = name.strip_suffix(".wasm").unwrap_or(name);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match name.is_empty() || name.len() > 100 || !name.chars().all(is_plain) {
        true => "hook.wasm".to_owned(),
        false => format!("{name}.wasm"),
    }
}

impl Undo {
    /// Restores the file. The caller reports the error that led here.
    pub(super) fn run(self) {
        let _ = match self.before {
            Some(bytes) => crate::files::put(&self.file, &bytes),
            None => std::fs::remove_file(&self.file).map_err(Into::into),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_its_source() {
        for (source, name) in [
            ("oci://ghcr.io/acme/word-filter:1.2", "word-filter.wasm"),
            ("oci://localhost:5000/a@sha256:00", "a.wasm"),
            ("https://example.com/v1/a.wasm?key=b/c", "a.wasm"),
            ("/hooks/a_b.2.wasm", "a_b.2.wasm"),
            ("C:\\hooks\\a.wasm", "a.wasm"),
            ("https://example.com/", "hook.wasm"),
            ("/hooks/what is it.wasm", "hook.wasm"),
        ] {
            assert_eq!(staged_name(source), name, "{source}");
        }
    }
}
