//! The versions that are compared, according to the lock file.

use anyhow::Context;
use serde::Deserialize;

const LOCK: &str = include_str!("../Cargo.lock");

const NAMES: [&str; 8] = [
    "wasmtime",
    "extism",
    "extism-pdk",
    "mlua",
    "rhai",
    "regorus",
    "cedar-policy",
    "rquickjs",
];

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    #[serde(default)]
    dependencies: Vec<String>,
}

/// Returns the name and the version of each.
pub fn of_the_lock() -> anyhow::Result<Vec<(&'static str, String)>> {
    let lock: Lock = toml::from_str(LOCK)?;
    let find = |name: &str| {
        let mut named = lock.package.iter().filter(move |it| it.name == name);
        named
            .next_back()
            .with_context(|| format!("`{name}` is not in the lock file"))
    };
    let versions = NAMES.iter().map(|name| {
        let found = find(name)?;
        Ok(match *name {
            "extism" => (
                *name,
                format!("{} (with {})", found.version, engine(found)?),
            ),
            _ => (*name, found.version.clone()),
        })
    });
    versions.collect()
}

/// Returns the version of wasmtime that Extism uses.
fn engine(extism: &Package) -> anyhow::Result<&str> {
    let mut dependencies = extism.dependencies.iter();
    let found = dependencies.find(|it| it.starts_with("wasmtime "));
    Ok(found.context("Extism brings no wasmtime of its own")?)
}
