//! Collects the packages' files: an SDK with the contract in it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Stages the SDK for JavaScript and TypeScript.
pub(crate) fn javascript(root: &Path) -> Result<PathBuf> {
    let sdk = root.join("guest-sdk/javascript");
    let to = root.join("target/packing/javascript");
    empty(&to)?;
    for part in ["src", "tools", "package.json", "README.md"] {
        copy(&sdk.join(part), &to.join(part))?;
    }
    copy(&root.join("wit"), &to.join("wit"))?;
    copy(&root.join("LICENSE"), &to.join("LICENSE"))?;
    Ok(to)
}

/// Stages the SDK for Python.
pub(crate) fn python(root: &Path) -> Result<PathBuf> {
    let sdk = root.join("guest-sdk/python");
    let to = root.join("target/packing/python");
    empty(&to)?;
    for part in ["src/portcullis", "tools", "pyproject.toml", "README.md"] {
        copy(&sdk.join(part), &to.join(part))?;
    }
    copy(&root.join("wit"), &to.join("tools/wit"))?;
    copy(&root.join("LICENSE"), &to.join("LICENSE"))?;
    Ok(to)
}

/// Creates a directory, or empties it.
pub(crate) fn empty(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(|e| Error::file("empty", dir, &e))?;
    }
    fs::create_dir_all(dir).map_err(|e| Error::file("make", dir, &e))
}

/// Copies a file or a directory, without Python's caches.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    let fault = |e: &std::io::Error| Error::file("copy", from, e);
    if !from.is_dir() {
        if let Some(dir) = to.parent() {
            fs::create_dir_all(dir).map_err(|e| fault(&e))?;
        }
        return fs::copy(from, to).map(drop).map_err(|e| fault(&e));
    }
    for entry in fs::read_dir(from).map_err(|e| fault(&e))? {
        let name = entry.map_err(|e| fault(&e))?.file_name();
        if name != "__pycache__" {
            copy(&from.join(&name), &to.join(&name))?;
        }
    }
    Ok(())
}
