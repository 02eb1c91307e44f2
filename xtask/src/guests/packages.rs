//! The hook crates.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use crate::{Error, Result};

/// The hook crates of one directory, each named like its own directory. A crate that makes no
/// `cdylib` is not a hook: hooks share its code.
#[derive(Debug)]
pub(super) struct Packages(Vec<String>);

/// A `hooks.toml`. Only the names of the hooks are read.
#[derive(Deserialize)]
struct Settings {
    hooks: toml::Table,
}

impl Packages {
    /// Reads the names of the hook crates in `dir`, in order. The list is empty if the directory
    /// does not exist.
    pub(super) fn read(dir: &Path) -> Result<Self> {
        let fault = |cause: &std::io::Error| Error::file("read", dir, cause);
        let entries = match fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Self(Vec::new())),
            Err(cause) => return Err(fault(&cause)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|cause| fault(&cause))?;
            if makes_a_component(&entry.path().join("Cargo.toml"))? {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(Self(names))
    }

    /// Keeps only the crates that have a table in these settings.
    pub(super) fn keep_named(&mut self, settings: &Path) -> Result<()> {
        let text =
            fs::read_to_string(settings).map_err(|cause| Error::file("read", settings, &cause))?;
        let settings = toml::from_str::<Settings>(&text)
            .map_err(|e| Error::new(format!("{}: {e}", settings.display())))?;
        self.0.retain(|name| settings.hooks.contains_key(name));
        Ok(())
    }

    /// Returns the names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

fn makes_a_component(manifest: &Path) -> Result<bool> {
    match fs::read_to_string(manifest) {
        Ok(text) => Ok(text.contains("\"cdylib\"")),
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(cause) => Err(Error::file("read", manifest, &cause)),
    }
}

#[cfg(test)]
impl Packages {
    pub(super) fn of(names: &[&str]) -> Self {
        Self(names.iter().map(|name| (*name).to_owned()).collect())
    }
}
