//! Fetching a component of a source with its signatures, and checking its digests.

use std::path::Path;

use oci_client::{Reference, RegistryOperation};
use portcullis::verdict::Digest;
use url::Url;

use crate::error::Error;
use crate::file::{local, read};
use crate::layout::{self, MOST_BYTES, MOST_METADATA};
use crate::oci::Repository;
use crate::reference::Source;
use crate::referrers::{self, Signatures};
use crate::signature::MOST_BUNDLE;
use crate::web::{self, Progress, Web};

/// A fetched component. Its digests match the named ones, if any were named.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// The component's source.
    pub source: Source,
    /// The component.
    pub bytes: Vec<u8>,
    /// The component's digest.
    pub digest: Digest,
    /// The manifest that names the component by its digest, if the component comes from a registry.
    pub manifest: Option<Vec<u8>>,
    /// The sigstore bundles that came with it, unchecked.
    pub bundles: Vec<Vec<u8>>,
    /// The reasons why further signatures could not be read.
    pub unreadable: Vec<String>,
}

/// The current target of a source, as far as it is known without fetching more than is needed.
#[derive(Debug, Clone, Copy)]
pub struct Current {
    /// The manifest's digest.
    pub manifest: Option<Digest>,
    /// The component's digest; `None` for a component in a registry.
    pub component: Option<Digest>,
}

impl Current {
    /// Returns whether this is the component with this digest, which had this manifest when it was
    /// added.
    pub fn is(&self, component: Digest, manifest: Option<Digest>) -> bool {
        match (self.manifest, manifest) {
            (Some(now), Some(then)) => now == then,
            _ => self.component == Some(component),
        }
    }
}

impl Fetched {
    /// Returns the signed bytes: the manifest, which names the component's digest, or else the
    /// component.
    pub fn signed(&self) -> &[u8] {
        self.manifest.as_deref().unwrap_or(&self.bytes)
    }

    /// Returns a component that was added from the file `from` and is now in `file`. Its manifest
    /// and its signature are still beside `from`, if `from` has the same component.
    ///
    /// # Errors
    ///
    /// `file` contains no component.
    pub fn added(file: &Path, from: &Path) -> Result<Self, Error> {
        let bytes = read(file, MOST_BYTES)?;
        layout::check(&bytes, &file.display().to_string())?;
        let digest = Digest::of(&bytes);
        let (beside, unreadable) = match local(from) {
            Ok(local) if local.digest == digest => (Some(local), None),
            Ok(_) => (None, Some("the file is another component now".to_owned())),
            Err(error) => (None, Some(error.to_string())),
        };
        let of_from = |why| {
            format!(
                "the signature beside {}, which it was added from, cannot be used: {why}",
                from.display()
            )
        };
        let (manifest, bundle) =
            beside.map_or((None, None), |local| (local.manifest, local.bundle));
        Ok(Self {
            source: Source::File(from.to_owned()),
            bytes,
            digest,
            manifest,
            bundles: bundle.into_iter().collect(),
            unreadable: unreadable.map(of_from).into_iter().collect(),
        })
    }

    /// Returns the manifest's digest.
    pub fn manifest_digest(&self) -> Option<Digest> {
        self.manifest.as_deref().map(Digest::of)
    }
}

/// Fetches components.
#[derive(Debug, Clone)]
pub struct Fetcher {
    web: Web,
}

impl Fetcher {
    /// Returns a client.
    ///
    /// # Errors
    ///
    /// The machine's certificates cannot be read.
    pub fn new() -> Result<Self, Error> {
        Ok(Self { web: Web::new()? })
    }

    /// Fetches a component of at most [`MOST_BYTES`] with its signatures. `progress` is called with the
    /// number of received bytes, and with the total if that is known.
    ///
    /// # Errors
    ///
    /// The source does not exist, is not a component, has other digests than the named ones, or is
    /// too large.
    pub async fn fetch(
        &self,
        source: &Source,
        progress: &(dyn Fn(u64, Option<u64>) + Sync),
    ) -> Result<Fetched, Error> {
        let fetched = match source {
            Source::Oci(reference) => self.artifact(source, reference, progress).await,
            Source::Url(url) => self.download(source, url, progress).await,
            Source::File(path) => local(path).map(|file| Fetched {
                source: source.clone(),
                bytes: file.bytes,
                digest: file.digest,
                manifest: file.manifest,
                bundles: file.bundle.into_iter().collect(),
                unreadable: Vec::new(),
            }),
        }?;
        layout::check(&fetched.bytes, &source.to_string())?;
        Ok(fetched)
    }

    /// Returns the current target of a source.
    ///
    /// # Errors
    ///
    /// The source does not exist.
    pub async fn current(&self, source: &Source) -> Result<Current, Error> {
        if let Source::Oci(reference) = source {
            let repository =
                Repository::open(&self.web, reference, RegistryOperation::Pull).await?;
            return Ok(Current {
                manifest: Some(repository.manifest(reference).await?.digest),
                component: None,
            });
        }
        let fetched = self.fetch(source, &|_, _| {}).await?;
        Ok(Current {
            manifest: fetched.manifest_digest(),
            component: Some(fetched.digest),
        })
    }

    /// Returns a text over HTTPS, or from a file: a list of digests.
    ///
    /// # Errors
    ///
    /// The text does not exist, or it is too large.
    pub async fn text(&self, source: &Source) -> Result<String, Error> {
        let bytes = match source {
            Source::Url(url) => {
                let request = self.web.get(url, "*/*");
                let answer = web::send(request, MOST_METADATA, &|_, _| {}).await?;
                answer.found(&web::shown(url))?
            }
            Source::File(path) => read(path, MOST_METADATA)?,
            Source::Oci(_) => {
                return Err(Error::Source {
                    text: source.to_string(),
                    why: "a list is read from a file or over HTTPS".into(),
                });
            }
        };
        String::from_utf8(bytes).map_err(|_| Error::Server {
            url: source.to_string(),
            why: "it is not UTF-8 text".into(),
        })
    }

    async fn artifact(
        &self,
        source: &Source,
        reference: &Reference,
        progress: Progress<'_>,
    ) -> Result<Fetched, Error> {
        let what = source.to_string();
        let repository = Repository::open(&self.web, reference, RegistryOperation::Pull).await?;
        let manifest = repository.manifest(reference).await?;
        let (layer, digest) = layout::component(&manifest.bytes, &what)?;
        let size = u64::try_from(layer.size).unwrap_or(u64::MAX);
        if size > MOST_BYTES {
            return Err(Error::TooLarge {
                what,
                most: MOST_BYTES,
            });
        }
        let bytes = repository
            .blob(digest, size, &|came, _| progress(came, Some(size)))
            .await?;
        let Signatures {
            bundles,
            unreadable,
        } = referrers::signatures(&repository, manifest.digest).await?;
        Ok(Fetched {
            source: source.clone(),
            bytes,
            digest,
            bundles,
            unreadable,
            manifest: Some(manifest.bytes),
        })
    }

    async fn download(
        &self,
        source: &Source,
        url: &Url,
        progress: Progress<'_>,
    ) -> Result<Fetched, Error> {
        let answer = web::send(self.web.get(url, layout::COMPONENT), MOST_BYTES, progress).await?;
        let bytes = answer.found(&web::shown(url))?;
        let mut beside = url.clone();
        beside.set_path(&format!("{}.sigstore.json", url.path()));
        let answer = web::send(self.web.get(&beside, "*/*"), MOST_BUNDLE, &|_, _| {}).await?;
        let bundles = match answer.is_missing() {
            true => Vec::new(),
            false => vec![answer.found(&web::shown(&beside))?],
        };
        Ok(Fetched {
            source: source.clone(),
            digest: Digest::of(&bytes),
            bytes,
            manifest: None,
            bundles,
            unreadable: Vec::new(),
        })
    }
}
