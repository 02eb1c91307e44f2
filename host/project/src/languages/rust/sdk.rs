//! The crate `portcullis-sdk` in a project of its own.
//!
//! The crate is on no registry. A new project gets its sources, and the workspace that they inherit
//! from: the part of this repository's manifest that they name.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use toml::{Table, Value};

use crate::languages::embedded;

static SOURCES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/rust");

/// The manifest of this repository.
const WORKSPACE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"));

/// Returns the files, each where it is in the directory of the SDKs.
pub(super) fn files() -> Vec<(PathBuf, Vec<u8>)> {
    let sources = embedded(&SOURCES);
    let workspace = workspace(&sources).into_bytes();
    let mut files: Vec<_> = sources
        .into_iter()
        .map(|(path, bytes)| (Path::new("rust").join(path), bytes.to_vec()))
        .collect();
    files.push((PathBuf::from("Cargo.toml"), workspace));
    files
}

/// Returns the workspace's manifest, with the values that the SDK's crates inherit.
fn workspace(sources: &[(PathBuf, &[u8])]) -> String {
    let manifests = sources
        .iter()
        .filter(|(path, _)| path.ends_with("Cargo.toml"));
    let mut inherited = Vec::new();
    for (_, bytes) in manifests {
        let text = String::from_utf8_lossy(bytes);
        let keys = text
            .lines()
            .filter_map(|line| line.split_once(".workspace = true"));
        inherited.extend(keys.map(|(key, _)| key.trim().to_owned()));
    }
    let whole: Table = toml::from_str(WORKSPACE).unwrap_or_default();
    let all = whole.get("workspace").and_then(Value::as_table);
    let mut workspace = Table::new();
    let members = ["rust", "rust/macros"].map(|member| Value::from(member.to_owned()));
    workspace.insert("members".to_owned(), Value::Array(members.to_vec()));
    for key in ["resolver", "package", "lints"] {
        if let Some(value) = all.and_then(|all| all.get(key)) {
            workspace.insert(key.to_owned(), value.clone());
        }
    }
    let mut dependencies = Table::new();
    for (name, value) in all
        .and_then(|all| all.get("dependencies"))
        .and_then(Value::as_table)
        .into_iter()
        .flatten()
        .filter(|(name, _)| inherited.contains(name))
    {
        dependencies.insert(name.clone(), moved(value.clone()));
    }
    workspace.insert("dependencies".to_owned(), Value::Table(dependencies));
    let mut manifest = Table::new();
    manifest.insert("workspace".to_owned(), Value::Table(workspace));
    manifest.to_string()
}

/// Returns a dependency, its path seen from the directory of the SDKs.
fn moved(mut dependency: Value) -> Value {
    if let Some(Value::String(path)) = dependency.get_mut("path")
        && let Some(below) = path.strip_prefix("guest-sdk/")
    {
        *path = below.to_owned();
    }
    dependency
}

#[cfg(test)]
mod tests {
    use super::files;

    #[test]
    fn the_workspace_has_what_the_crates_inherit() {
        let files = files();
        let (_, workspace) = files
            .iter()
            .find(|(path, _)| path.ends_with("Cargo.toml") && path.components().count() == 1)
            .unwrap();
        let workspace: toml::Table =
            toml::from_str(std::str::from_utf8(workspace).unwrap()).unwrap();
        let dependencies = workspace["workspace"]["dependencies"].as_table().unwrap();
        for (path, manifest) in files
            .iter()
            .filter(|(path, _)| path.ends_with("Cargo.toml"))
        {
            let manifest: toml::Table = toml::from_slice(manifest).unwrap();
            for section in ["dependencies", "dev-dependencies"] {
                let inherited = manifest.get(section).and_then(toml::Value::as_table);
                for (name, dependency) in inherited.into_iter().flatten() {
                    let is_inherited = dependency.get("workspace").is_some();
                    let is_there = dependencies.contains_key(name);
                    assert!(!is_inherited || is_there, "{}: {name}", path.display());
                }
            }
        }
        assert_eq!(
            dependencies["portcullis-sdk-macros"]["path"].as_str(),
            Some("rust/macros")
        );
    }
}
