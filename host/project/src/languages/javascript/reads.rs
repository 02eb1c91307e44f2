//! The inputs of a build: the project's files before it, and the files that esbuild and tsc found
//! after it.

use std::fs;
use std::path::{Path, PathBuf};

use super::installed;
use crate::Project;
use crate::build::{Found, files_below};

/// The files that esbuild and tsc read by themselves, and the files in which package managers list
/// the installed packages.
const READ: &[&str] = &[
    "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "json", "yaml", "lock",
];

/// Directories of packages, of results, and hidden ones.
fn enters(project: &Path, dir: &Path) -> bool {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let is_made = matches!(name.as_ref(), "dist" | "build" | "target");
    name != "node_modules" && !name.starts_with('.') && !(is_made && dir.parent() == Some(project))
}

/// Returns the files of the project that a build of it may read.
pub(super) fn before(project: &Project) -> Option<Vec<PathBuf>> {
    let top = project.dir();
    let dirs = match project.has_package() {
        true => vec![installed::package(project, installed::SDK.name).ok()?],
        false => vec![project.sdk_dir().join("javascript"), project.wit_dir()],
    };
    let mut files = files_below(top, &|dir| enters(top, dir))?;
    for dir in dirs {
        files.extend(files_below(&dir, &|dir| enters(top, dir))?);
    }
    files.retain(|file| {
        let ending = file.extension().unwrap_or_default();
        READ.iter().any(|read| ending == *read) || ending == "wit"
    });
    if project.has_package() {
        files.extend(installed::list(project));
    }
    Some(files)
}

/// Returns the files in a tool's list, without the tools that are always the same. `None` if the
/// tool wrote no list: it does not know all files, or the SDK is older.
pub(super) fn found(list: &Path, tools: Option<&Path>) -> Option<Vec<Found>> {
    let list = fs::read_to_string(list).ok()?;
    let found = list.lines().map(|line| {
        let (path, was_there) = match line.strip_prefix('+') {
            Some(path) => (path, true),
            None => (line.strip_prefix('-')?, false),
        };
        let path = PathBuf::from(path);
        Some(Found { path, was_there })
    });
    let mut found = found.collect::<Option<Vec<_>>>()?;
    found.retain(|found| tools.is_none_or(|tools| !found.path.starts_with(tools)));
    Some(found)
}
