//! What hooks can be written in: one module for each language.
//!
//! A language is a line in [`Language`] and a `Toolchain`: its templates, what a new project gets of its
//! SDK, and how its sources become a component. No other module depends on it.

pub mod go;
mod javascript;
pub mod native;
mod python;
pub mod rust;

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::process::Command;
use std::str::FromStr;

use include_dir::Dir;
use serde::Deserialize;
use tempfile::TempDir;

use crate::build::{BuildError, Work};
use crate::error::read;
use crate::{FileError, Project, nearest};

/// What a hook can be written in.
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
    /// All of them.
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

    /// Its name, as `portcullis.toml` has it.
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

    /// Where its SDK is, in the directory of the SDKs.
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

    /// The packages that build its hooks, at exact versions; none where what is on the machine does.
    pub fn packages(self) -> &'static [&'static str] {
        self.toolchain().packages()
    }

    pub(crate) fn toolchain(self) -> &'static dyn Toolchain {
        match self {
            Self::Rust => &rust::Rust,
            Self::C => &native::C,
            Self::Cpp => &native::Cpp,
            Self::Zig => &native::Zig,
            Self::JavaScript => &javascript::JavaScript,
            Self::TypeScript => &javascript::TypeScript,
            Self::Python => &python::Python,
            Self::Go => &go::Go,
        }
    }
}

/// What a language has to bring.
pub(crate) trait Toolchain {
    /// The files of a new project. Each ends in `.jinja` and is rendered with what
    /// [`create`](crate::create) says of the project.
    fn templates(&self) -> &'static Dir<'static>;

    /// The files of the SDK that a new project gets: where each is in the directory of the SDKs, and what
    /// it holds.
    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)>;

    /// The packages that build it, at exact versions.
    fn packages(&self) -> &'static [&'static str] {
        &[]
    }

    /// The directories with all that its build reads, if that is known and a build costs much when nothing has changed.
    fn reads(&self, project: &Project) -> Option<Vec<PathBuf>> {
        let _ = project;
        None
    }

    /// Makes the component: its bytes.
    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError>;
}

/// There is no such language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no language `{name}`{}: there are {}",
    nearest::hint(name, Language::ALL.iter().map(|language| language.name())),
    Language::ALL.iter().map(|language| language.name()).collect::<Vec<_>>().join(", ")
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

/// The component that an SDK's own tool makes of a hook's entry module.
pub(crate) fn with_tool(
    work: &mut Work<'_>,
    mut tool: Command,
    entry: &str,
) -> Result<Vec<u8>, BuildError> {
    let place = scratch()?;
    let component = place.path().join("hook.wasm");
    tool.arg(entry)
        .arg("--wit")
        .arg(work.project().wit_dir())
        .arg("-o")
        .arg(&component);
    work.run(&mut tool)?;
    Ok(read(&component)?)
}

/// The files under an embedded directory, each at its path below it.
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

/// A directory for one build, gone when that is over.
pub(crate) fn scratch() -> Result<TempDir, FileError> {
    tempfile::tempdir().map_err(|cause| FileError::new("write to", &std::env::temp_dir(), cause))
}
