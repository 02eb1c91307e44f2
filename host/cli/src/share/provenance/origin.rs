//! A package's origin, and its URL (purl).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

/// The end of the index name of cargo's own registry, in every lock file.
const CARGO_INDEX: &str = "/crates.io-index";

/// The characters that a purl leaves unescaped.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'/')
    .remove(b':');

/// A package's origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A registry, by the type that a purl has for its kind.
    Registry(&'static str),
    /// Another source, with the qualifier for it.
    Qualified(&'static str, String),
    /// A directory, for which there is no URL.
    Directory,
}

impl Origin {
    /// Returns a package's origin from cargo's lock file.
    pub fn of_cargo(source: Option<&str>) -> Self {
        let Some((kind, address)) = source.and_then(|source| source.split_once('+')) else {
            return Self::Directory;
        };
        match kind {
            "git" => repository("cargo", address),
            _ if address.ends_with(CARGO_INDEX) => Self::Registry("cargo"),
            _ => qualified("cargo", "repository_url", address),
        }
    }

    /// Returns a package's origin from npm's lock file. A package without an address is from a
    /// registry: npm may be set to leave it out.
    pub fn of_npm(name: &str, resolved: Option<&str>) -> Self {
        let Some(resolved) = resolved else {
            return Self::Registry("npm");
        };
        if let Some(address) = resolved.strip_prefix("git+") {
            return repository("npm", address);
        }
        if !resolved.starts_with("http") {
            return Self::Directory;
        }
        match resolved.split_once(&format!("/{name}/-/")) {
            Some((registry, _)) => qualified("npm", "repository_url", registry),
            None => qualified("npm", "download_url", resolved),
        }
    }

    /// Returns the purl of a package with this origin.
    pub fn purl(&self, name: &str, version: &str) -> Option<String> {
        let encoded = |text| utf8_percent_encode(text, KEPT);
        let (kind, qualifier) = match self {
            Self::Registry(kind) => (*kind, String::new()),
            Self::Qualified(kind, qualifier) => (*kind, format!("?{qualifier}")),
            Self::Directory => return None,
        };
        let (name, version) = (encoded(name), encoded(version));
        Some(format!("pkg:{kind}/{name}@{version}{qualifier}"))
    }
}

/// Returns a Git repository at a commit, written as `URL#COMMIT`.
fn repository(kind: &'static str, address: &str) -> Origin {
    let (place, commit) = address.split_once('#').unwrap_or((address, ""));
    let place = place.split('?').next().unwrap_or(place);
    let at = if commit.is_empty() { "" } else { "@" };
    let Some(place) = published(place) else {
        return Origin::Directory;
    };
    let shown = format!("git+{place}{at}{commit}");
    Origin::Qualified(kind, qualifier("vcs_url", &shown))
}

fn qualified(kind: &'static str, key: &str, address: &str) -> Origin {
    match published(address) {
        Some(address) => Origin::Qualified(kind, qualifier(key, &address)),
        None => Origin::Directory,
    }
}

fn qualifier(key: &str, value: &str) -> String {
    format!("{key}={}", utf8_percent_encode(value, KEPT))
}

/// Returns an address without credentials, which may also be in a user name alone or in a query.
/// `None` if the address is no URL, since the place of its credentials is then unknown.
fn published(address: &str) -> Option<String> {
    let given = Url::parse(address).ok()?;
    let mut url = given.clone();
    // A user name in `ssh` is an account, such as `git`.
    if url.scheme() != "ssh" {
        let _ = url.set_username("");
    }
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    // An address without credentials stays as it was written.
    Some(if url == given {
        address.to_owned()
    } else {
        url.into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_cargo_is_named_by_where_it_is_from() {
        for (source, purl) in [
            (
                Some("registry+https://git.example/rust/crates.io-index"),
                Some("pkg:cargo/a@1.0.0"),
            ),
            (
                Some("sparse+https://me:pass@crates.example/index/"),
                Some("pkg:cargo/a@1.0.0?repository_url=https://crates.example/index/"),
            ),
            (
                Some("git+https://git.example/a?branch=main#abc"),
                Some("pkg:cargo/a@1.0.0?vcs_url=git%2Bhttps://git.example/a%40abc"),
            ),
            (
                Some("git+https://token@git.example/a#abc"),
                Some("pkg:cargo/a@1.0.0?vcs_url=git%2Bhttps://git.example/a%40abc"),
            ),
            (
                Some("sparse+https://token@crates.example/index/"),
                Some("pkg:cargo/a@1.0.0?repository_url=https://crates.example/index/"),
            ),
            (None, None),
        ] {
            let found = Origin::of_cargo(source).purl("a", "1.0.0");
            assert_eq!(found.as_deref(), purl, "{source:?}");
        }
    }

    #[test]
    fn a_package_of_npm_is_named_by_where_it_is_from() {
        for (resolved, purl) in [
            (None, Some("pkg:npm/%40x/b@1.0.0%2B1")),
            (
                Some("https://npm.example/@x/b/-/b-1.0.0.tgz"),
                Some("pkg:npm/%40x/b@1.0.0%2B1?repository_url=https://npm.example"),
            ),
            (
                Some("https://files.example/b.tgz"),
                Some("pkg:npm/%40x/b@1.0.0%2B1?download_url=https://files.example/b.tgz"),
            ),
            (
                Some("git+ssh://git@git.example/b.git#abc"),
                Some("pkg:npm/%40x/b@1.0.0%2B1?vcs_url=git%2Bssh://git%40git.example/b.git%40abc"),
            ),
            (
                Some("https://files.example/b.tgz?token=secret"),
                Some("pkg:npm/%40x/b@1.0.0%2B1?download_url=https://files.example/b.tgz"),
            ),
            (Some("file:../b"), None),
            (Some("../b"), None),
        ] {
            let found = Origin::of_npm("@x/b", resolved).purl("@x/b", "1.0.0+1");
            assert_eq!(found.as_deref(), purl, "{resolved:?}");
        }
    }
}
