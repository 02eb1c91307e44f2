//! Packages for npm: one for each system with the command in it, and the SDK's, which runs the
//! command.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Built, PROGRAMS, Target};
use crate::packages::{npm, stage};
use crate::{Error, Result};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Packs the built commands, and the SDK with a launcher for them.
pub(super) fn pack(root: &Path, built: &[Built], to: &Path) -> Result<()> {
    for built in built {
        platform(root, built, to)?;
    }
    let staged = stage::javascript(root)?;
    let launcher = root.join("host/cli/packages/npm/portcullis.mjs");
    stage::copy(&launcher, &staged.join("bin/portcullis.mjs"))?;
    let file = staged.join("package.json");
    let text = fs::read(&file).map_err(|e| Error::file("read", &file, &e))?;
    let mut manifest: Value = serde_json::from_slice(&text)
        .map_err(|e| Error::new(format!("{}: {e}", file.display())))?;
    let packages = built.iter().map(|built| built.target.npm_package());
    let packages = packages.map(|name| (name, Value::from(VERSION)));
    if let Some(manifest) = manifest.as_object_mut() {
        manifest.insert("optionalDependencies".into(), packages.collect());
        for (key, value) in [("bin", "portcullis"), ("files", "bin")] {
            match manifest.get_mut(key) {
                Some(Value::Object(bin)) => {
                    bin.insert(value.into(), json!("bin/portcullis.mjs"));
                }
                Some(Value::Array(files)) => files.push(value.into()),
                _ => return Err(Error::new(format!("{} has no `{key}`", file.display()))),
            }
        }
    }
    write(&file, &manifest)?;
    npm(&staged, to)
}

fn platform(root: &Path, built: &Built, to: &Path) -> Result<()> {
    let Target {
        node: (os, cpu), ..
    } = built.target;
    let name = built.target.npm_package();
    let staged = root.join("target/packing").join(&name);
    stage::empty(&staged)?;
    for program in PROGRAMS {
        stage::copy(&built.dir.join(program), &staged.join("bin").join(program))?;
    }
    stage::copy(&root.join("LICENSE"), &staged.join("LICENSE"))?;
    let manifest = json!({
        "name": name,
        "version": VERSION,
        "description": format!("The command portcullis, for {os} on {cpu}."),
        "license": "Apache-2.0",
        "os": [os],
        "cpu": [cpu],
        "files": ["bin"],
    });
    write(&staged.join("package.json"), &manifest)?;
    npm(&staged, to)
}

fn write(file: &Path, manifest: &Value) -> Result<()> {
    fs::write(file, format!("{manifest:#}\n")).map_err(|e| Error::file("write", file, &e))
}
