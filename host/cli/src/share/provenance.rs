//! The build and the sources of a project's component: a SLSA provenance predicate and a CycloneDX
//! bill of materials.

mod origin;
mod sources;

use portcullis::report::HookReport;
use portcullis::verdict::Digest;
use portcullis_project::{Part, Project};
use serde_json::{Value, json};

pub use self::sources::Sources;
use self::sources::{Hash, Package};

/// The repository that a component names as its source.
#[derive(Debug, Clone, Copy, Default)]
pub struct Repository<'a> {
    pub source: Option<&'a str>,
    pub revision: Option<&'a str>,
}

impl<'a> Repository<'a> {
    pub fn of(report: &'a HookReport) -> Self {
        Self {
            source: report.about.source.as_deref(),
            revision: report.about.revision.as_deref(),
        }
    }
}

/// Returns the predicate of a provenance statement: the sources and the builder. Its statements are
/// the publisher's, who signs them.
pub fn predicate(project: &Project, repository: Repository<'_>, sources: &Sources) -> Value {
    let named = |name: &str, digest: &str| json!({ "name": name, "digest": { "sha256": digest } });
    let mut dependencies = vec![named("sources", &sources.digest)];
    if let Some(lock) = &sources.lock {
        let digest = Digest::of(&lock.bytes).to_string();
        dependencies.push(named(lock.name, &digest));
    }
    let version = env!("CARGO_PKG_VERSION");
    json!({
        "buildDefinition": {
            "buildType": "urn:portcullis:build:v1",
            "externalParameters": {
                "project": project.name(),
                "language": project.language().name(),
                "source": repository.source,
                "revision": repository.revision,
            },
            "resolvedDependencies": dependencies,
        },
        "runDetails": {
            "builder": { "id": format!("urn:portcullis:cli:{version}"), "version": { "portcullis": version } },
        },
    })
}

/// Returns the bill of materials.
pub fn bill(report: &HookReport, sources: &Sources) -> Vec<u8> {
    let components: Vec<Value> = sources.packages.iter().map(component).collect();
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
    bill.to_string().into_bytes()
}

fn component(package: &Package) -> Value {
    let mut component = json!({
        "type": "library",
        "name": package.name,
    });
    if let Some(version) = &package.version {
        component["version"] = version.as_str().into();
        if let Some(purl) = package.origin.purl(&package.name, version) {
            component["purl"] = purl.into();
        }
    }
    if let Some(part) = package.part {
        let scope = match part {
            Part::Contained => "required",
            Part::Optional => "optional",
            Part::Tool => "excluded",
        };
        component["scope"] = scope.into();
    }
    if let Some(Hash { algorithm, digits }) = &package.hash {
        component["hashes"] = json!([{ "alg": algorithm, "content": digits }]);
    }
    component
}

#[cfg(test)]
mod tests {
    use std::fs;

    use portcullis_project::{Contract, MANIFEST};

    use super::sources::Lock;
    use super::*;

    fn project(dir: &std::path::Path) -> Project {
        let version = Contract::embedded().version();
        let manifest = format!(
            "name = \"a\"\nlanguage = \"c\"\npoints = [\"pre-turn\"]\ncontract = \"{version}\"\n"
        );
        fs::write(dir.join(MANIFEST), manifest).unwrap();
        Project::read(dir).unwrap()
    }

    fn sources(lock: Option<Lock>) -> Sources {
        Sources {
            lock,
            digest: "ab".to_owned(),
            packages: Vec::new(),
            unknown: None,
        }
    }

    #[test]
    fn a_predicate_says_what_was_built_and_from_what() {
        let dir = tempfile::tempdir().unwrap();
        let project = project(dir.path());
        let repository = Repository {
            source: Some("https://git.example/a"),
            revision: Some("abc"),
        };
        let lock = Lock {
            name: "go.sum",
            bytes: b"x".to_vec(),
        };
        let said = predicate(&project, repository, &sources(Some(lock)));
        let definition = &said["buildDefinition"];
        assert_eq!(
            definition["externalParameters"],
            json!({ "project": "a", "language": "c", "source": "https://git.example/a", "revision": "abc" })
        );
        assert_eq!(
            definition["resolvedDependencies"],
            json!([
                { "name": "sources", "digest": { "sha256": "ab" } },
                { "name": "go.sum", "digest": { "sha256": Digest::of(b"x").to_string() } },
            ])
        );
        let version = env!("CARGO_PKG_VERSION");
        let builder = &said["runDetails"]["builder"];
        assert_eq!(builder["version"]["portcullis"], version);
        assert_eq!(builder["id"], format!("urn:portcullis:cli:{version}"));
    }

    #[test]
    fn without_a_lock_file_there_is_the_digest_of_the_sources() {
        let dir = tempfile::tempdir().unwrap();
        let said = predicate(&project(dir.path()), Repository::default(), &sources(None));
        assert_eq!(
            said["buildDefinition"]["resolvedDependencies"],
            json!([{ "name": "sources", "digest": { "sha256": "ab" } }])
        );
    }

    #[test]
    fn an_entry_says_whether_it_is_in_the_component() {
        for (part, scope) in [
            (Some(Part::Contained), json!("required")),
            (Some(Part::Optional), json!("optional")),
            (Some(Part::Tool), json!("excluded")),
            (None, json!(null)),
        ] {
            let package = Package {
                name: "wasi-libc".to_owned(),
                version: None,
                origin: origin::Origin::Directory,
                hash: None,
                part,
            };
            let entry = component(&package);
            assert_eq!(entry["scope"], scope);
            assert!(entry.get("version").is_none() && entry.get("purl").is_none());
        }
    }
}
