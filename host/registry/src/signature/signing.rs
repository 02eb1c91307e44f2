//! Signing with a key.

use std::path::Path;

use portcullis::verdict::Digest;
use sigstore_verify::bundle::{BundleV03, VerificationMaterialV03};
use sigstore_verify::crypto::KeyPair;
use sigstore_verify::types::{
    DsseEnvelope, DsseSignature, KeyId, PayloadBytes, Sha256Hash, SignatureContent, Statement,
    Subject, pae,
};

use super::{MOST_KEY, SIGNATURE, fingerprint};
use crate::error::Error;
use crate::file::read;

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
    /// The file is not a key.
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
            hint: fingerprint(&public).to_string(),
        })
    }

    /// Returns the fingerprint of its public key.
    pub fn fingerprint(&self) -> &str {
        &self.hint
    }

    /// Signs an artifact.
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
