//! The referrers of an artifact in a registry: its signatures.

use oci_client::manifest::{
    ImageIndexEntry, OCI_IMAGE_INDEX_MEDIA_TYPE, OciImageIndex, OciImageManifest,
};
use portcullis::verdict::Digest;
use reqwest::StatusCode;
use url::Url;

use crate::error::Error;
use crate::layout::{self, MOST_METADATA};
use crate::oci::{self, MANIFESTS, Repository};
use crate::signature::{BUNDLE, MOST_BUNDLE, SIGNATURE};
use crate::web::Answer;

/// The annotation with the predicate type of a bundle, as `cosign` writes it.
pub(crate) const PREDICATE_TYPE: &str = "dev.sigstore.bundle.predicateType";
/// The maximum number of signatures of an artifact that are read: the last ones, since new ones are added at
/// the end.
const MOST_SIGNATURES: usize = 16;
/// The maximum number of pages of a list.
const MOST_PAGES: usize = 16;

/// The signatures of an artifact, unchecked.
pub(crate) struct Signatures {
    pub(crate) bundles: Vec<Vec<u8>>,
    /// The reasons why other referrers cannot be read. Anyone who may push to a repository can add
    /// a referrer, so these are no errors.
    pub(crate) unreadable: Vec<String>,
}

/// Returns the signatures of an artifact, as its registry has them.
pub(crate) async fn signatures(
    repository: &Repository,
    subject: Digest,
) -> Result<Signatures, Error> {
    let mut found = Signatures {
        bundles: Vec::new(),
        unreadable: Vec::new(),
    };
    let mut entries = Vec::new();
    let mut page = Some(first_page(repository, subject).await?);
    for _ in 0..MOST_PAGES {
        let Some(Page { listed, next }) = page.take() else {
            break;
        };
        entries.extend(listed.into_iter().filter(is_signature));
        entries.drain(..entries.len().saturating_sub(MOST_SIGNATURES));
        if let Some(next) = next {
            page = Some(page_at(repository, &next, subject).await?);
        }
    }
    if page.is_some() {
        let why = format!("its registry lists signatures on more than {MOST_PAGES} pages");
        found.unreadable.push(why);
    }
    for entry in &entries {
        match bundle(repository, &entry.digest).await {
            Ok(bundle) => found.bundles.push(bundle),
            // The list may name deleted referrers.
            Err(Error::NotFound(_)) => {}
            Err(error) => found.unreadable.push(error.to_string()),
        }
    }
    Ok(found)
}

/// A part of a list.
struct Page {
    listed: Vec<ImageIndexEntry>,
    next: Option<Url>,
}

async fn first_page(repository: &Repository, subject: Digest) -> Result<Page, Error> {
    let answer = listed(repository, subject).await?;
    match answer.status {
        // Registries without the interface keep the list under a tag.
        StatusCode::NOT_FOUND => Ok(Page {
            listed: tagged(repository, subject).await?.manifests,
            next: None,
        }),
        _ => page(answer, subject),
    }
}

async fn page_at(repository: &Repository, address: &Url, subject: Digest) -> Result<Page, Error> {
    if !repository.has(address) {
        return Err(Error::Server {
            url: crate::web::shown(address),
            why: "the registry says that its list of referrers continues there, on another server"
                .into(),
        });
    }
    let answer = repository
        .get(
            address,
            OCI_IMAGE_INDEX_MEDIA_TYPE,
            MOST_METADATA,
            &|_, _| {},
        )
        .await?;
    page(answer, subject)
}

fn page(mut answer: Answer, subject: Digest) -> Result<Page, Error> {
    let next = answer.next.take();
    let what = format!("the referrers of sha256:{subject}");
    Ok(Page {
        listed: index(&answer.found(&what)?, &what)?.manifests,
        next,
    })
}

async fn listed(repository: &Repository, subject: Digest) -> Result<Answer, Error> {
    let address = repository.address(&["referrers", &format!("sha256:{subject}")])?;
    repository
        .get(
            &address,
            OCI_IMAGE_INDEX_MEDIA_TYPE,
            MOST_METADATA,
            &|_, _| {},
        )
        .await
}

/// Returns the list under a tag; an empty list if the tag does not exist.
async fn tagged(repository: &Repository, subject: Digest) -> Result<OciImageIndex, Error> {
    let tag = format!("sha256-{subject}");
    let address = repository.address(&["manifests", &tag])?;
    let answer = repository
        .get(&address, MANIFESTS, MOST_METADATA, &|_, _| {})
        .await?;
    if answer.status == StatusCode::NOT_FOUND {
        return Ok(OciImageIndex {
            schema_version: 2,
            media_type: Some(OCI_IMAGE_INDEX_MEDIA_TYPE.into()),
            manifests: Vec::new(),
            artifact_type: None,
            annotations: None,
        });
    }
    let what = format!("the tag {tag}");
    index(&answer.found(&what)?, &what)
}

fn index(bytes: &[u8], what: &str) -> Result<OciImageIndex, Error> {
    serde_json::from_slice(bytes).map_err(|error| Error::Server {
        url: what.to_owned(),
        why: format!("it is no index of artifacts: {error}"),
    })
}

/// Adds an artifact to the referrers of a manifest, if the registry does not do it itself.
pub(crate) async fn refer(
    repository: &Repository,
    subject: Digest,
    entry: ImageIndexEntry,
) -> Result<(), Error> {
    if listed(repository, subject).await?.status != StatusCode::NOT_FOUND {
        return Ok(());
    }
    let mut index = tagged(repository, subject).await?;
    let mut there = index.manifests.iter();
    if there.any(|there| there.digest == entry.digest) {
        return Ok(());
    }
    index.manifests.push(entry);
    let tag = format!("sha256-{subject}");
    repository
        .push_manifest(oci::json(&index)?, OCI_IMAGE_INDEX_MEDIA_TYPE, Some(&tag))
        .await?;
    Ok(())
}

/// Returns whether the entry may be a signature: a statement of another kind, such as provenance,
/// is annotated as such.
fn is_signature(entry: &ImageIndexEntry) -> bool {
    let annotations = entry.annotations.as_ref();
    let states = annotations.and_then(|said| said.get(PREDICATE_TYPE));
    entry.artifact_type.as_deref() == Some(BUNDLE) && states.is_none_or(|kind| kind == SIGNATURE)
}

async fn bundle(repository: &Repository, digest: &str) -> Result<Vec<u8>, Error> {
    let other = |why: String| Error::Server {
        url: format!(
            "the signature {}",
            portcullis::text::sanitize_for_terminal(digest)
        ),
        why,
    };
    layout::digest(digest).map_err(other)?;
    let manifest = repository.manifest(&repository.named(digest)).await?;
    let read: OciImageManifest =
        serde_json::from_slice(&manifest.bytes).map_err(|error| other(error.to_string()))?;
    let [layer] = read.layers.as_slice() else {
        return Err(other("it does not have one layer".into()));
    };
    let digest = layout::digest(&layer.digest).map_err(other)?;
    repository.blob(digest, MOST_BUNDLE, &|_, _| {}).await
}
