//! Sigstore bundles: making one with a key, and checking one against a signer. No network is used.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use portcullis::verdict::Digest;
use sigstore_verify::bundle::{BundleV03, VerificationMaterialV03};
use sigstore_verify::crypto::{KeyAlgorithm, KeyPair, sha256, verify_signature};
use sigstore_verify::trust_root::TrustedRoot;
use sigstore_verify::types::{
    Artifact, Bundle, DerPublicKey, DsseEnvelope, DsseSignature, KeyId, PayloadBytes, Sha256Hash,
    SignatureContent, Statement, Subject, VerificationMaterialContent, pae,
};
use sigstore_verify::{VerificationPolicy, Verifier};

use crate::error::Error;
use crate::fetch::read;
use crate::pattern::fits_subject;

/// The media type of a bundle, and the type of the artifact that holds one.
pub(crate) const BUNDLE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";
/// What a statement is about that is a signature and nothing else, as `cosign sign` writes it.
const SIGNATURE: &str = "https://sigstore.dev/cosign/sign/v1";
/// The most bytes of a key or a trusted root.
const MOST_KEY: u64 = 4 << 20;

/// A private key.
#[derive(Debug)]
pub struct SigningKey {
    pair: KeyPair,
    hint: String,
}

impl SigningKey {
    /// Reads an ECDSA key for P-256: PKCS #8 as PEM, not encrypted.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let wrong = |why: String| Error::Key {
            path: path.to_owned(),
            why: format!(
                "{why}; make one: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out FILE"
            ),
        };
        let bytes = read(path, MOST_KEY)?;
        let read =
            pem::parse(&bytes).map_err(|error| wrong(format!("it is no PEM file: {error}")))?;
        if read.tag() != "PRIVATE KEY" {
            return Err(wrong(format!(
                "it is `{}`, and not a `PRIVATE KEY` that is not encrypted",
                read.tag()
            )));
        }
        let pair = KeyPair::from_pkcs8_der(read.contents())
            .map_err(|error| wrong(format!("it is no ECDSA key for P-256: {error}")))?;
        let public = pair
            .public_key_der()
            .map_err(|error| wrong(error.to_string()))?;
        Ok(Self {
            pair,
            hint: fingerprint(&public),
        })
    }

    /// The fingerprint of its public key.
    pub fn fingerprint(&self) -> &str {
        &self.hint
    }

    /// Signs that an artifact is one's own.
    pub(crate) fn sign(&self, artifact: Digest) -> Result<Vec<u8>, Error> {
        self.state(artifact, SIGNATURE, serde_json::json!({}))
    }

    /// Signs a statement about an artifact.
    pub(crate) fn state(
        &self,
        artifact: Digest,
        predicate_type: &str,
        predicate: serde_json::Value,
    ) -> Result<Vec<u8>, Error> {
        const IN_TOTO: &str = "application/vnd.in-toto+json";
        let failed = |why: &dyn std::fmt::Display| Error::Signing(why.to_string());
        let hash = Sha256Hash::from_hex(&artifact.to_string()).map_err(|error| failed(&error))?;
        let subject = Subject::new("", hash.into());
        let statement = Statement::new(vec![subject], predicate_type, predicate);
        let payload = serde_json::to_vec(&statement).map_err(|error| failed(&error))?;
        let signature = self
            .pair
            .sign(&pae(IN_TOTO, &payload))
            .map_err(|error| failed(&error))?;
        let envelope = DsseEnvelope::new(
            IN_TOTO,
            PayloadBytes::new(payload),
            DsseSignature::new(signature, KeyId::default()),
        );
        let hint = self.hint.clone();
        let bundle = BundleV03::new(
            VerificationMaterialV03::PublicKey { hint },
            SignatureContent::DsseEnvelope(envelope),
        );
        let text = bundle
            .into_bundle()
            .to_json()
            .map_err(|error| failed(&error))?;
        Ok(text.into_bytes())
    }
}

/// Whose signature counts.
#[derive(Debug, Clone)]
pub struct Signer {
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Key(DerPublicKey),
    Identity(Box<Identity>),
}

/// Whoever has a certificate for a subject, from an authority of the root.
#[derive(Debug, Clone)]
struct Identity {
    issuer: String,
    subject: String,
    root: TrustedRoot,
}

impl Signer {
    /// The owner of a key: a PEM file with the public key.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn key(name: &str, path: &Path) -> Result<Self, Error> {
        let wrong = |why: String| Error::Key {
            path: path.to_owned(),
            why: format!("{why}; name the public key: openssl pkey -in FILE -pubout"),
        };
        let bytes = read(path, MOST_KEY)?;
        let text = String::from_utf8(bytes).map_err(|_| wrong("it is not text".into()))?;
        let key = DerPublicKey::from_pem(&text).map_err(|error| wrong(error.to_string()))?;
        KeyAlgorithm::from_spki(&key).map_err(|error| wrong(error.to_string()))?;
        Ok(Self {
            name: name.to_owned(),
            kind: Kind::Key(key),
        })
    }

    /// Whoever had a certificate for this identity, from an authority of the trusted root. `subject` may have
    /// `*` for any characters but `@`.
    ///
    /// # Errors
    ///
    /// The trusted root cannot be read.
    pub fn identity(name: &str, issuer: &str, subject: &str, root: &Path) -> Result<Self, Error> {
        Ok(Self {
            name: name.to_owned(),
            kind: Kind::Identity(Box::new(Identity {
                issuer: issuer.to_owned(),
                subject: subject.to_owned(),
                root: trusted_root(root)?,
            })),
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of a key that has none in `hooks.toml`: `key sha256:…`. None for an identity.
    pub fn key_name(&self) -> Option<String> {
        match &self.kind {
            Kind::Key(key) => Some(format!("key sha256:{}", fingerprint(key))),
            Kind::Identity(_) => None,
        }
    }

    /// Checks that a bundle is this signer's signature of an artifact.
    ///
    /// # Errors
    ///
    /// Why it is not.
    pub fn check(&self, artifact: &[u8], bundle: &[u8]) -> Result<(), String> {
        let bundle = parse(bundle)?;
        match &self.kind {
            Kind::Key(key) => by_key(key, artifact, &bundle),
            Kind::Identity(identity) => identity.check(artifact.into(), &bundle),
        }
    }
}

/// Reads a bundle that is a signature.
fn parse(bundle: &[u8]) -> Result<Bundle, String> {
    let text = std::str::from_utf8(bundle).map_err(|_| "it is not text".to_owned())?;
    let bundle =
        Bundle::from_json(text).map_err(|error| format!("it is no sigstore bundle: {error}"))?;
    if let SignatureContent::DsseEnvelope(envelope) = &bundle.content {
        statement(envelope)?;
    }
    Ok(bundle)
}

/// A key is trusted by itself. Whether a log has its signature is not asked, and `sigstore-verify` wants a bundle to
/// have a log's entry or a time stamp; so the signature is checked here.
fn by_key(key: &DerPublicKey, artifact: &[u8], bundle: &Bundle) -> Result<(), String> {
    let VerificationMaterialContent::PublicKey(_) = &bundle.verification_material.content else {
        return Err("it was made with a certificate, and not with a key".into());
    };
    let failed = |error: sigstore_verify::crypto::Error| error.to_string();
    let algorithm = KeyAlgorithm::from_spki(key).map_err(failed)?;
    match &bundle.content {
        SignatureContent::DsseEnvelope(envelope) => {
            let scheme = algorithm.default_signing_scheme();
            verify_signature(key, &envelope.pae(), &envelope.signature.sig, scheme)
                .map_err(failed)?;
            match statement(envelope)?.matches_sha256(&sha256(artifact)) {
                true => Ok(()),
                false => Err("it is for another artifact".into()),
            }
        }
        SignatureContent::MessageSignature(signature) => {
            let scheme = match &signature.message_digest {
                Some(digest) => algorithm
                    .resolve_signing_scheme(digest.algorithm)
                    .map_err(failed)?,
                None => algorithm.default_signing_scheme(),
            };
            verify_signature(key, artifact, &signature.signature, scheme).map_err(failed)
        }
        _ => Err("it has neither a signature nor a statement".into()),
    }
}

impl Identity {
    fn check(&self, artifact: Artifact<'_>, bundle: &Bundle) -> Result<(), String> {
        let verifier = Verifier::new(&self.root).map_err(|error| error.to_string())?;
        let policy = VerificationPolicy::any_identity().require_issuer(&self.issuer);
        let checked = verifier.verify(artifact, bundle, &policy);
        let checked = checked.map_err(|error| error.to_string())?;
        match checked.identity().map(|identity| identity.as_str()) {
            Some(identity) if fits_subject(&self.subject, identity) => Ok(()),
            other => Err(format!(
                "its certificate is for `{}`",
                portcullis::text::sanitize_for_terminal(other.unwrap_or("nobody"))
            )),
        }
    }
}

/// The statement of an envelope. One of another kind, such as provenance, says where an artifact comes from, and not
/// that somebody vouches for it.
fn statement(envelope: &DsseEnvelope) -> Result<Statement, String> {
    let statement: Statement = serde_json::from_slice(envelope.payload.as_bytes())
        .map_err(|error| format!("its statement cannot be read: {error}"))?;
    match statement.predicate_type == SIGNATURE {
        true => Ok(statement),
        false => Err(format!(
            "it is a statement of the type `{}`, and not a signature",
            portcullis::text::sanitize_for_terminal(&statement.predicate_type)
        )),
    }
}

fn fingerprint(key: &DerPublicKey) -> String {
    Digest::of(key.as_bytes()).to_string()
}

fn trusted_root(path: &Path) -> Result<TrustedRoot, Error> {
    let wrong = |why: String| Error::Key {
        path: PathBuf::from(path),
        why: format!("it is no trusted root of sigstore: {why}"),
    };
    let bytes = read(path, MOST_KEY)?;
    let text = String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
    TrustedRoot::from_json(&text).map_err(|error| wrong(error.to_string()))
}
