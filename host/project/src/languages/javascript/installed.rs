//! Packages in the project's own `node_modules`, or in that of its workspace.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Project;
use crate::build::{BuildContext, BuildError};
use crate::languages::{Packed, SdkPackage};

/// The SDK as a package.
pub(super) const SDK: SdkPackage = SdkPackage {
    name: "portcullis",
    packed: Packed::Tarball,
};

/// The file in which npm lists the installed packages.
const LIST: &str = ".package-lock.json";

/// Installs the packages of `package.json`, unless the SDK is there.
pub(super) fn ensure(project: &Project, cx: &mut BuildContext<'_>) -> Result<(), BuildError> {
    match found(project, SDK.name) {
        Some(_) => Ok(()),
        None => cx.node_project(project.dir()),
    }
}

/// Returns the directory of a package.
pub(super) fn package(project: &Project, name: &'static str) -> Result<PathBuf, BuildError> {
    found(project, name).ok_or_else(|| BuildError::NoSdk {
        dir: project.dir().join("node_modules"),
        name,
        fix: format!("name it in package.json, with `npm install {name}`"),
    })
}

/// Returns the list of installed packages, if npm installed them.
pub(super) fn list(project: &Project) -> Option<PathBuf> {
    let modules = found(project, SDK.name)?;
    let list = modules
        .ancestors()
        .find(|dir| dir.ends_with("node_modules"))?
        .join(LIST);
    list.is_file().then_some(list)
}

/// Returns the version of a package.
pub(super) fn version(project: &Project, name: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Manifest {
        version: String,
    }
    let text = fs::read(found(project, name)?.join("package.json")).ok()?;
    let manifest: Manifest = serde_json::from_slice(&text).ok()?;
    Some(manifest.version)
}

fn found(project: &Project, name: &str) -> Option<PathBuf> {
    let dirs = project.dir().ancestors();
    let mut dirs = dirs.map(|dir: &Path| dir.join("node_modules").join(name));
    dirs.find(|dir| dir.join("package.json").is_file())
}
