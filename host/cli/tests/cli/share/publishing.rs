//! The content of a registry while a hook is pushed, and afterwards.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::registry::Registry;
use super::server::{Answer, Server};
use super::signatures::key;
use super::{command, hook, publish};
use crate::support::{bare, run, text};

#[test]
fn the_tag_leads_to_the_hook_only_after_it_has_its_signature() {
    let server = Server::new(|request| {
        let upload = "/v2/a/b/blobs/uploads/1";
        let path = request.path.as_str();
        match request.method.as_str() {
            "POST" | "PATCH" => Answer::new(202, "").with("location", upload),
            "PUT" => Answer::new(201, "").with("location", path),
            _ if path == "/v2/" || path.contains("/referrers/") => Answer::new(200, "{}"),
            _ => Answer::new(404, ""),
        }
    });
    let to = format!("oci://{}/a/b:1", server.address);
    let key = key();
    let published = publish(&hook("audit-log"), &to, &["--sign", text(&key.private)]);
    let heads = server.heads();
    let manifests = heads
        .iter()
        .filter_map(|head| head.strip_prefix("PUT /v2/a/b/manifests/"));
    let manifests: Vec<&str> = manifests
        .map(|rest| rest.split(' ').next().unwrap())
        .collect();
    let by_digest = |name: &str| format!("sha256:{}", published[name].as_str().unwrap());
    assert_eq!(
        manifests,
        [
            by_digest("manifest").as_str(),
            by_digest("signature").as_str(),
            "1"
        ],
        "{heads:?}"
    );
}

/// Publishes and signs a new project. Returns the command's output, the bill of materials and the
/// provenance.
fn project(language: &str) -> Option<(String, Value, Value)> {
    let registry = Registry::start()?;
    let scratch = tempfile::tempdir().unwrap();
    let dir = scratch.path().join("my-hook");
    let ran = run(&mut bare(&[
        "new",
        "my-hook",
        "--lang",
        language,
        "--points",
        "pre-turn",
        "--dir",
        text(&dir),
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let (key, to) = (key(), registry.name("acme/my-hook:1"));
    let ran = run(&mut command(&[
        "publish",
        text(&dir),
        &to,
        "--sign",
        text(&key.private),
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let blobs = blobs(&registry.store());
    let bill = blobs.iter().find(|blob| blob["bomFormat"] == "CycloneDX");
    let statements = blobs.iter().filter_map(|blob| {
        let payload = blob["dsseEnvelope"]["payload"].as_str()?;
        let payload = STANDARD.decode(payload).unwrap();
        Some(serde_json::from_slice::<Value>(&payload).unwrap())
    });
    let is_provenance = |of: &Value| of["predicateType"] == "https://slsa.dev/provenance/v1";
    let provenance = { statements }.find(is_provenance);
    Some((
        ran.out,
        bill.cloned().expect("the bill"),
        provenance.expect("the provenance"),
    ))
}

/// Returns all JSON documents in the storage of a registry.
fn blobs(dir: &Path) -> Vec<Value> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(blobs(&path)),
            false => found.extend(serde_json::from_slice::<Value>(&fs::read(path).unwrap())),
        }
    }
    found
}

/// Returns the scope and the version of an entry.
fn entry<'a>(bill: &'a Value, name: &str) -> (&'a Value, &'a Value) {
    let entries = bill["components"].as_array().unwrap();
    let entry = entries.iter().find(|entry| entry["name"] == name);
    let entry = entry.unwrap_or_else(|| panic!("no {name} in {bill}"));
    (&entry["scope"], &entry["version"])
}

/// Checks a bill of `count` components with the SDK, and a provenance with the digest of the
/// sources alone.
fn are_whole(language: &str, sdk: &str, (said, bill, provenance): &(String, Value, Value)) {
    let version = json!(env!("CARGO_PKG_VERSION"));
    assert_eq!(entry(bill, sdk), (&json!("required"), &version));
    let count = bill["components"].as_array().unwrap().len();
    let says = format!("bill of materials: {count} components\n");
    assert!(said.contains(&says), "{said}");
    assert!(
        said.contains("provenance: a digest of the sources; there is no lock file"),
        "{said}"
    );
    let definition = &provenance["predicate"]["buildDefinition"];
    assert_eq!(definition["externalParameters"]["language"], language);
    let built_from = definition["resolvedDependencies"].as_array().unwrap();
    assert_eq!(built_from.len(), 1, "{built_from:?}");
    assert_eq!(built_from[0]["name"], "sources");
    assert_eq!(
        built_from[0]["digest"]["sha256"].as_str().unwrap().len(),
        64
    );
}

#[test]
fn a_project_in_c_has_a_bill_and_provenance() {
    let Some(published) = project("c") else {
        return;
    };
    are_whole("c", "portcullis-sdk-c", &published);
    assert_eq!(entry(&published.1, "wasi-libc").0, "required");
    assert_eq!(entry(&published.1, "clang").0, "excluded");
}

#[test]
fn a_project_in_javascript_has_a_bill_and_provenance() {
    let Some(published) = project("javascript") else {
        return;
    };
    are_whole("javascript", "portcullis", &published);
    for (name, scope) in [
        ("componentize-qjs", "required"),
        ("esbuild", "excluded"),
        ("whatwg-url", "optional"),
    ] {
        assert_eq!(entry(&published.1, name).0, scope, "{name}");
    }
}

#[test]
fn a_project_in_python_has_a_bill_and_provenance() {
    let Some(published) = project("python") else {
        return;
    };
    are_whole("python", "portcullis-hook-sdk", &published);
    assert_eq!(entry(&published.1, "componentize-py").0, "required");
    assert_eq!(entry(&published.1, "tzdata").0, "optional");
    let (scope, version) = entry(&published.1, "cpython");
    assert_eq!(scope, "required");
    assert!(version.as_str().unwrap().starts_with("3."), "{version}");
}

#[test]
fn of_a_file_it_is_said_that_there_is_no_bill() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let to = registry.name("acme/audit-log:1");
    let ran = run(&mut command(&["publish", text(&hook("audit-log")), &to]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.contains("no provenance and no bill of materials"),
        "{ran:?}"
    );
}
