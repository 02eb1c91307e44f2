//! The sources of a project's component: its lock file, and the packages in it.

use std::path::Path;

use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use portcullis_project::languages::rust::{Dependencies, dependencies};
use portcullis_project::{Material, Part, Project};
use serde_json::Value;
use toml_edit::DocumentMut;

use super::origin::Origin;

/// The sources of a component.
pub struct Sources {
    pub lock: Option<Lock>,
    /// The digest of the project's own files.
    pub digest: String,
    pub packages: Vec<Package>,
    /// The packages that are missing because no file names them.
    pub unknown: Option<&'static str>,
}

/// The file that fixes the versions of packages.
pub struct Lock {
    pub name: &'static str,
    pub bytes: Vec<u8>,
}

/// Lock files whose digest is known, but not their contents.
const OTHER_LOCKS: &[&str] = &[
    "go.sum",
    "uv.lock",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
];

/// The file in which npm lists the packages that it installed.
const INSTALLED: &str = "node_modules/.package-lock.json";

/// A package that a component is built of.
pub struct Package {
    pub name: String,
    /// `None` if it is not known.
    pub version: Option<String>,
    pub origin: Origin,
    /// The hash of its file, if the lock file has it.
    pub hash: Option<Hash>,
    /// `None` if it is not known.
    pub part: Option<Part>,
}

/// The hash of a package's file.
#[derive(Debug, PartialEq, Eq)]
pub struct Hash {
    /// The name in CycloneDX.
    pub algorithm: &'static str,
    /// In hexadecimal.
    pub digits: String,
}

impl Sources {
    /// Returns the sources of a project's component.
    pub fn of(project: &Project, component: &[u8]) -> anyhow::Result<Self> {
        let dir = std::path::absolute(project.dir())?;
        let mut sources = locked(&dir, project.sources_digest()?)?;
        for material in project.materials(component)? {
            sources.add(material);
        }
        Ok(sources)
    }

    fn add(&mut self, material: Material) {
        let is_same = |package: &&mut Package| {
            package.name == material.name && package.version == material.version
        };
        if let Some(package) = self.packages.iter_mut().find(is_same) {
            package.part = Some(material.part);
            return;
        }
        self.packages.push(Package {
            name: material.name,
            version: material.version,
            origin: material
                .registry
                .map_or(Origin::Directory, Origin::Registry),
            hash: None,
            part: Some(material.part),
        });
    }
}

/// Returns the lock file of the project in `dir`, and the packages in it. `digest` is that of the
/// project's own files.
fn locked(dir: &Path, digest: String) -> anyhow::Result<Sources> {
    let sources = |lock, packages| Sources {
        lock,
        digest,
        packages,
        unknown: None,
    };
    if dir.join("Cargo.toml").is_file() {
        let built_of = dependencies(dir).context("the bill of materials cannot be made")?;
        let (bytes, text) = read(&built_of.lock)?;
        let packages = cargo(&built_of, &text)
            .with_context(|| format!("{} cannot be read", built_of.lock.display()))?;
        let name = "Cargo.lock";
        return Ok(sources(Some(Lock { name, bytes }), packages));
    }
    let name = "package-lock.json";
    if dir.join(name).is_file() {
        let (bytes, text) = read(&dir.join(name))?;
        let packages = npm(&text).with_context(|| format!("{name} cannot be read"))?;
        return Ok(sources(Some(Lock { name, bytes }), packages));
    }
    let mut others = OTHER_LOCKS.iter().filter(|name| dir.join(name).is_file());
    let lock = others.next().map(|name| {
        let (bytes, _) = read(&dir.join(name))?;
        anyhow::Ok(Lock { name, bytes })
    });
    let mut sources = sources(lock.transpose()?, Vec::new());
    if dir.join(INSTALLED).is_file() {
        let (_, text) = read(&dir.join(INSTALLED))?;
        sources.packages = npm(&text).with_context(|| format!("{INSTALLED} cannot be read"))?;
    } else if depends_on_packages(dir) {
        sources.unknown = Some("the packages of package.json: there is no package-lock.json");
    }
    Ok(sources)
}

/// Returns whether a project has a `package.json` with dependencies.
fn depends_on_packages(dir: &Path) -> bool {
    let text = std::fs::read_to_string(dir.join("package.json")).unwrap_or_default();
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    let named = manifest["dependencies"].as_object();
    named.is_some_and(|named| !named.is_empty())
}

fn read(file: &Path) -> anyhow::Result<(Vec<u8>, String)> {
    let bytes =
        std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let text = String::from_utf8(bytes.clone())
        .with_context(|| format!("{} is not text", file.display()))?;
    Ok((bytes, text))
}

/// Returns the packages, each with the checksum in the lock file.
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
            version: Some(package.version.clone()),
            origin: Origin::of_cargo(package.source.as_deref()),
            hash: checksum.map(|digits| Hash {
                algorithm: "SHA-256",
                digits: digits.to_owned(),
            }),
            part: None,
        }
    });
    Ok(packages.collect())
}

/// Returns the packages of an npm lock file, without development dependencies.
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
            version: Some(package["version"].as_str()?.to_owned()),
            origin: Origin::of_npm(name, package["resolved"].as_str()),
            hash: package["integrity"].as_str().and_then(sha512),
            part: None,
        })
    });
    Ok(packages.collect())
}

/// Returns the SHA-512 of a text of hashes as npm writes them, `sha512-BASE64` and others, with
/// spaces between.
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
    fn a_material_that_is_locked_keeps_its_hash() {
        let lock =
            r#"{"packages":{"node_modules/a": {"version":"1.0.0","integrity":"sha512-AQL/"}}}"#;
        let mut sources = Sources {
            lock: None,
            digest: String::new(),
            packages: npm(lock).unwrap(),
            unknown: None,
        };
        for version in ["1.0.0", "2.0.0"] {
            sources.add(Material {
                name: "a".to_owned(),
                version: Some(version.to_owned()),
                registry: Some("npm"),
                part: Part::Contained,
            });
        }
        let hashes: Vec<bool> = sources
            .packages
            .iter()
            .map(|one| one.hash.is_some())
            .collect();
        assert_eq!(hashes, [true, false]);
        assert!(
            sources
                .packages
                .iter()
                .all(|one| one.part == Some(Part::Contained))
        );
    }

    #[test]
    fn packages_without_a_list_are_said_to_be_unknown() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(locked(dir.path(), String::new()).unwrap().unknown, None);
        let manifest = r#"{"dependencies":{"a":"1"}}"#;
        std::fs::write(dir.path().join("package.json"), manifest).unwrap();
        std::fs::write(dir.path().join("pnpm-lock.yaml"), "a: 1\n").unwrap();
        let found = locked(dir.path(), String::new()).unwrap();
        assert!(found.unknown.is_some());
        assert_eq!(found.lock.map(|lock| lock.name), Some("pnpm-lock.yaml"));
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
