//! The languages of hooks: one module for each language.
//!
//! A language is a line in [`Language`] and a `Toolchain`: its templates, the SDK files of a new
//! project, and the build from sources to a component. No other module depends on it.

pub mod go;
mod javascript;
pub mod native;
mod python;
pub mod rust;

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use include_dir::Dir;
use serde::Deserialize;
use tempfile::TempDir;

use crate::build::{BuildContext, BuildError, Work};
use crate::error::read;
use crate::{FileError, Material, Project, nearest};

/// A language for hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub enum Language {
    /// Rust, with the crate `portcullis-sdk`.
    Rust,
    /// C, with the header `portcullis.h`.
    C,
    /// C++, with the header `portcullis.hpp`.
    Cpp,
    /// Zig, with the module `portcullis`.
    Zig,
    /// JavaScript, with the package `portcullis`.
    JavaScript,
    /// TypeScript, with the package `portcullis`.
    TypeScript,
    /// Python, with the package `portcullis`.
    Python,
    /// Go, with the module `portcullis`.
    Go,
}

impl Language {
    /// All languages.
    pub const ALL: &[Self] = &[
        Self::Rust,
        Self::C,
        Self::Cpp,
        Self::Zig,
        Self::JavaScript,
        Self::TypeScript,
        Self::Python,
        Self::Go,
    ];

    /// Returns its name, as in `portcullis.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Zig => "zig",
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
            Self::Python => "python",
            Self::Go => "go",
        }
    }

    /// Returns the directory of its SDK, in the directory of the SDKs.
    pub fn sdk_folder(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::Zig => "zig",
            Self::JavaScript | Self::TypeScript => "javascript",
            Self::Python => "python",
            Self::Go => "go",
        }
    }

    /// Returns the packages that build its hooks, at exact versions; none if the machine's own
    /// tools do.
    pub fn packages(self) -> &'static [&'static str] {
        self.toolchain().packages()
    }

    pub(crate) fn toolchain(self) -> &'static dyn Toolchain {
        match self {
            Self::Rust => &rust::Rust,
            Self::C => &native::C,
            Self::Cpp => &native::Cpp,
            Self::Zig => &native::Zig,
            Self::JavaScript => &javascript::JAVASCRIPT,
            Self::TypeScript => &javascript::TYPESCRIPT,
            Self::Python => &python::Python,
            Self::Go => &go::Go,
        }
    }
}

/// The implementation of a language.
pub(crate) trait Toolchain {
    /// Returns the files of a new project. Each ends in `.jinja` and is rendered with the values
    /// that [`create`](crate::create) has for the project.
    fn templates(&self) -> &'static Dir<'static>;

    /// Returns the SDK files of a new project: the path of each in the directory of the SDKs, and
    /// its content.
    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)>;

    /// Returns its SDK as a package of the language's registry, if it is one.
    fn package(&self) -> Option<SdkPackage> {
        None
    }

    /// Installs the packages that the project's manifest names, if a build reads them from the
    /// project's own directory.
    fn prepare(&self, _project: &Project, _cx: &mut BuildContext<'_>) -> Result<(), BuildError> {
        Ok(())
    }

    /// Writes the files that sources include and that are made from the points. Editors read them
    /// too.
    fn generate(&self, _project: &Project) -> Result<(), BuildError> {
        Ok(())
    }

    /// Returns the packages that build it, at exact versions.
    fn packages(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the files that a build reads and may look for, if a build is expensive even when
    /// nothing has changed. The build itself notes the inputs that cannot be known before it: see
    /// [`Work::note_found`].
    fn reads(&self, project: &Project) -> Option<Vec<PathBuf>> {
        let _ = project;
        None
    }

    /// Returns whether the lock file names the SDK even if that is in a directory.
    fn locks_sdk(&self) -> bool {
        false
    }

    /// Returns the materials that its tools put into a component, and other known facts of its
    /// making.
    fn materials(&self, _project: &Project, _component: &[u8]) -> Vec<Material> {
        Vec::new()
    }

    /// Makes the component, and returns its bytes.
    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError>;
}

/// An SDK as a package of the language's registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SdkPackage {
    /// Its name.
    pub(crate) name: &'static str,
    pub(crate) packed: Packed,
}

/// The kind of a packed SDK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packed {
    /// The directory of an unpacked crate: cargo uses no other.
    Crate,
    /// The file of `npm pack`.
    Tarball,
    Wheel,
}

impl Packed {
    pub(crate) fn what(self) -> &'static str {
        match self {
            Self::Crate => {
                "the directory that the `.crate` file of `cargo package` was unpacked to, with that of its macros beside it"
            }
            Self::Tarball => "the `.tgz` file that `npm pack` makes",
            Self::Wheel => "the wheel, a `.whl` file",
        }
    }
}

impl SdkPackage {
    /// Its version, which is that of this command.
    pub(crate) const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    /// Returns whether the path is a packed SDK of this kind.
    pub(crate) fn is(&self, path: &Path) -> bool {
        let ends = |ending: &str| path.is_file() && path.extension().is_some_and(|is| is == ending);
        match self.packed {
            Packed::Crate => path.join("Cargo.toml").is_file(),
            Packed::Tarball => ends("tgz"),
            Packed::Wheel => ends("whl"),
        }
    }
}

/// The language does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no language `{name}`{}",
    nearest::hint(
        name,
        Language::ALL.iter().map(|language| language.name()),
        format_args!(
            "there are {}",
            Language::ALL.iter().map(|language| language.name()).collect::<Vec<_>>().join(", ")
        )
    )
)]
pub struct UnknownLanguage {
    name: String,
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(name: &str) -> Result<Self, UnknownLanguage> {
        let known = Self::ALL.iter().find(|language| language.name() == name);
        known.copied().ok_or_else(|| UnknownLanguage {
            name: name.to_owned(),
        })
    }
}

impl TryFrom<String> for Language {
    type Error = UnknownLanguage;

    fn try_from(name: String) -> Result<Self, UnknownLanguage> {
        name.parse()
    }
}

impl Display for Language {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the component that an SDK's own tool makes of a hook's entry module.
pub(crate) fn with_tool(
    work: &mut Work<'_>,
    mut tool: Command,
    entry: &str,
) -> Result<Vec<u8>, BuildError> {
    let place = scratch()?;
    let component = place.path().join("hook.wasm");
    tool.arg(entry).arg("-o").arg(&component);
    // A package contains the contract.
    if !work.project().has_package() {
        tool.arg("--wit").arg(work.project().wit_dir());
    }
    let made = work.run_as("portcullis-build", &mut tool);
    made.map_err(of_hook)?;
    Ok(read(&component)?)
}

/// The exit code of an SDK's tool for a hook that is wrong.
const WRONG_HOOK: i32 = 3;

/// Distinguishes a faulty hook from a failed tool.
fn of_hook(error: BuildError) -> BuildError {
    match error {
        BuildError::Tool { status, output, .. } if status.code() == Some(WRONG_HOOK) => {
            BuildError::Hook { output }
        }
        other => other,
    }
}

/// Returns the files under an embedded directory, each at its path below it.
pub(crate) fn embedded(dir: &'static Dir<'static>) -> Vec<(PathBuf, &'static [u8])> {
    let mut files = Vec::new();
    let mut dirs = vec![dir];
    while let Some(dir) = dirs.pop() {
        files.extend(
            dir.files()
                .map(|file| (file.path().to_owned(), file.contents())),
        );
        dirs.extend(dir.dirs());
    }
    files.sort();
    files
}

/// Returns a temporary directory for one build.
pub(crate) fn scratch() -> Result<TempDir, FileError> {
    tempfile::tempdir().map_err(|cause| FileError::new("write to", &std::env::temp_dir(), cause))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Language, SdkPackage};

    #[test]
    fn packages_have_the_names_and_the_version_of_their_manifests() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guest-sdk");
        for &language in Language::ALL {
            let Some(package) = language.toolchain().package() else {
                continue;
            };
            let manifest = ["package.json", "pyproject.toml", "Cargo.toml"]
                .map(|name| root.join(language.sdk_folder()).join(name));
            let text = manifest
                .iter()
                .find_map(|file| fs::read_to_string(file).ok());
            let text = text.expect("a manifest");
            let says = |key: &str, value: &str| {
                let json = format!("\"{key}\": \"{value}\"");
                text.contains(&json) || text.contains(&format!("{key} = \"{value}\""))
            };
            assert!(says("name", package.name), "{language}");
            let inherits = text.contains("version.workspace = true");
            assert!(
                inherits || says("version", SdkPackage::VERSION),
                "{language}"
            );
        }
    }
}
