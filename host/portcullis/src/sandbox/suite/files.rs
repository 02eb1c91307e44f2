//! The files of the suite.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the files of a directory of the suite, by name.
pub(super) fn of(directory: &str) -> Vec<PathBuf> {
    let directory = package().join("tests/component-model/test").join(directory);
    let entries = std::fs::read_dir(&directory).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension() == Some("wast".as_ref()));
    files.sort();
    files
}

/// Returns the directory of the package that contains them. Cargo fetches the package if it is
/// missing.
fn package() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suites/Cargo.toml");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--locked",
            "--format-version",
            "1",
            "--manifest-path",
        ])
        .arg(manifest)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages
        .iter()
        .find(|package| package["name"] == "wasm-tools");
    let manifest = Path::new(package.unwrap()["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().to_owned()
}
