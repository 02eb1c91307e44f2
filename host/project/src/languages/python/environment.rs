//! The virtual environment of a project whose SDK is a package: `.venv`, where uv and editors look for it.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::build::{BuildContext, BuildError};
use crate::languages::{Packed, SdkPackage};
use crate::tools::python_in;
use crate::{FileError, Project};

/// The SDK as a package.
pub(super) const SDK: SdkPackage = SdkPackage {
    name: "portcullis-hook-sdk",
    packed: Packed::Wheel,
};

const ENVIRONMENT: &str = ".venv";
const MANIFEST: &str = "pyproject.toml";

/// The program of the SDK that makes the component.
const PROGRAM: &str = "portcullis-build";

#[derive(Deserialize)]
struct Manifest {
    project: Table,
}

#[derive(Deserialize)]
struct Table {
    #[serde(default)]
    dependencies: Vec<String>,
}

/// Installs the dependencies of `pyproject.toml`. An environment of another tool, such as uv, is
/// left to that tool.
pub(super) fn ensure(project: &Project, cx: &mut BuildContext<'_>) -> Result<(), BuildError> {
    let file = project.dir().join(MANIFEST);
    let fault = |cause| FileError::new("read", &file, cause);
    let text = fs::read_to_string(&file).map_err(fault)?;
    let manifest: Manifest = toml::from_str(&text).map_err(|cause| BuildError::Component {
        what: format!("{} is not valid", file.display()),
        cause: cause.into(),
    })?;
    let dependencies = manifest.project.dependencies;
    if dependencies.is_empty() {
        return Err(missing(project));
    }
    cx.python_environment(&project.dir().join(ENVIRONMENT), &dependencies)
}

/// Returns the program that makes the component.
pub(super) fn program(project: &Project) -> Result<PathBuf, BuildError> {
    let python = python_in(&project.dir().join(ENVIRONMENT));
    let program = python.with_file_name(format!("{PROGRAM}{EXE_SUFFIX}"));
    match program.is_file() {
        true => Ok(program),
        false => Err(missing(project)),
    }
}

fn missing(project: &Project) -> BuildError {
    let (name, version) = (SDK.name, SdkPackage::VERSION);
    BuildError::NoSdk {
        dir: project.dir().join(ENVIRONMENT),
        name,
        fix: format!(
            "name it in the `dependencies` of {MANIFEST}, as \"{name}=={version}\", and install them into {ENVIRONMENT}, or \
             remove that directory, and the build makes it"
        ),
    }
}

/// Returns the manifest, and the file list of each installed package; `None` if none is installed.
pub(super) fn reads(project: &Project) -> Option<Vec<PathBuf>> {
    let mut files = vec![project.dir().join(MANIFEST)];
    for package in installed(project)? {
        files.push(package.join("RECORD"));
    }
    Some(files)
}

/// Returns the names and the versions of the installed packages.
pub(super) fn versions(project: &Project) -> Vec<(String, String)> {
    let packages = installed(project).unwrap_or_default();
    let named = packages.iter().filter_map(|dir| {
        let (name, version) = dir.file_stem()?.to_str()?.split_once('-')?;
        Some((name.replace('_', "-"), version.to_owned()))
    });
    named.collect()
}

/// Returns the directory of each installed package's metadata, which is called after it:
/// `NAME-VERSION.dist-info`.
fn installed(project: &Project) -> Option<Vec<PathBuf>> {
    let entries = fs::read_dir(packages(&project.dir().join(ENVIRONMENT))?).ok()?;
    let paths = entries.flatten().map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|ending| ending == "dist-info"));
    Some(paths.collect())
}

/// Returns the directory of an environment's packages.
fn packages(environment: &Path) -> Option<PathBuf> {
    if cfg!(windows) {
        return Some(environment.join("Lib").join("site-packages"));
    }
    let mut entries = fs::read_dir(environment.join("lib")).ok()?.flatten();
    let python = entries.find(|entry| entry.file_name().to_string_lossy().starts_with("python"))?;
    Some(python.path().join("site-packages"))
}
