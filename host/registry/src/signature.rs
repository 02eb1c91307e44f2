//! Sigstore bundles: making one with a key, and checking one against a signer. No network is used.

mod signer;
mod signing;
#[cfg(test)]
mod tests;

use portcullis::verdict::Digest;
use sigstore_verify::types::{Bundle, DerPublicKey, DsseEnvelope, SignatureContent, Statement};

pub use signer::Signer;
pub use signing::SigningKey;

/// The media type of a bundle, and the type of the artifact that holds one.
pub(crate) const BUNDLE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";
/// The predicate type of a statement that is only a signature, as `cosign sign` writes it.
pub(crate) const SIGNATURE: &str = "https://sigstore.dev/cosign/sign/v1";
/// The most bytes of a bundle, which has some 20 KiB.
pub(crate) const MOST_BUNDLE: u64 = 256 << 10;
/// The most bytes of a key or a trusted root.
const MOST_KEY: u64 = 4 << 20;

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

/// Returns the statement of an envelope. A statement of another kind, such as provenance, says
/// where an artifact comes from, but is not an approval.
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

/// Returns the digest of a public key as DER.
fn fingerprint(key: &DerPublicKey) -> Digest {
    Digest::of(key.as_bytes())
}
