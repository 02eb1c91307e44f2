//! Signers, and the signatures that count.

use std::fs;
use std::path::{Path, PathBuf};

use rcgen::KeyPair;
use tempfile::TempDir;

use super::registry::{Registry, tamper};
use super::{add, check, directory, hook, names, publish, read, refused};
use crate::support::{portcullis, run, text};

/// A key, and the file with its public part.
pub struct Key {
    pub private: PathBuf,
    pub public: PathBuf,
    _dir: TempDir,
}

pub fn key() -> Key {
    let dir = tempfile::tempdir().unwrap();
    let (private, public) = (dir.path().join("acme.key"), dir.path().join("acme.pub"));
    let pair = KeyPair::generate().unwrap();
    fs::write(&private, pair.serialize_pem()).unwrap();
    fs::write(&public, pair.public_key_pem()).unwrap();
    Key {
        private,
        public,
        _dir: dir,
    }
}

/// Returns a directory that accepts components that this key signed.
pub fn trusting(key: &Key) -> (TempDir, String) {
    let settings = "[trust.keys]\nacme = \"acme.pub\"\n".to_owned();
    let dir = directory(&settings);
    fs::copy(&key.public, dir.path().join("acme.pub")).unwrap();
    (dir, settings)
}

fn nothing_was_written(dir: &Path, settings: &str) {
    assert_eq!(names(dir), ["acme.pub", "hooks.toml"]);
    assert_eq!(read(dir, "hooks.toml"), settings);
}

#[test]
fn a_signed_guard_is_accepted_and_an_unsigned_one_refused() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let key = key();
    let (signed, unsigned) = (
        registry.name("acme/path-jail:1"),
        registry.name("acme/audit-log:1"),
    );
    let published = publish(&hook("path-jail"), &signed, &["--sign", text(&key.private)]);
    assert!(published["signature"].is_string(), "{published}");
    publish(&hook("audit-log"), &unsigned, &[]);
    let (dir, settings) = trusting(&key);
    let ran = add(dir.path(), &unsigned, &["--yes"]);
    refused(&ran, "it is not signed, and must be");
    refused(
        &ran,
        &format!("[trust.sources.\"{unsigned}\"] require = \"pinned\""),
    );
    nothing_was_written(dir.path(), &settings);
    let ran = add(dir.path(), &signed, &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("yes, by `acme`"), "{}", ran.out);
    let lock = read(dir.path(), "hooks.lock");
    assert!(lock.contains("signer = \"acme\""), "{lock}");
    assert_eq!(check(dir.path()).code, Some(0));
    // The fix that the error named.
    let settings = format!("{settings}[trust.sources.\"{unsigned}\"]\nrequire = \"pinned\"\n");
    let (other, _) = trusting(&key);
    fs::write(other.path().join("hooks.toml"), settings).unwrap();
    let ran = add(other.path(), &unsigned, &["--yes"]);
    refused(&ran, "add it with --digest sha256:");
    let digest = ran.err.split("--digest ").nth(1).unwrap();
    let digest: String = digest.split_whitespace().collect();
    let ran = add(other.path(), &unsigned, &["--yes", "--digest", &digest]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn nothing_is_added_while_a_signature_is_required_and_no_signer_is_named() {
    let dir = directory("[trust]\nrequire = \"signed\"\n");
    let ran = add(dir.path(), text(&hook("path-jail")), &["--yes"]);
    refused(&ran, "nobody is named whose signature counts");
    assert_eq!(names(dir.path()), ["hooks.toml"]);
    let checked = run(&mut portcullis(&[
        "hooks",
        "check",
        "--json",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let problems = checked.json();
    let cause = "[trust] requires signatures and names no signer";
    let problem = problems.as_array().unwrap().iter().find(|problem| {
        let found = problem["cause"].as_str();
        found.is_some_and(|found| found.starts_with(cause))
    });
    let problem = problem.unwrap_or_else(|| panic!("{problems:#}"));
    assert_eq!(problem["level"], "warning", "{problem:#}");
    assert_eq!(
        problem["fix"],
        "name a signer: [trust.keys] NAME = \"FILE\""
    );
}

#[test]
fn a_signature_of_another_key_or_of_another_artifact_is_none() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let (key, other) = (key(), key());
    let (dir, settings) = trusting(&key);
    let source = registry.name("acme/path-jail:1");
    publish(
        &hook("path-jail"),
        &source,
        &["--sign", text(&other.private)],
    );
    let ran = add(dir.path(), &source, &["--yes"]);
    refused(&ran, "no signature of it counts");
    nothing_was_written(dir.path(), &settings);
    // The key that did sign the component is given for one command.
    let ran = add(
        dir.path(),
        &source,
        &["--key", text(&other.public), "--json"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // A valid signature of one artifact, attached to another.
    let right = publish(
        &hook("audit-log"),
        &registry.name("acme/x:1"),
        &["--sign", text(&key.private)],
    );
    let wrong = publish(&hook("audit-log"), &registry.name("acme/y:1"), &[]);
    assert_eq!(right["manifest"], wrong["manifest"]);
    let moved = publish(
        &hook("input-guardrail"),
        &registry.name("acme/z:1"),
        &["--sign", text(&other.private)],
    );
    let of = |published: &serde_json::Value| registry.blob(&bundle(&registry, published));
    fs::copy(of(&right), of(&moved)).unwrap();
    refused(
        &add(dir.path(), &registry.name("acme/z:1"), &["--yes"]),
        "changed on the way",
    );
    nothing_was_written(dir.path(), &settings);
    // A signature in a file beside the component. No digest names it.
    let file = dir
        .path()
        .parent()
        .unwrap()
        .join(format!("{}.wasm", std::process::id()));
    fs::copy(hook("input-guardrail"), &file).unwrap();
    let beside = format!("{}.sigstore.json", file.display());
    fs::copy(of(&right), &beside).unwrap();
    let ran = add(dir.path(), text(&file), &["--yes"]);
    fs::remove_file(&file).unwrap();
    fs::remove_file(beside).unwrap();
    refused(&ran, "no signature of it counts");
    nothing_was_written(dir.path(), &settings);
}

#[test]
fn what_others_attach_keeps_no_right_signature_from_counting() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let (key, other) = (key(), key());
    let source = registry.name("acme/path-jail:1");
    let sign = |key: &Key| publish(&hook("path-jail"), &source, &["--sign", text(&key.private)]);
    // One signature cannot be read, and the others are as many as are checked.
    let broken = sign(&other);
    tamper(&registry.blob(broken["signature"].as_str().unwrap()));
    for _ in 0..16 {
        sign(&other);
    }
    sign(&key);
    let (dir, _) = trusting(&key);
    let ran = add(dir.path(), &source, &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("yes, by `acme`"), "{}", ran.out);
}

#[test]
fn one_signature_that_cannot_be_read_is_named_where_none_counts() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let key = key();
    let source = registry.name("acme/path-jail:1");
    let published = publish(&hook("path-jail"), &source, &["--sign", text(&key.private)]);
    tamper(&registry.blob(published["signature"].as_str().unwrap()));
    let (dir, settings) = trusting(&key);
    refused(
        &add(dir.path(), &source, &["--yes"]),
        "no signature of it counts",
    );
    nothing_was_written(dir.path(), &settings);
    // An extra signature is accepted where none is required.
    let open = directory("");
    assert_eq!(add(open.path(), &source, &["--yes"]).code, Some(0));
}

#[test]
fn a_key_that_is_given_has_the_name_that_hooks_toml_gives_it_or_none() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let (acme, other) = (key(), key());
    let source = registry.name("acme/path-jail:1");
    publish(
        &hook("path-jail"),
        &source,
        &["--sign", text(&other.private)],
    );
    // The other key's file is called `acme.pub` too.
    let signer = |dir: &TempDir| {
        let given = ["--key", text(&other.public), "--json"];
        let ran = add(dir.path(), &source, &given);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()["origin"]["signer"].as_str().unwrap().to_owned()
    };
    let (dir, _) = trusting(&acme);
    let name = signer(&dir);
    assert!(name.starts_with("key sha256:"), "{name}");
    let (dir, _) = trusting(&other);
    assert_eq!(signer(&dir), "acme");
}

/// Returns the digest of the bundle in a signature's artifact.
fn bundle(registry: &Registry, published: &serde_json::Value) -> String {
    let manifest = registry.blob(published["signature"].as_str().unwrap());
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(manifest).unwrap()).unwrap();
    assert_eq!(
        manifest["artifactType"],
        "application/vnd.dev.sigstore.bundle.v0.3+json"
    );
    assert_eq!(
        manifest["subject"]["digest"],
        format!("sha256:{}", published["manifest"].as_str().unwrap())
    );
    manifest["layers"][0]["digest"].as_str().unwrap().to_owned()
}

#[test]
fn a_tampered_component_manifest_or_signature_is_refused() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let key = key();
    let (dir, settings) = trusting(&key);
    let source = registry.name("acme/path-jail:1");
    let published = publish(&hook("path-jail"), &source, &["--sign", text(&key.private)]);
    let manifest = registry.blob(published["manifest"].as_str().unwrap());
    let files = [
        registry.blob(published["component"].as_str().unwrap()),
        registry.blob(&bundle(&registry, &published)),
        registry.blob(published["signature"].as_str().unwrap()),
    ];
    for file in files {
        let whole = fs::read(&file).unwrap();
        tamper(&file);
        let ran = add(dir.path(), &source, &["--yes"]);
        assert_eq!(ran.code, Some(1), "{}: {ran:?}", file.display());
        nothing_was_written(dir.path(), &settings);
        fs::write(&file, whole).unwrap();
    }
    // The manifest names another existing component: the tag leads to it, and it has no signature.
    let other = publish(&hook("audit-log"), &registry.name("acme/path-jail:2"), &[]);
    let swapped = |manifest: &str| {
        let [right, other] = [&published, &other].map(|one| one["component"].as_str().unwrap());
        let mut read: serde_json::Value = serde_json::from_str(manifest).unwrap();
        assert_eq!(read["layers"][0]["digest"], format!("sha256:{right}"));
        read["layers"][0]["digest"] = format!("sha256:{other}").into();
        read["layers"][0]["size"] = fs::metadata(hook("audit-log")).unwrap().len().into();
        read.to_string()
    };
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, swapped(&text)).unwrap();
    refused(&add(dir.path(), &source, &["--yes"]), "not signed");
    nothing_was_written(dir.path(), &settings);
    fs::write(&manifest, text).unwrap();
    assert_eq!(add(dir.path(), &source, &["--json"]).code, Some(0));
}
