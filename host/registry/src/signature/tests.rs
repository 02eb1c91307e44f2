use std::fs;
use std::path::{Path, PathBuf};

use portcullis::lock::{Credential, Origin};
use rcgen::KeyPair as NewKey;
use sigstore_verify::types::Sha256Hash;
use tempfile::TempDir;

use super::signer::Kind;
use super::*;

const WORKFLOW: &[u8] = include_bytes!("../../tests/data/workflow.sigstore.json");
const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

fn data(name: &str) -> PathBuf {
    Path::new(DATA).join(name)
}

/// Returns a new key, and its owner as a signer.
fn pair() -> (SigningKey, Signer) {
    let dir = TempDir::new().unwrap();
    let (private, public) = (dir.path().join("key"), dir.path().join("key.pub"));
    let pair = NewKey::generate().unwrap();
    fs::write(&private, pair.serialize_pem()).unwrap();
    fs::write(&public, pair.public_key_pem()).unwrap();
    let key = SigningKey::read(&private).unwrap();
    (key, Signer::key("acme", &public).unwrap())
}

#[test]
fn a_signature_is_of_one_artifact_and_one_key() {
    let (key, signer) = pair();
    let (_, other) = pair();
    let bundle = key.sign(Digest::of(b"artifact")).unwrap();
    let credential = signer.check(b"artifact", &bundle).unwrap();
    assert_eq!(Some(credential.to_string()), signer.key_name());
    assert!(signer.check(b"artifacd", &bundle).is_err());
    assert!(other.check(b"artifact", &bundle).is_err());
    assert!(signer.check(b"artifact", b"{}").is_err());
    // Another subject in the statement that was signed.
    let text = String::from_utf8(bundle).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (other, _) = pair();
    let payload = other.sign(Digest::of(b"another")).unwrap();
    let payload: serde_json::Value = serde_json::from_slice(&payload).unwrap();
    json["dsseEnvelope"]["payload"] = payload["dsseEnvelope"]["payload"].clone();
    assert!(
        signer
            .check(b"another", json.to_string().as_bytes())
            .is_err()
    );
}

#[test]
fn provenance_is_no_signature() {
    let (key, signer) = pair();
    let stated = key.state(
        Digest::of(b"artifact"),
        "https://slsa.dev/provenance/v1",
        serde_json::json!({}),
    );
    let why = signer.check(b"artifact", &stated.unwrap()).unwrap_err();
    assert!(why.contains("and not a signature"), "{why}");
}

/// Returns whether the bundle of the workflow counts as this signer's, for an artifact of which
/// only the digest is known.
fn verify(signer: &Signer, artifact: Sha256Hash) -> Result<Credential, String> {
    match &signer.kind {
        Kind::Identity(identity) => identity.check(artifact.into(), &parse(WORKFLOW)?),
        Kind::Key(_) => panic!("a key"),
    }
}

#[test]
fn an_identity_counts_if_issuer_and_subject_are_the_named_ones() {
    let bundle: serde_json::Value = serde_json::from_slice(WORKFLOW).unwrap();
    let digest = bundle["messageSignature"]["messageDigest"]["digest"]
        .as_str()
        .unwrap();
    let artifact: Sha256Hash = serde_json::from_value(digest.into()).unwrap();
    let github = "https://token.actions.githubusercontent.com";
    for (issuer, subject, why) in [
        (
            github,
            "https://github.com/trailofbits/rfc8785.py/*@refs/tags/*",
            None,
        ),
        (
            github,
            "https://github.com/trailofbits/rfc8785.py",
            Some("its certificate is for"),
        ),
        (
            github,
            "https://github.com/acme/*",
            Some("its certificate is for"),
        ),
        ("https://accounts.google.com", "*", Some("ssuer")),
    ] {
        let signer = Signer::identity("ci", issuer, subject, &data("trusted_root.json")).unwrap();
        let checked = verify(&signer, artifact);
        match why {
            None => {
                let Ok(Credential::Identity { issuer, subject }) = checked else {
                    panic!("{checked:?}");
                };
                assert_eq!(issuer, github);
                assert!(subject.contains("@refs/tags/"), "{subject}");
            }
            Some(why) => assert!(
                checked.as_ref().is_err_and(|said| said.contains(why)),
                "{checked:?}"
            ),
        }
        assert!(signer.check(b"another", WORKFLOW).is_err());
    }
}

#[test]
fn an_authority_that_the_root_does_not_name_vouches_for_nobody() {
    let dir = TempDir::new().unwrap();
    let mut root: serde_json::Value =
        serde_json::from_slice(&fs::read(data("trusted_root.json")).unwrap()).unwrap();
    let bundle: serde_json::Value = serde_json::from_slice(WORKFLOW).unwrap();
    let digest = bundle["messageSignature"]["messageDigest"]["digest"]
        .as_str()
        .unwrap();
    let artifact: Sha256Hash = serde_json::from_value(digest.into()).unwrap();
    for part in ["certificateAuthorities", "tlogs", "ctlogs"] {
        let whole = root[part].take();
        root[part] = serde_json::json!([]);
        let file = dir.path().join("root.json");
        fs::write(&file, root.to_string()).unwrap();
        let signer = Signer::identity(
            "ci",
            "https://token.actions.githubusercontent.com",
            "*@*",
            &file,
        )
        .unwrap();
        assert!(verify(&signer, artifact).is_err(), "without {part}");
        root[part] = whole;
    }
}

#[test]
fn a_signature_of_cosign_counts() {
    let (artifact, bundle) = (
        fs::read(data("key.txt")).unwrap(),
        fs::read(data("key.sigstore.json")).unwrap(),
    );
    let signer = Signer::key("cosign", &data("key.pub")).unwrap();
    assert!(signer.check(&artifact, &bundle).is_ok());
    assert!(signer.check(b"another", &bundle).is_err());
    assert!(pair().1.check(&artifact, &bundle).is_err());
}

#[test]
fn what_is_no_key_is_told_with_the_command_that_makes_one() {
    let error = SigningKey::read(&data("key.pub")).unwrap_err().to_string();
    assert!(
        error.contains("PUBLIC KEY") && error.contains("openssl genpkey"),
        "{error}"
    );
    let error = Signer::key("a", &data("key.txt")).unwrap_err().to_string();
    assert!(error.contains("openssl pkey"), "{error}");
    assert!(Signer::identity("a", "b", "c", &data("key.pub")).is_err());
}

fn origin(name: &str, credential: Option<Credential>) -> Origin {
    Origin {
        source: "oci://ghcr.io/acme/a:1".into(),
        manifest: None,
        signer: Some(name.into()),
        credential,
    }
}

#[test]
fn who_signed_what_was_added_is_known_by_the_key_and_without_it_by_the_name() {
    let (key, signer) = pair();
    let (_, other) = pair();
    let bundle = key.sign(Digest::of(b"artifact")).unwrap();
    let made_with = signer.check(b"artifact", &bundle).unwrap();
    // Both are called `acme`.
    let added = origin("acme", Some(made_with.clone()));
    assert!(signer.signed(&added) && !other.signed(&added));
    assert!(signer.signed(&origin("another name", Some(made_with))));
    let older = origin("acme", None);
    assert!(signer.signed(&older) && other.signed(&older));
    assert!(!signer.signed(&origin("helper", None)));
}

#[test]
fn an_identity_signed_what_its_subject_fits() {
    let root = data("trusted_root.json");
    let subject = "https://example.com/release.yml@refs/heads/mine";
    let issuer = "https://issuer.example";
    let credential = Credential::Identity {
        issuer: issuer.into(),
        subject: subject.into(),
    };
    for (issuer, pattern, does) in [
        (issuer, "https://example.com/release.yml@*", true),
        (issuer, "https://example.com/release.yml@refs/tags/*", false),
        ("https://other.example", "*@*", false),
    ] {
        let signer = Signer::identity("ci", issuer, pattern, &root).unwrap();
        let added = origin("ci", Some(credential.clone()));
        assert_eq!(signer.signed(&added), does, "{issuer} {pattern}");
    }
}
