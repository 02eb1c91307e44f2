//! What a project's component is built of: its lock file, and the packages in it.

use std::path::Path;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use portcullis_project::Project;
use portcullis_project::languages::rust::{Dependencies, dependencies};
use serde_json::Value;
use toml_edit::DocumentMut;

use super::origin::Origin;

/// What a component is built of.
pub struct Sources {
    /// The name of the lock file.
    pub lock: &'static str,
    pub bytes: Vec<u8>,
    pub packages: Vec<Package>,
}

/// A package that a component is built of.
pub struct Package {
    pub name: String,
    pub version: String,
    pub origin: Origin,
    /// That of its file, if the lock file has it.
    pub hash: Option<Hash>,
}

/// The hash of a package's file.
#[derive(Debug, PartialEq, Eq)]
pub struct Hash {
    /// As CycloneDX names it.
    pub algorithm: &'static str,
    /// In hexadecimal.
    pub digits: String,
}

impl Sources {
    /// Those of a project; `None` if it has no lock file that is read.
    pub fn of(project: &Project) -> anyhow::Result<Option<Self>> {
        let dir = std::path::absolute(project.dir())?;
        if dir.join("Cargo.toml").is_file() {
            let built_of = dependencies(&dir).context("the bill of materials cannot be made")?;
            let (bytes, text) = read(&built_of.lock)?;
            let packages = cargo(&built_of, &text)
                .with_context(|| format!("{} cannot be read", built_of.lock.display()))?;
            return Ok(Some(Self {
                lock: "Cargo.lock",
                bytes,
                packages,
            }));
        }
        let file = dir.join("package-lock.json");
        if !file.is_file() {
            return Ok(None);
        }
        let (bytes, text) = read(&file)?;
        let packages = npm(&text).with_context(|| format!("{} cannot be read", file.display()))?;
        Ok(Some(Self {
            lock: "package-lock.json",
            bytes,
            packages,
        }))
    }
}

fn read(file: &Path) -> anyhow::Result<(Vec<u8>, String)> {
    let bytes =
        std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let text = String::from_utf8(bytes.clone())
        .with_context(|| format!("{} is not text", file.display()))?;
    Ok((bytes, text))
}

/// The packages, each with the checksum in the lock file.
fn cargo(built_of: &Dependencies, lock: &str) -> anyhow::Result<Vec<Package>> {
    let lock: DocumentMut = lock.parse()?;
    let locked = lock
        .get("package")
        .and_then(toml_edit::Item::as_array_of_tables);
    let packages = built_of.packages.iter().map(|package| {
        let mut locked = locked.into_iter().flatten();
        let locked = locked.find(|one| {
            let is = |key: &str, value: Option<&str>| {
                one.get(key).and_then(toml_edit::Item::as_str) == value
            };
            is("name", Some(&package.name))
                && is("version", Some(&package.version))
                && is("source", package.source.as_deref())
        });
        let checksum = locked.and_then(|locked| locked.get("checksum")?.as_str());
        Package {
            name: package.name.clone(),
            version: package.version.clone(),
            origin: Origin::of_cargo(package.source.as_deref()),
            hash: checksum.map(|digits| Hash {
                algorithm: "SHA-256",
                digits: digits.to_owned(),
            }),
        }
    });
    Ok(packages.collect())
}

/// The packages of a lock file of npm, without those that only develop and test it.
fn npm(text: &str) -> anyhow::Result<Vec<Package>> {
    let document: Value = serde_json::from_str(text)?;
    let packages = document["packages"].as_object().into_iter().flatten();
    let packages = packages.filter(|(_, package)| package["dev"] != true);
    let packages = packages.filter_map(|(path, package)| {
        let (_, directory) = path.rsplit_once("node_modules/")?;
        // A package under another name has its own in the entry.
        let name = package["name"].as_str().unwrap_or(directory);
        Some(Package {
            name: name.to_owned(),
            version: package["version"].as_str()?.to_owned(),
            origin: Origin::of_npm(name, package["resolved"].as_str()),
            hash: package["integrity"].as_str().and_then(sha512),
        })
    });
    Ok(packages.collect())
}

/// The SHA-512 of a text of hashes as npm writes them, `sha512-BASE64` and others, with spaces between.
fn sha512(integrity: &str) -> Option<Hash> {
    let mut hashes = integrity.split_ascii_whitespace();
    let encoded = hashes.find_map(|hash| hash.strip_prefix("sha512-"))?;
    // Options may follow.
    let encoded = encoded.split('?').next()?;
    Some(Hash {
        algorithm: "SHA-512",
        digits: STANDARD
            .decode(encoded)
            .ok()?
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_only_develop_a_project_are_left_out() {
        let lock = r#"{"packages":{
            "": {"version":"1"},
            "node_modules/a/node_modules/@x/b": {"version":"2.0.0"},
            "node_modules/linter": {"version":"3.0.0","dev":true}
        }}"#;
        let names: Vec<String> = npm(lock).unwrap().into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["@x/b"]);
    }

    #[test]
    fn a_package_has_its_own_name_and_its_hash() {
        let lock = r#"{"packages":{
            "node_modules/alias": {"name":"@x/real","version":"2.0.0","integrity":"sha1-AA== sha512-AQL/?x"}
        }}"#;
        let found = npm(lock).unwrap().remove(0);
        assert_eq!(found.name, "@x/real");
        let hash = found.hash.expect("its hash");
        assert_eq!(
            (hash.algorithm, hash.digits.as_str()),
            ("SHA-512", "0102ff")
        );
        assert_eq!(sha512("sha1-AA=="), None);
        assert_eq!(sha512("sha512-*"), None);
    }
}
