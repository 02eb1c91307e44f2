//! Signers whose signatures count, and the check of a bundle against them.

use std::path::{Path, PathBuf};

use portcullis::lock::{Credential, Origin};
use sigstore_verify::crypto::{KeyAlgorithm, sha256, verify_signature};
use sigstore_verify::trust_root::TrustedRoot;
use sigstore_verify::types::{
    Artifact, Bundle, DerPublicKey, SignatureContent, VerificationMaterialContent,
};
use sigstore_verify::{VerificationPolicy, Verifier};

use super::{MOST_KEY, fingerprint, parse, statement};
use crate::error::Error;
use crate::file::read;
use crate::pattern::fits_subject;

/// A key or an identity whose signatures count.
#[derive(Debug, Clone)]
pub struct Signer {
    name: String,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Key(DerPublicKey),
    Identity(Box<Identity>),
}

/// An identity with a certificate for a subject, issued by an authority of the root.
#[derive(Debug, Clone)]
pub(super) struct Identity {
    issuer: String,
    subject: String,
    root: TrustedRoot,
}

impl Signer {
    /// Returns the owner of a key: a PEM file with the public key.
    ///
    /// # Errors
    ///
    /// The file is not a key.
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

    /// Creates a signer from an identity with a certificate from an authority of the trusted root.
    /// A `*` in `subject` matches any characters but `@`.
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

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of a key without one in `hooks.toml`: `key sha256:…`. `None` for an
    /// identity.
    pub fn key_name(&self) -> Option<String> {
        match &self.kind {
            Kind::Key(key) => Some(Credential::Key(fingerprint(key)).to_string()),
            Kind::Identity(_) => None,
        }
    }

    /// Returns whether the signer has this name: the one in `hooks.toml`, or its key's.
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.key_name().as_deref() == Some(name)
    }

    /// Returns whether this signer signed the component of an origin. An origin without a
    /// credential is compared by the name alone.
    pub fn signed(&self, origin: &Origin) -> bool {
        match (&origin.credential, &self.kind) {
            (Some(Credential::Key(digest)), Kind::Key(key)) => fingerprint(key) == *digest,
            (Some(Credential::Identity { issuer, subject }), Kind::Identity(identity)) => {
                identity.issuer == *issuer && fits_subject(&identity.subject, subject)
            }
            (Some(_), _) => false,
            (None, _) => origin
                .signer
                .as_ref()
                .is_some_and(|name| self.is_named(name)),
        }
    }

    /// Checks that a bundle is this signer's signature of an artifact. Returns the credential that
    /// made it.
    ///
    /// # Errors
    ///
    /// The reason why the bundle is not such a signature.
    pub fn check(&self, artifact: &[u8], bundle: &[u8]) -> Result<Credential, String> {
        let bundle = parse(bundle)?;
        match &self.kind {
            Kind::Key(key) => {
                by_key(key, artifact, &bundle)?;
                Ok(Credential::Key(fingerprint(key)))
            }
            Kind::Identity(identity) => identity.check(artifact.into(), &bundle),
        }
    }
}

/// Checks a key's signature. A key is trusted by itself, without a transparency log. `sigstore-verify` requires a
/// log entry or a time stamp, so the signature is checked here.
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
    pub(super) fn check(
        &self,
        artifact: Artifact<'_>,
        bundle: &Bundle,
    ) -> Result<Credential, String> {
        let verifier = Verifier::new(&self.root).map_err(|error| error.to_string())?;
        let policy = VerificationPolicy::any_identity().require_issuer(&self.issuer);
        let checked = verifier.verify(artifact, bundle, &policy);
        let checked = checked.map_err(|error| error.to_string())?;
        match checked.identity().map(|identity| identity.as_str()) {
            Some(identity) if fits_subject(&self.subject, identity) => Ok(Credential::Identity {
                issuer: self.issuer.clone(),
                subject: identity.to_owned(),
            }),
            other => Err(format!(
                "its certificate is for `{}`",
                portcullis::text::sanitize_for_terminal(other.unwrap_or("nobody"))
            )),
        }
    }
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
