//! The source of a component, as text.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use oci_client::Reference;
use portcullis::settings::{is_loopback, plain_source};
use url::Url;

use crate::error::Error;

/// The source of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// An artifact in an OCI registry: `oci://HOST/REPOSITORY:TAG`, with `@sha256:…` in addition or instead.
    Oci(Reference),
    /// A file on a server: `https://…`; `http://…` on loopback only.
    Url(Url),
    /// A file.
    File(PathBuf),
}

impl FromStr for Source {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = |why: &str| Error::Source {
            text: portcullis::text::sanitize_for_terminal(text),
            why: why.to_owned(),
        };
        if !text.contains("://") {
            return match text {
                "" => Err(wrong(
                    "write oci://HOST/REPOSITORY:TAG, https://… or a file",
                )),
                file => Ok(Self::File(PathBuf::from(file))),
            };
        }
        let plain = plain_source(text).map_err(|why| wrong(&why))?;
        if let Some(rest) = plain.strip_prefix("oci://") {
            return oci(rest).map_err(|why| wrong(&why));
        }
        let url = Url::parse(&plain).map_err(|error| wrong(&error.to_string()))?;
        match url.scheme() {
            "http" if !is_loopback(&url) => {
                Err(wrong("use https; http is for servers on this machine"))
            }
            _ => Ok(Self::Url(url)),
        }
    }
}

fn oci(rest: &str) -> Result<Source, String> {
    let host = rest.split_once('/').map(|(host, _)| host);
    // Docker's names without a host refer to Docker Hub, which is probably not intended here.
    if !host.is_some_and(|host| host.contains(['.', ':']) || host == "localhost") {
        return Err("name the registry too: oci://HOST/REPOSITORY:TAG".into());
    }
    let reference: Reference = rest.parse().map_err(|error| format!("{error}"))?;
    let name = rest.rsplit_once('/').map_or(rest, |(_, name)| name);
    if !name.contains([':', '@']) {
        return Err(format!("name a tag or a digest: oci://{rest}:TAG"));
    }
    match reference.digest() {
        Some(digest) if !digest.starts_with("sha256:") => {
            Err("only digests of SHA-256 are checked: @sha256:…".into())
        }
        _ => Ok(Source::Oci(reference)),
    }
}

impl Source {
    /// Returns the source without its digest, which an update changes.
    pub fn moving(&self) -> Self {
        match self {
            Self::Oci(reference) => match reference.tag() {
                Some(tag) => Self::Oci(Reference::with_tag(
                    reference.registry().to_owned(),
                    reference.repository().to_owned(),
                    tag.to_owned(),
                )),
                None => self.clone(),
            },
            _ => self.clone(),
        }
    }

    /// Returns the same source without links and `..`: rules apply to the file that is read.
    ///
    /// # Errors
    ///
    /// The source is a file that does not exist.
    pub fn resolved(&self) -> Result<Self, Error> {
        match self {
            Self::File(path) => match path.canonicalize() {
                Ok(path) => Ok(Self::File(path)),
                Err(error) => Err(Error::unreadable(path, &error)),
            },
            other => Ok(other.clone()),
        }
    }

    /// Returns whether the text names a digest, which fixes the content.
    pub fn is_pinned(&self) -> bool {
        matches!(self, Self::Oci(reference) if reference.digest().is_some())
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Oci(reference) => write!(f, "oci://{}", reference.whole()),
            Self::Url(url) => url.fmt(f),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_written_as_it_was_read() {
        let digest = "a".repeat(64);
        for text in [
            "oci://127.0.0.1:5000/hooks/word-filter:1.0".to_owned(),
            format!("oci://ghcr.io/acme/word-filter@sha256:{digest}"),
            format!("oci://ghcr.io/acme/word-filter:1@sha256:{digest}"),
            "https://example.com/hooks/a.wasm".to_owned(),
            "http://127.0.0.1:8000/a.wasm".to_owned(),
            "hooks/a.wasm".to_owned(),
        ] {
            let source: Source = text.parse().unwrap();
            assert_eq!(source.to_string(), text);
            assert_eq!(source.is_pinned(), text.contains('@'));
        }
    }

    #[test]
    fn a_registry_has_one_spelling() {
        for (text, plain) in [
            ("oci://GHCR.IO/acme/a:1", "oci://ghcr.io/acme/a:1"),
            ("oci://ghcr.io:443/acme/a:1", "oci://ghcr.io/acme/a:1"),
            ("oci://index.docker.io/acme/a:1", "oci://docker.io/acme/a:1"),
            ("oci://ghcr.io/acme/a:V1", "oci://ghcr.io/acme/a:V1"),
            (
                "oci://127.0.0.1:443/acme/a:1",
                "oci://127.0.0.1:443/acme/a:1",
            ),
            ("HTTPS://Example.com:443/a", "https://example.com/a"),
        ] {
            let source: Source = text.parse().unwrap();
            assert_eq!(source.to_string(), plain);
        }
    }

    #[test]
    fn what_could_mean_something_else_is_refused() {
        for (text, why) in [
            ("", "oci://"),
            ("oci://acme/word-filter:1", "name the registry"),
            ("oci://ghcr.io/acme/word-filter", "name a tag"),
            ("oci://ghcr.io/acme/Word Filter:1", ""),
            ("http://example.com/a.wasm", "use https"),
            ("http://127.0.0.1.example.com/a.wasm", "use https"),
            ("https://me:secret@example.com/a.wasm", "password"),
            ("https://example.com/a.wasm?token=secret", "hooks.lock"),
            ("https://example.com/a.wasm#x", "`#`"),
            ("https://example.com//a.wasm", "several ways"),
            ("ftp://example.com/a.wasm", "oci://"),
        ] {
            let error = text.parse::<Source>().expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn an_update_leaves_the_digest_out_where_there_is_a_tag() {
        let digest = "a".repeat(64);
        let source: Source = format!("oci://ghcr.io/a/b:1@sha256:{digest}")
            .parse()
            .unwrap();
        assert_eq!(source.moving().to_string(), "oci://ghcr.io/a/b:1");
        let pinned: Source = format!("oci://ghcr.io/a/b@sha256:{digest}")
            .parse()
            .unwrap();
        assert_eq!(pinned.moving(), pinned);
    }
}
