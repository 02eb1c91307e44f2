//! The contract between hooks and host, as WIT: its points, its imports, and the world of a hook.

mod shape;
mod world;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::Context as _;
use include_dir::{Dir, include_dir};
use wit_parser::{PackageId, Resolve, SourceMap};

pub use shape::{Item, PointShape};
pub use world::{UnknownImport, World};

use crate::FileError;
use crate::error::write;

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../wit");

#[allow(
    clippy::expect_used,
    reason = "what is embedded was read when this crate was tested"
)]
static EMBEDDED: LazyLock<Contract> =
    LazyLock::new(|| Contract::from_embedded().expect("the embedded WIT is sound"));

/// The contract: the WIT package `portcullis:hooks` and those it needs.
#[derive(Debug)]
pub struct Contract {
    resolve: Resolve,
    package: PackageId,
    points: Vec<PointShape>,
}

/// The contract could not be read.
#[derive(Debug, thiserror::Error)]
#[error("the WIT in {} is not a contract of Portcullis: {cause:#}", dir.display())]
pub struct ContractError {
    dir: PathBuf,
    cause: anyhow::Error,
}

impl Contract {
    /// Returns the contract that this crate was built with.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Reads the contract in a directory, such as a project's `wit`.
    ///
    /// # Errors
    ///
    /// The directory cannot be read, or is not the WIT of hooks.
    pub fn read(dir: &Path) -> Result<Self, ContractError> {
        let read = || {
            let mut resolve = Resolve::default();
            let (package, _) = resolve.push_dir(dir)?;
            Self::of(resolve, package)
        };
        read().map_err(|cause| ContractError {
            dir: dir.to_owned(),
            cause,
        })
    }

    fn from_embedded() -> anyhow::Result<Self> {
        let mut main = SourceMap::default();
        push(&mut main, &FILES);
        let mut deps = Vec::new();
        for dir in FILES.dirs().flat_map(Dir::dirs) {
            let mut map = SourceMap::default();
            push(&mut map, dir);
            deps.push(map.parse().map_err(|(_, cause)| cause)?);
        }
        let mut resolve = Resolve::default();
        let main = main.parse().map_err(|(_, cause)| cause)?;
        let package = resolve.push_groups(main, deps)?;
        Self::of(resolve, package)
    }

    fn of(resolve: Resolve, package: PackageId) -> anyhow::Result<Self> {
        let own = resolve.packages.get(package).context("no such package")?;
        let points = shape::points(&resolve, own)?;
        Ok(Self {
            resolve,
            package,
            points,
        })
    }

    /// Returns its points, in the order of the contract.
    pub fn points(&self) -> &[PointShape] {
        &self.points
    }

    /// Returns its version, such as `0.2.0`.
    pub fn version(&self) -> String {
        self.resolve
            .packages
            .get(self.package)
            .and_then(|package| package.name.version.as_ref())
            .map_or_else(String::new, ToString::to_string)
    }

    /// Returns its parsed WIT, for tools.
    pub(crate) fn resolve(&self) -> (&Resolve, PackageId) {
        (&self.resolve, self.package)
    }

    /// Returns the embedded files: where each is under `wit`, and its text.
    pub fn files() -> Vec<(PathBuf, &'static str)> {
        let mut files = Vec::new();
        gather(&FILES, &mut files);
        files.sort();
        files
    }

    /// Writes the embedded files into a directory.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub fn write(dir: &Path) -> Result<(), FileError> {
        Self::files()
            .into_iter()
            .try_for_each(|(path, text)| write(&dir.join(path), text.as_bytes()))
    }
}

fn push(map: &mut SourceMap, dir: &Dir<'_>) {
    for file in dir.files() {
        let text = file.contents_utf8().unwrap_or_default();
        map.push_str(&file.path().display().to_string(), text);
    }
}

fn gather(dir: &Dir<'static>, into: &mut Vec<(PathBuf, &'static str)>) {
    for file in dir.files() {
        into.push((
            file.path().to_owned(),
            file.contents_utf8().unwrap_or_default(),
        ));
    }
    dir.dirs().for_each(|dir| gather(dir, into));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_contract_is_the_one_in_its_files() {
        let dir = tempfile::tempdir().unwrap();
        Contract::write(dir.path()).unwrap();
        let read = Contract::read(dir.path()).unwrap();
        let embedded = Contract::embedded();
        assert_eq!(read.version(), embedded.version());
        assert_eq!(read.points(), embedded.points());
        assert!(!embedded.points().is_empty());
    }
}
