//! `Cargo.lock`: the digests of packages.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context as _;
use toml::Table;

/// The digests of the packages that come from the registry, by name and version.
pub struct Lock(HashMap<(String, String), String>);

impl Lock {
    /// Reads the lock file of a workspace.
    pub fn read(root: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(root.join("Cargo.lock"))
            .context("Cargo.lock cannot be read")?;
        let lock: Table = text.parse()?;
        let packages = lock["package"]
            .as_array()
            .context("Cargo.lock has another form")?;
        let digests = packages.iter().filter_map(|package| {
            let text = |key: &str| Some(package.get(key)?.as_str()?.to_owned());
            Some(((text("name")?, text("version")?), text("checksum")?))
        });
        Ok(Self(digests.collect()))
    }

    /// Returns the SHA-256 of a package's file.
    pub fn checksum(&self, name: &str, version: &str) -> Option<&str> {
        let key = (name.to_owned(), version.to_owned());
        self.0.get(&key).map(String::as_str)
    }
}
