//! Pushing a component with its signature, provenance and bill of materials.

use std::collections::BTreeMap;

use oci_client::manifest::{ImageIndexEntry, OCI_IMAGE_MEDIA_TYPE, OciImageManifest};
use oci_client::{Reference, RegistryOperation};
use portcullis::verdict::Digest;
use serde::Serialize;

use crate::error::Error;
use crate::layout::{self, Blob};
use crate::oci::{self, Repository};
use crate::referrers::{self, PREDICATE_TYPE};
use crate::signature::{BUNDLE, SIGNATURE, SigningKey};
use crate::web::Web;

/// The type of a statement on how an artifact was built.
const PROVENANCE: &str = "https://slsa.dev/provenance/v1";
/// The media type of a bill of materials.
const BILL: &str = "application/vnd.cyclonedx+json";
/// The media type of a configuration that is empty.
const EMPTY: &str = "application/vnd.oci.empty.v1+json";

/// The files that are pushed beside a component.
#[derive(Debug, Default)]
pub struct Extras {
    /// Annotations of its manifest, such as `org.opencontainers.image.licenses`.
    pub annotations: BTreeMap<String, String>,
    /// The key that signs the component.
    pub key: Option<SigningKey>,
    /// The build's record: the predicate of a SLSA provenance statement, signed with the key.
    pub provenance: Option<serde_json::Value>,
    /// The component's bill of materials: CycloneDX as JSON.
    pub bill: Option<Vec<u8>>,
}

/// The pushed artifacts.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Published {
    /// The component's reference, by its digest.
    pub reference: String,
    /// The manifest's digest.
    pub manifest: Digest,
    /// The component's digest.
    pub component: Digest,
    /// The artifact with the signature.
    pub signature: Option<Digest>,
    /// The artifact with the provenance.
    pub provenance: Option<Digest>,
    /// The artifact with the bill of materials.
    pub bill: Option<Digest>,
}

/// Pushes a component, then its referrers, and then the tag, so that a fetch of the tag finds the
/// signature too.
///
/// # Errors
///
/// The file is not a component, or the registry rejects it.
pub async fn publish(
    bytes: Vec<u8>,
    name: &str,
    reference: &Reference,
    extras: &Extras,
) -> Result<Published, Error> {
    let component = Blob {
        media_type: layout::COMPONENT,
        bytes,
    };
    let config = layout::config(&component, name)?;
    let manifest = layout::manifest(&config, &component, extras.annotations.clone());
    let repository = Repository::open(&Web::new()?, reference, RegistryOperation::Push).await?;
    let digest = repository.push(&manifest, &[&component, &config]).await?;
    let bytes = oci::json(&manifest)?;
    let subject = oci_client::manifest::OciDescriptor {
        media_type: OCI_IMAGE_MEDIA_TYPE.to_owned(),
        digest: format!("sha256:{digest}"),
        size: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
        ..Default::default()
    };
    let mut published = Published {
        reference: format!(
            "oci://{}",
            reference.clone_with_digest(subject.digest.clone()).whole()
        ),
        manifest: digest,
        component: Digest::of(&component.bytes),
        signature: None,
        provenance: None,
        bill: None,
    };
    let referrer = Referrer {
        repository: &repository,
        subject: &subject,
        of: digest,
    };
    if let Some(key) = &extras.key {
        let bundle = key.sign(digest)?;
        published.signature = Some(referrer.push(BUNDLE, bundle, Some(SIGNATURE)).await?);
        if let Some(provenance) = &extras.provenance {
            let bundle = key.state(digest, PROVENANCE, provenance.clone())?;
            published.provenance = Some(referrer.push(BUNDLE, bundle, Some(PROVENANCE)).await?);
        }
    }
    if let Some(bill) = &extras.bill {
        published.bill = Some(referrer.push(BILL, bill.clone(), None).await?);
    }
    let tag = reference.tag();
    repository
        .push_manifest(bytes, OCI_IMAGE_MEDIA_TYPE, tag)
        .await?;
    Ok(published)
}

/// Pushes artifacts that refer to another one.
struct Referrer<'a> {
    repository: &'a Repository,
    subject: &'a oci_client::manifest::OciDescriptor,
    of: Digest,
}

impl Referrer<'_> {
    async fn push(
        &self,
        media_type: &'static str,
        bytes: Vec<u8>,
        predicate: Option<&str>,
    ) -> Result<Digest, Error> {
        let layer = Blob { media_type, bytes };
        let config = Blob {
            media_type: EMPTY,
            bytes: b"{}".to_vec(),
        };
        let annotations = predicate
            .map(|predicate| BTreeMap::from([(PREDICATE_TYPE.to_owned(), predicate.to_owned())]));
        let manifest = OciImageManifest {
            media_type: Some(OCI_IMAGE_MEDIA_TYPE.to_owned()),
            config: config.descriptor(),
            layers: vec![layer.descriptor()],
            subject: Some(self.subject.clone()),
            artifact_type: Some(media_type.to_owned()),
            annotations: annotations.clone(),
            ..OciImageManifest::default()
        };
        let digest = self.repository.push(&manifest, &[&layer, &config]).await?;
        let size = oci::json(&manifest)?.len();
        let entry = ImageIndexEntry {
            media_type: OCI_IMAGE_MEDIA_TYPE.to_owned(),
            digest: format!("sha256:{digest}"),
            size: i64::try_from(size).unwrap_or(i64::MAX),
            platform: None,
            annotations,
            artifact_type: Some(media_type.to_owned()),
        };
        referrers::refer(self.repository, self.of, entry).await?;
        Ok(digest)
    }
}
