//! The parts of a URL that a request needs.

use super::Error;

/// A URL in its parts.
#[derive(Debug)]
#[cfg_attr(
    not(target_arch = "wasm32"),
    allow(dead_code, reason = "natively a URL is only checked")
)]
pub(super) struct Url<'a> {
    pub(super) is_https: bool,
    pub(super) authority: &'a str,
    pub(super) path: &'a str,
}

impl<'a> Url<'a> {
    pub(super) fn parse(url: &'a str) -> Result<Self, Error> {
        let (is_https, rest) = match url.split_once("://") {
            Some(("https", rest)) => (true, rest),
            Some(("http", rest)) => (false, rest),
            _ => return Err(invalid("its URL begins with neither https:// nor http://")),
        };
        // A fragment is for the client, and is not sent.
        let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let path = if path.is_empty() { "/" } else { path };
        Ok(Self {
            is_https,
            authority,
            path,
        })
    }
}

/// Returns the error of a request that is not valid, for this reason.
pub(super) fn invalid(why: &str) -> Error {
    Error::Invalid(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_a_server_and_a_path() {
        for (url, authority, path) in [
            ("https://a.example", "a.example", "/"),
            ("http://a.example:80/b?c=d#e", "a.example:80", "/b?c=d"),
            ("https://[::1]:8443?c=d", "[::1]:8443", "?c=d"),
        ] {
            let url = Url::parse(url).expect("a URL");
            assert_eq!((url.authority, url.path), (authority, path));
        }
        for url in ["a.example", "ftp://a.example", ""] {
            assert!(Url::parse(url).is_err(), "{url}");
        }
    }
}
