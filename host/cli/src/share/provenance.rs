//! How a project's component was built, and of what: a SLSA provenance predicate and a CycloneDX bill of materials.

use std::path::Path;

use anyhow::Context as _;
use portcullis::report::HookReport;
use portcullis::verdict::Digest;
use portcullis_project::Project;
use serde_json::{Value, json};
use toml_edit::DocumentMut;

/// The lock files that are read, the first that is there.
const LOCKS: &[&str] = &["Cargo.lock", "package-lock.json"];

/// A package that a component is built of.
struct Package {
    name: String,
    version: String,
    /// `cargo` or `npm`.
    from: &'static str,
    /// The SHA-256 of its file, in hexadecimal digits.
    sha256: Option<String>,
}

/// The predicate of a provenance statement: what was built from, and by what. It says what the publisher says, who
/// signs it.
pub fn predicate(project: &Project, report: &HookReport) -> anyhow::Result<Value> {
    let mut dependencies = Vec::new();
    if let Some((name, bytes)) = lock(project)? {
        let digest = Digest::of(&bytes).to_string();
        dependencies.push(json!({ "name": name, "digest": { "sha256": digest } }));
    }
    let version = env!("CARGO_PKG_VERSION");
    Ok(json!({
        "buildDefinition": {
            "buildType": "urn:portcullis:build:v1",
            "externalParameters": {
                "project": project.name(),
                "language": project.language().name(),
                "source": report.about.source,
                "revision": report.about.revision,
            },
            "resolvedDependencies": dependencies,
        },
        "runDetails": {
            "builder": { "id": format!("urn:portcullis:cli:{version}"), "version": { "portcullis": version } },
        },
    }))
}

/// The bill of materials; `None` if the project has no lock file that is read.
pub fn bill(project: &Project, report: &HookReport) -> anyhow::Result<Option<Vec<u8>>> {
    let Some((name, bytes)) = lock(project)? else {
        return Ok(None);
    };
    let text = String::from_utf8(bytes).with_context(|| format!("{name} is not text"))?;
    let packages = match name {
        "Cargo.lock" => cargo(&text),
        _ => npm(&text),
    };
    let packages = packages.with_context(|| format!("{name} cannot be read"))?;
    let components: Vec<Value> = packages.iter().map(component).collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "library",
            "name": report.id.as_str(),
            "version": report.version,
            "hashes": [{ "alg": "SHA-256", "content": report.digest.to_string() }],
        } },
        "components": components,
    });
    Ok(Some(bill.to_string().into_bytes()))
}

fn component(package: &Package) -> Value {
    let name = package.name.replace('@', "%40");
    let mut component = json!({
        "type": "library",
        "name": package.name,
        "version": package.version,
        "purl": format!("pkg:{}/{name}@{}", package.from, package.version),
    });
    if let Some(sha256) = &package.sha256 {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sha256 }]);
    }
    component
}

/// The project's lock file: beside it, or that of the workspace which it is a member of.
fn lock(project: &Project) -> anyhow::Result<Option<(&'static str, Vec<u8>)>> {
    let dir = std::path::absolute(project.dir())?;
    for name in LOCKS {
        let of_workspace = *name == "Cargo.lock" && dir.join("Cargo.toml").exists();
        let dirs = dir
            .ancestors()
            .take(if of_workspace { usize::MAX } else { 1 });
        let mut found = dirs
            .map(|dir| dir.join(name))
            .filter(|file: &std::path::PathBuf| Path::is_file(file));
        if let Some(file) = found.next() {
            let bytes = std::fs::read(&file)
                .with_context(|| format!("{} cannot be read", file.display()))?;
            return Ok(Some((name, bytes)));
        }
    }
    Ok(None)
}

fn cargo(text: &str) -> anyhow::Result<Vec<Package>> {
    let document: DocumentMut = text.parse()?;
    let packages = document
        .get("package")
        .and_then(toml_edit::Item::as_array_of_tables);
    let packages = packages.into_iter().flatten().filter_map(|package| {
        let text = |key: &str| Some(package.get(key)?.as_str()?.to_owned());
        Some(Package {
            name: text("name")?,
            version: text("version")?,
            from: "cargo",
            sha256: text("checksum"),
        })
    });
    Ok(packages.collect())
}

fn npm(text: &str) -> anyhow::Result<Vec<Package>> {
    let document: Value = serde_json::from_str(text)?;
    let packages = document["packages"].as_object().into_iter().flatten();
    let packages = packages.filter_map(|(path, package)| {
        let (_, name) = path.rsplit_once("node_modules/")?;
        Some(Package {
            name: name.to_owned(),
            version: package["version"].as_str()?.to_owned(),
            from: "npm",
            sha256: None,
        })
    });
    Ok(packages.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_of_a_lock_file_are_in_the_bill() {
        let cargo =
            cargo("[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n").unwrap();
        let said = component(&cargo[0]);
        assert_eq!(said["purl"], "pkg:cargo/a@1.0.0");
        assert_eq!(said["hashes"][0]["content"], "abc");
        let npm = npm(r#"{"packages":{"":{"version":"1"},"node_modules/a/node_modules/@x/b":{"version":"2.0.0"}}}"#).unwrap();
        assert_eq!(npm.len(), 1);
        assert_eq!(component(&npm[0])["purl"], "pkg:npm/%40x/b@2.0.0");
    }
}
