//! Normalization of source names, so that a rule applies to every spelling of its source.

use std::path::{Component, Path, PathBuf};

use url::{Host, Url};

use crate::sandbox::capabilities::http::is_unambiguous;

/// The names of one and the same registry.
const DOCKER: [&str; 3] = [
    "index.docker.io",
    "registry-1.docker.io",
    "registry.hub.docker.com",
];

const FORMS: &str = "write oci://HOST/REPOSITORY:TAG, https://… or the path of a file";

/// Returns the normalized name of a source, or of a pattern of source names: the server's name in
/// lower case, without a default port and with one name for its aliases; no unnecessary encoding in
/// a path; no empty part, `.` or `..`. Names are compared in this spelling.
///
/// A file path is normalized as text; links are not resolved.
///
/// # Errors
///
/// Returns the reason if a name cannot be normalized: servers read it in different ways, or it is
/// not a source name.
///
/// ```
/// use portcullis::settings::plain_source;
///
/// assert_eq!(plain_source("oci://GHCR.io:443/acme/*").unwrap(), "oci://ghcr.io/acme/*");
/// assert_eq!(plain_source("https://example.com/%61cme/*").unwrap(), "https://example.com/acme/*");
/// assert!(plain_source("https://example.com//acme/*").is_err());
/// ```
pub fn plain_source(name: &str) -> Result<String, String> {
    let Some((scheme, rest)) = name.split_once("://") else {
        return file(name);
    };
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at_checked(at).unwrap_or((rest, "")),
        // A pattern for everything on a server.
        None if rest.ends_with('*') => (rest, ""),
        None => return Err(format!("there is no path behind the server; {FORMS}")),
    };
    match scheme.to_ascii_lowercase().as_str() {
        "oci" => {
            let is_here = server("http", authority).is_ok_and(|url| is_loopback(&url));
            let host = host(if is_here { "http" } else { "https" }, authority)?;
            let host = match DOCKER.contains(&host.as_str()) {
                true => "docker.io",
                false => &host,
            };
            Ok(format!("oci://{host}{}", repository(host, path)))
        }
        scheme @ ("http" | "https") => {
            let host = host(scheme, authority)?;
            Ok(format!("{scheme}://{host}{}", self::path(&host, path)?))
        }
        _ => Err(FORMS.into()),
    }
}

/// Returns whether a server is on this machine, so that nobody else can read or change the traffic.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn server(scheme: &str, authority: &str) -> Result<Url, String> {
    let url = Url::parse(&format!("{scheme}://{authority}/"));
    let url = url.map_err(|error| format!("`{authority}` names no server: {error}"))?;
    match url.username().is_empty() && url.password().is_none() {
        true => Ok(url),
        false => Err(
            "remove the user and the password from the address; they would be kept in hooks.lock"
                .into(),
        ),
    }
}

/// Returns a server with its port, unless it is the default port. In a pattern, the port may be
/// `*`.
fn host(scheme: &str, authority: &str) -> Result<String, String> {
    let (named, any_port) = match authority.strip_suffix(":*") {
        Some(named) => (named, ":*"),
        None => (authority, ""),
    };
    let url = server(scheme, named)?;
    // A trailing dot does not change the server.
    let name = url.host_str().unwrap_or_default();
    let name = name.strip_suffix('.').unwrap_or(name);
    Ok(match url.port() {
        Some(port) => format!("{name}:{port}{any_port}"),
        None => format!("{name}{any_port}"),
    })
}

/// Returns the path of a repository in a registry. Only tags may contain capital letters.
fn repository(host: &str, path: &str) -> String {
    let name = path.split('@').next().unwrap_or(path);
    let last = name.rfind('/').unwrap_or(0);
    let end = match name.get(last..).and_then(|part| part.find(':')) {
        Some(colon) => last + colon,
        None => name.len(),
    };
    let (name, rest) = path.split_at_checked(end).unwrap_or((path, ""));
    let name = name.to_ascii_lowercase();
    let bare = name.trim_start_matches('/');
    match host == "docker.io" && !bare.is_empty() && !bare.contains(['/', '*']) {
        true => format!("/library/{bare}{rest}"),
        false => format!("{name}{rest}"),
    }
}

/// Returns the path of an address on a server.
fn path(host: &str, path: &str) -> Result<String, String> {
    if path.is_empty() {
        return Ok(String::new());
    }
    if path.contains(['?', '#']) {
        return Err("remove what is behind the `?` or the `#`: it may hold a secret, and would be kept in hooks.lock; or download the file and name that".into());
    }
    let parsed = Url::parse(&format!("https://{}{path}", host.replace(":*", "")));
    let mut url = parsed.map_err(|error| error.to_string())?;
    if !is_unambiguous(url.path()) {
        return Err(
            "servers read its path in several ways: leave out empty parts, and write no `/`, `.`, `;` or `%` as %XX"
                .into(),
        );
    }
    let decoded = percent_encoding::percent_decode_str(url.path());
    let decoded = decoded.decode_utf8().map_err(|error| error.to_string())?;
    let decoded = decoded.into_owned();
    url.set_path(&decoded);
    Ok(url.path().to_owned())
}

fn file(name: &str) -> Result<String, String> {
    if name.starts_with('*') {
        return Ok(name.to_owned());
    }
    let path = Path::new(name);
    if !path.is_absolute() {
        return Err(format!(
            "the path of a file is compared as an absolute one, without links; {FORMS}"
        ));
    }
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    let plain = plain.to_string_lossy().into_owned();
    // A directory means all files in it, since the directory itself matches nothing.
    match name.ends_with('/') && !plain.ends_with('/') {
        true => Ok(format!("{plain}/*")),
        false => Ok(plain),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_one_spelling() {
        for (name, plain) in [
            ("oci://GHCR.io/acme/*", "oci://ghcr.io/acme/*"),
            ("oci://ghcr.io:443/acme/a:V1", "oci://ghcr.io/acme/a:V1"),
            ("oci://ghcr.io:0443/Acme/a:V1", "oci://ghcr.io/acme/a:V1"),
            ("oci://ghcr.io./acme/a:1", "oci://ghcr.io/acme/a:1"),
            ("oci://ghcr.io:80/acme/a:1", "oci://ghcr.io:80/acme/a:1"),
            ("oci://127.1:80/a:1", "oci://127.0.0.1/a:1"),
            ("oci://127.0.0.1:443/a:1", "oci://127.0.0.1:443/a:1"),
            ("oci://localhost:*/*", "oci://localhost:*/*"),
            ("oci://index.docker.io/acme/*", "oci://docker.io/acme/*"),
            (
                "oci://registry-1.docker.io/a:1",
                "oci://docker.io/library/a:1",
            ),
            ("oci://*", "oci://*"),
            ("OCI://ghcr.io/*", "oci://ghcr.io/*"),
            ("https://Example.com:443/*", "https://example.com/*"),
            ("https://*.Example.com/*", "https://*.example.com/*"),
            ("https://example.com./a", "https://example.com/a"),
            (
                "https://example.com/%61cme/a%21",
                "https://example.com/acme/a!",
            ),
            (
                "https://example.com/a%20b/%c3%a9",
                "https://example.com/a%20b/%C3%A9",
            ),
            ("https://example.com/a b", "https://example.com/a%20b"),
            (
                "https://example.com/x/../a/%2e/b",
                "https://example.com/a/b",
            ),
            ("http://127.1:8000/a", "http://127.0.0.1:8000/a"),
            ("*", "*"),
            ("*/vendored/*", "*/vendored/*"),
            ("/hooks//a/./b/../*", "/hooks/a/*"),
        ] {
            assert_eq!(plain_source(name).as_deref(), Ok(plain), "{name}");
            assert_eq!(plain_source(plain).as_deref(), Ok(plain), "{plain}");
        }
    }

    #[test]
    fn what_has_no_one_spelling_is_refused() {
        for (name, why) in [
            ("https://example.com//acme/a.wasm", "several ways"),
            ("https://example.com/acme%2fa.wasm", "several ways"),
            ("https://example.com/acme/a.wasm#x", "`#`"),
            ("https://example.com/acme/a.wasm?x", "`?`"),
            ("https://me:secret@example.com/a", "password"),
            ("https://example.com", "no path"),
            ("oci://ghcr.io", "no path"),
            ("ftp://example.com/*", "oci://"),
            ("*://example.com/*", "oci://"),
            ("./vendored/*", "absolute"),
            ("oci*", "absolute"),
        ] {
            let error = plain_source(name).expect_err(name);
            assert!(error.contains(why), "{name}: {error}");
        }
    }
}
