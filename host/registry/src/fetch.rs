//! From a source to a component whose digests were checked, and its signatures.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use oci_client::manifest::OciImageManifest;
use oci_client::{Reference, RegistryOperation};
use portcullis::verdict::Digest;
use reqwest::StatusCode;
use url::Url;

use crate::error::Error;
use crate::layout::{self, MOST_METADATA};
use crate::oci::Repository;
use crate::reference::Source;
use crate::signature::BUNDLE;
use crate::web::{self, Progress, Web};

/// The most bytes of a component.
pub const MOST_BYTES: u64 = 64 << 20;
/// The most signatures of an artifact that are looked at.
const MOST_SIGNATURES: usize = 16;

/// A component as it came. Its digests are those that were named, as far as any were.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Where it comes from.
    pub source: Source,
    /// The component.
    pub bytes: Vec<u8>,
    /// The component's digest.
    pub digest: Digest,
    /// The manifest that names the component by its digest: of what comes from a registry.
    pub manifest: Option<Vec<u8>>,
    /// The sigstore bundles that came with it, unchecked.
    pub bundles: Vec<Vec<u8>>,
}

impl Fetched {
    /// What a signature is for: the manifest, which names the component's digest, or else the component.
    pub fn signed(&self) -> &[u8] {
        self.manifest.as_deref().unwrap_or(&self.bytes)
    }

    /// The manifest's digest.
    pub fn manifest_digest(&self) -> Option<Digest> {
        self.manifest.as_deref().map(Digest::of)
    }
}

/// The files beside a component that its signature needs without a network.
#[derive(Debug, Clone)]
pub struct Beside {
    /// The sigstore bundle: `FILE.sigstore.json`.
    pub bundle: PathBuf,
    /// The manifest that the bundle is for, if it is not for the component: `FILE.manifest.json`.
    pub manifest: PathBuf,
}

impl Beside {
    /// Those of a component.
    pub fn of(component: &Path) -> Self {
        let with = |ending: &str| {
            let mut name = component.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        Self {
            bundle: with(".sigstore.json"),
            manifest: with(".manifest.json"),
        }
    }
}

/// Fetches components.
#[derive(Debug, Clone)]
pub struct Fetcher {
    web: Web,
}

impl Fetcher {
    /// A client.
    ///
    /// # Errors
    ///
    /// The machine's certificates cannot be read.
    pub fn new() -> Result<Self, Error> {
        Ok(Self { web: Web::new()? })
    }

    /// Fetches a component of at most [`MOST_BYTES`] with its signatures. `progress` is told how many bytes
    /// came, and how many there are if that is known.
    ///
    /// # Errors
    ///
    /// There is none, it is no component, it has other digests than were named, or it is too large.
    pub async fn fetch(
        &self,
        source: &Source,
        progress: &(dyn Fn(u64, Option<u64>) + Sync),
    ) -> Result<Fetched, Error> {
        let fetched = match source {
            Source::Oci(reference) => self.artifact(source, reference, progress).await,
            Source::Url(url) => self.download(source, url, progress).await,
            Source::File(path) => from_file(source, path),
        }?;
        layout::check(&fetched.bytes, &source.to_string())?;
        Ok(fetched)
    }

    /// The digest of what a source leads to now, without fetching more than is needed: the manifest's for a
    /// registry, else the component's.
    ///
    /// # Errors
    ///
    /// There is none.
    pub async fn digest(&self, source: &Source) -> Result<Digest, Error> {
        match source {
            Source::Oci(reference) => {
                let repository =
                    Repository::open(&self.web, reference, RegistryOperation::Pull).await?;
                Ok(repository.manifest(reference).await?.digest)
            }
            _ => Ok(self.fetch(source, &|_, _| {}).await?.digest),
        }
    }

    /// A text over HTTPS, or from a file: a list of digests.
    ///
    /// # Errors
    ///
    /// There is none, or it is too large.
    pub async fn text(&self, source: &Source) -> Result<String, Error> {
        let bytes = match source {
            Source::Url(url) => {
                let request = self.web.get(url, "*/*");
                let answer = web::send(request, MOST_METADATA, &|_, _| {}).await?;
                body(answer, url)?
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
        Ok(Fetched {
            source: source.clone(),
            bytes,
            digest,
            bundles: bundles(&repository, manifest.digest).await?,
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
        let bytes = body(answer, url)?;
        let mut beside = url.clone();
        beside.set_path(&format!("{}.sigstore.json", url.path()));
        let answer = web::send(self.web.get(&beside, "*/*"), MOST_METADATA, &|_, _| {}).await?;
        let bundles = match answer.status {
            status if status.is_success() => vec![answer.body],
            StatusCode::NOT_FOUND | StatusCode::FORBIDDEN => Vec::new(),
            _ => vec![body(answer, &beside)?],
        };
        Ok(Fetched {
            source: source.clone(),
            digest: Digest::of(&bytes),
            bytes,
            manifest: None,
            bundles,
        })
    }
}

/// The signatures of an artifact, as its registry has them.
async fn bundles(repository: &Repository, subject: Digest) -> Result<Vec<Vec<u8>>, Error> {
    let referrers = repository.referrers(subject).await?;
    let signatures = referrers
        .iter()
        .filter(|entry| entry.artifact_type.as_deref() == Some(BUNDLE));
    let mut bundles = Vec::new();
    for entry in signatures.take(MOST_SIGNATURES) {
        match bundle(repository, &entry.digest).await {
            Ok(found) => bundles.push(found),
            // The list may name what was deleted.
            Err(Error::NotFound(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bundles)
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
    repository.blob(digest, MOST_METADATA, &|_, _| {}).await
}

fn from_file(source: &Source, path: &Path) -> Result<Fetched, Error> {
    let bytes = read(path, MOST_BYTES)?;
    let digest = Digest::of(&bytes);
    let beside = Beside::of(path);
    let optional = |path: &Path| match path.exists() {
        true => read(path, MOST_METADATA).map(Some),
        false => Ok(None),
    };
    let manifest = optional(&beside.manifest)?;
    if let Some(manifest) = &manifest {
        let what = path.display().to_string();
        let (_, expected) = layout::component(manifest, &what)?;
        if expected != digest {
            return Err(Error::Digest {
                what,
                found: digest,
                expected,
            });
        }
    }
    Ok(Fetched {
        source: source.clone(),
        bytes,
        digest,
        manifest,
        bundles: optional(&beside.bundle)?.into_iter().collect(),
    })
}

/// Reads a regular file of at most so many bytes.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let wrong = |why: String| Error::File {
        path: path.to_owned(),
        why,
    };
    let found = std::fs::metadata(path).map_err(|error| wrong(error.to_string()))?;
    if !found.is_file() {
        return Err(wrong("it is not a regular file".into()));
    }
    let file = std::fs::File::open(path).map_err(|error| wrong(error.to_string()))?;
    let mut bytes = Vec::new();
    let length = file.take(most + 1).read_to_end(&mut bytes);
    match length.map_err(|error| wrong(error.to_string()))? as u64 > most {
        true => Err(Error::TooLarge {
            what: path.display().to_string(),
            most,
        }),
        false => Ok(bytes),
    }
}

fn body(answer: web::Answer, url: &Url) -> Result<Vec<u8>, Error> {
    match answer.status {
        status if status.is_success() => Ok(answer.body),
        StatusCode::NOT_FOUND | StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED => {
            Err(Error::NotFound(web::shown(url)))
        }
        status => Err(Error::Server {
            url: web::shown(url),
            why: format!("the server answers {status}"),
        }),
    }
}
