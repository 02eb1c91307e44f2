//! A registry. This module reads pulled bytes itself, with bounds; `oci-client` pushes.

use std::path::PathBuf;

use oci_client::client::{ClientConfig, ClientProtocol};
use oci_client::errors::OciDistributionError;
use oci_client::manifest::{OCI_IMAGE_MEDIA_TYPE, OciImageManifest};
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference, RegistryOperation};
use portcullis::settings::is_loopback;
use portcullis::verdict::Digest;
use reqwest::RequestBuilder;
use url::Url;

use crate::error::Error;
use crate::layout::{self, Blob, MOST_BYTES, MOST_METADATA};
use crate::login;
use crate::web::{self, Answer, Progress, Web};

/// The media types of manifests that are accepted.
pub(crate) const MANIFESTS: &str =
    "application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json";

/// One repository of a registry, with the credentials for it.
pub(crate) struct Repository {
    web: Web,
    client: Client,
    base: Url,
    reference: Reference,
    auth: RegistryAuth,
}

/// A manifest as it was received, and its digest.
pub(crate) struct Manifest {
    pub(crate) bytes: Vec<u8>,
    pub(crate) digest: Digest,
}

impl Repository {
    /// Logs in, if the registry asks for it.
    pub(crate) async fn open(
        web: &Web,
        reference: &Reference,
        operation: RegistryOperation,
    ) -> Result<Self, Error> {
        let registry = reference.resolve_registry();
        let server = |why: String| Error::Server {
            url: format!("oci://{registry}"),
            why,
        };
        let bare: Url = format!("http://{registry}/")
            .parse()
            .map_err(|error| server(format!("{error}")))?;
        let (scheme, protocol) = match is_loopback(&bare) {
            true => (
                "http",
                ClientProtocol::HttpsExcept(vec![registry.to_owned()]),
            ),
            false => ("https", ClientProtocol::Https),
        };
        let address = |path: &str| -> Result<Url, Error> {
            let address = format!("{scheme}://{registry}/v2/{path}").parse();
            address.map_err(|error| server(format!("{error}")))
        };
        let base = address(&format!("{}/", reference.repository()))?;
        // Requests to this machine use no proxy. A named proxy replaces that of the environment, and the exceptions
        // exclude this one from every address.
        let proxy = is_loopback(&bare).then_some(("http://localhost", "localhost,127.0.0.0/8,::1"));
        let client = Client::try_from(ClientConfig {
            http_proxy: proxy.map(|(proxy, _)| proxy.to_owned()),
            no_proxy: proxy.map(|(_, except)| except.to_owned()),
            protocol,
            platform_resolver: None,
            connect_timeout: Some(std::time::Duration::from_secs(15)),
            read_timeout: Some(std::time::Duration::from_secs(30)),
            ..ClientConfig::default()
        });
        let client = client.map_err(|error| server(web::chain(&error)))?;
        let actions = match operation {
            RegistryOperation::Pull => "pull",
            RegistryOperation::Push => "pull,push",
        };
        let scope = format!("repository:{}:{actions}", reference.repository());
        let auth = credentials(registry)?;
        let auth = match login::token(web, &address("")?, &scope, &auth).await? {
            Some(token) => RegistryAuth::Bearer(token),
            None => auth,
        };
        Ok(Self {
            web: web.clone(),
            client,
            base,
            reference: reference.clone(),
            auth,
        })
    }

    /// Returns an artifact of the repository, by its digest.
    pub(crate) fn named(&self, digest: &str) -> Reference {
        let (registry, repository) = (self.reference.registry(), self.reference.repository());
        Reference::with_digest(registry.into(), repository.into(), digest.into())
    }

    /// Returns the manifest that a tag or a digest names.
    pub(crate) async fn manifest(&self, reference: &Reference) -> Result<Manifest, Error> {
        let named = reference.digest().or(reference.tag()).unwrap_or("latest");
        let address = self.address(&["manifests", named])?;
        let answer = self
            .get(&address, MANIFESTS, MOST_METADATA, &|_, _| {})
            .await?;
        let what = format!("oci://{}", reference.whole());
        let body = answer.found(&what)?;
        let digest = Digest::of(&body);
        if let Some(expected) = reference.digest() {
            let expected = layout::digest(expected).map_err(|why| Error::Server {
                url: what.clone(),
                why,
            })?;
            check(&what, digest, expected)?;
        }
        Ok(Manifest {
            bytes: body,
            digest,
        })
    }

    /// Returns a blob of at most the given size.
    pub(crate) async fn blob(
        &self,
        digest: Digest,
        most: u64,
        progress: Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        let named = format!("sha256:{digest}");
        let address = self.address(&["blobs", &named])?;
        let answer = self.get(&address, "*/*", most, progress).await?;
        let what = format!("the blob {named} of oci://{}", self.reference.whole());
        let body = answer.found(&what)?;
        check(&what, Digest::of(&body), digest)?;
        Ok(body)
    }

    /// Pushes an artifact under its digest.
    pub(crate) async fn push(
        &self,
        manifest: &OciImageManifest,
        blobs: &[&Blob],
    ) -> Result<Digest, Error> {
        self.client
            .store_auth_if_needed(self.reference.resolve_registry(), &self.auth)
            .await;
        for blob in blobs {
            let digest = blob.digest();
            if blob.bytes.len() as u64 > MOST_BYTES {
                return Err(Error::TooLarge {
                    what: digest,
                    most: MOST_BYTES,
                });
            }
            let pushing = self
                .client
                .push_blob(&self.reference, blob.bytes.clone(), &digest);
            pushed(&digest, pushing).await?;
        }
        let bytes = json(manifest)?;
        self.push_manifest(bytes, OCI_IMAGE_MEDIA_TYPE, None).await
    }

    /// Pushes a manifest or an index under a tag, or under its digest.
    pub(crate) async fn push_manifest(
        &self,
        bytes: Vec<u8>,
        media_type: &'static str,
        tag: Option<&str>,
    ) -> Result<Digest, Error> {
        let digest = Digest::of(&bytes);
        let (registry, repository) = (self.reference.registry(), self.reference.repository());
        let to = match tag {
            Some(tag) => Reference::with_tag(registry.into(), repository.into(), tag.into()),
            None => self.named(&format!("sha256:{digest}")),
        };
        let media_type = reqwest::header::HeaderValue::from_static(media_type);
        let pushing = self.client.push_manifest_raw(&to, bytes, media_type);
        pushed(&format!("oci://{}", to.whole()), pushing).await?;
        Ok(digest)
    }

    /// Returns an address below the repository's.
    pub(crate) fn address(&self, path: &[&str]) -> Result<Url, Error> {
        self.base
            .join(&path.join("/"))
            .map_err(|error| Error::Server {
                url: web::shown(&self.base),
                why: error.to_string(),
            })
    }

    /// Returns whether an address belongs to this registry, which may get its credentials.
    pub(crate) fn has(&self, address: &Url) -> bool {
        address.origin() == self.base.origin()
    }

    pub(crate) async fn get(
        &self,
        address: &Url,
        accept: &str,
        most: u64,
        progress: Progress<'_>,
    ) -> Result<Answer, Error> {
        let request = self.authorized(self.web.get(address, accept));
        web::send(request, most, progress).await
    }

    fn authorized(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.auth {
            RegistryAuth::Bearer(token) => request.bearer_auth(token),
            RegistryAuth::Basic(user, password) => request.basic_auth(user, Some(password)),
            RegistryAuth::Anonymous => request,
        }
    }
}

fn check(what: &str, found: Digest, expected: Digest) -> Result<(), Error> {
    match found == expected {
        true => Ok(()),
        false => Err(Error::Digest {
            what: what.to_owned(),
            found,
            expected,
        }),
    }
}

/// Returns a manifest or an index, as it is pushed.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|error| Error::Json(error.to_string()))
}

/// Returns the result of a push. A push may take no longer than a fetch.
async fn pushed<T>(
    what: &str,
    pushing: impl Future<Output = Result<T, OciDistributionError>>,
) -> Result<T, Error> {
    match tokio::time::timeout(web::WHOLE, pushing).await {
        Ok(pushed) => pushed.map_err(|error| push_error(what, &error)),
        Err(_) => Err(Error::Push {
            what: what.to_owned(),
            why: format!(
                "the registry did not take it within {} seconds; try it again",
                web::WHOLE.as_secs()
            ),
        }),
    }
}

fn push_error(what: &str, error: &OciDistributionError) -> Error {
    Error::Push {
        what: what.to_owned(),
        why: format!(
            "{}; log in with `docker login` if the registry asks for it",
            web::chain(error)
        ),
    }
}

/// Returns the credentials in Docker's configuration, if there are any.
fn credentials(registry: &str) -> Result<RegistryAuth, Error> {
    use docker_credential::{CredentialRetrievalError as Failed, DockerCredential};
    // Docker keeps the credentials of its own registry under another name.
    let key = match registry {
        "index.docker.io" => "https://index.docker.io/v1/",
        other => other,
    };
    let wrong = |why: String| Error::Credentials {
        registry: registry.to_owned(),
        why,
    };
    match docker_credential::get_credential(key) {
        Ok(DockerCredential::UsernamePassword(user, password)) => {
            Ok(RegistryAuth::Basic(user, password))
        }
        Ok(DockerCredential::IdentityToken(_)) => Err(wrong(
            "identity tokens are not supported; log in with a password or an access token".into(),
        )),
        Err(Failed::NoCredentialConfigured | Failed::ConfigNotFound) => Ok(RegistryAuth::Anonymous),
        // The error is the same for a missing file.
        Err(Failed::ConfigReadError) if !has_docker_config() => Ok(RegistryAuth::Anonymous),
        // The helper's output may contain a secret.
        Err(Failed::HelperFailure { helper, .. }) => Err(wrong(format!(
            "the credential helper `{helper}` failed; log in again with `docker login`"
        ))),
        Err(error) => Err(wrong(format!("{error}; log in again with `docker login`"))),
    }
}

fn has_docker_config() -> bool {
    let home = || std::env::home_dir().map(|home| home.join(".docker"));
    let dir = std::env::var_os("DOCKER_CONFIG")
        .map(PathBuf::from)
        .or_else(home);
    dir.is_some_and(|dir| dir.join("config.json").exists())
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[test]
    fn what_cannot_be_written_is_no_failed_signature() {
        let keyed_by_pairs = std::collections::BTreeMap::from([((1, 2), 3)]);
        let error = json(&keyed_by_pairs).expect_err("a key is a text");
        assert!(matches!(error, Error::Json(_)), "{error}");
        let error = error.to_string();
        assert!(error.contains("cannot be written as JSON: key"), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_push_that_does_not_end_is_ended() {
        let ended = pushed::<()>("oci://registry.example/a", pending()).await;
        let error = ended.expect_err("it cannot end well").to_string();
        assert!(error.contains("within 600 seconds"), "{error}");
    }
}
