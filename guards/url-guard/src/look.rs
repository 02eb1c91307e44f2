//! Checking the addresses in a tool call.

use percent_encoding::percent_decode_str;
use url::{Host, Url};

use crate::config::{Config, names_host};
use crate::fault::Fault;
use crate::{data, find, host, scheme};

/// The maximum number of bytes of a web address that are parsed. A longer address carries data.
const LONGEST: usize = 8 * 1024;
/// Arguments that hold a host, or an address with or without a scheme.
const HOSTS: &[&str] = &[
    "url", "urls", "uri", "host", "hostname", "address", "endpoint", "base_url", "webhook",
];
/// Arguments that hold an address with a scheme, or a path.
const LINKS: &[&str] = &["href", "link"];

/// Returns the first fault of an argument: of the address that it is, or of those within it.
pub fn argument(config: &Config, name: &str, text: &str) -> Option<Fault> {
    let mut whole = Vec::new();
    if HOSTS.contains(&name) || LINKS.contains(&name) {
        whole.extend(find::whole(text));
    }
    if HOSTS.contains(&name) {
        whole.extend(find::host_first(text));
    }
    let whole = whole.iter().map(String::as_str);
    whole
        .chain(find::within(text))
        .find_map(|said| address(config, said))
}

/// Returns the fault of an address.
pub fn address(config: &Config, said: &str) -> Option<Fault> {
    let (scheme, rest) = said.split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    if scheme::is_odd(&scheme) {
        return Some(Fault::Scheme(scheme));
    }
    if !scheme::is_web(&scheme) {
        return others(&scheme, rest)
            .into_iter()
            .find_map(|host| server(config, &host));
    }
    let (parsed, rest) = said.split_at(said.floor_char_boundary(LONGEST));
    if !rest.is_empty() && !has_whole_authority(parsed) {
        return Some(Fault::Data(said.chars().take(64).collect()));
    }
    let Ok(url) = Url::parse(parsed) else {
        return Some(Fault::Scheme(scheme));
    };
    let host = url.host()?.to_owned();
    if let Some(fault) = server(config, &host) {
        return Some(fault);
    }
    let name = name(&host);
    if names_host(&config.trusted, &name) {
        return None;
    }
    let has_user = !url.username().is_empty() || url.password().is_some();
    if config.disguised && (has_user || host::is_disguised(parsed, &name)) {
        return Some(Fault::Disguised(name));
    }
    (config.data && (!rest.is_empty() || data::is_carried(&url))).then_some(Fault::Data(name))
}

/// Returns whether the start of a web address contains all of its user and host. Otherwise its host is a later one.
fn has_whole_authority(start: &str) -> bool {
    let (_, rest) = start.split_once(':').unwrap_or_default();
    rest.trim_start_matches(['/', '\\', '\t', '\n', '\r'])
        .contains(['/', '\\', '?', '#'])
}

/// Returns the fault of a server, if it may not be reached.
fn server(config: &Config, host: &Host) -> Option<Fault> {
    let name = name(host);
    if names_host(&config.trusted, &name) {
        return None;
    }
    if names_host(&config.deny, &name)
        || (!config.allow.is_empty() && !names_host(&config.allow, &name))
    {
        return Some(Fault::Host(name));
    }
    let is_private = match host {
        Host::Domain(domain) => host::is_local_name(domain.trim_end_matches('.')),
        Host::Ipv4(address) => host::is_private_v4(*address),
        Host::Ipv6(address) => host::is_private_v6(*address),
    };
    (config.private && is_private).then_some(Fault::Private(name))
}

fn name(host: &Host) -> String {
    host.to_string().trim_end_matches('.').to_owned()
}

/// Returns the servers in an address of another scheme, from the text after the scheme. It may list several.
fn others(scheme: &str, rest: &str) -> Vec<Host> {
    let Some(rest) = rest.strip_prefix("//") else {
        return Vec::new();
    };
    let authority = find::authority(rest);
    let hosts = authority.rsplit('@').next().unwrap_or_default();
    hosts
        .split(',')
        .filter_map(|said| host_of(scheme, said))
        .collect()
}

/// Returns the host in an address of another scheme. A port may follow the host.
fn host_of(scheme: &str, said: &str) -> Option<Host> {
    if said.starts_with('[') {
        let end = said.find(']')?;
        return Host::parse(said.get(..=end)?).ok();
    }
    let said = said.split(':').next()?;
    let name = percent_decode_str(said).decode_utf8_lossy();
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|letter| letter.is_alphanumeric() || "-_.".contains(letter));
    // A single word is a package or a bucket in many schemes.
    let is_server =
        scheme::has_servers(scheme) || name.contains('.') || name.eq_ignore_ascii_case("localhost");
    (is_name && is_server)
        .then(|| Host::parse(&name).ok())
        .flatten()
}
