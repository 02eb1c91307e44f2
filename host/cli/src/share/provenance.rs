//! How a project's component was built, and of what: a SLSA provenance predicate and a CycloneDX bill of materials.

mod origin;
mod sources;

use portcullis::report::HookReport;
use portcullis::verdict::Digest;
use portcullis_project::Project;
use serde_json::{Value, json};

pub use self::sources::Sources;
use self::sources::{Hash, Package};

/// The predicate of a provenance statement: what was built from, and by what. It says what the publisher says, who
/// signs it.
pub fn predicate(project: &Project, report: &HookReport, sources: Option<&Sources>) -> Value {
    let dependencies = sources.map(|sources| {
        let digest = Digest::of(&sources.bytes).to_string();
        json!({ "name": sources.lock, "digest": { "sha256": digest } })
    });
    let dependencies: Vec<Value> = dependencies.into_iter().collect();
    let version = env!("CARGO_PKG_VERSION");
    json!({
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
    })
}

/// The bill of materials.
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
        "version": package.version,
    });
    if let Some(purl) = package.origin.purl(&package.name, &package.version) {
        component["purl"] = purl.into();
    }
    if let Some(Hash { algorithm, digits }) = &package.hash {
        component["hashes"] = json!([{ "alg": algorithm, "content": digits }]);
    }
    component
}
