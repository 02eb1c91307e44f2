//! The kinds of hosts: local, private and disguised ones.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Names of this machine or its network, with those below them.
const LOCAL: &[&str] = &[
    "localhost",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "localdomain",
    "home.arpa",
    "svc",
    "consul",
    "metadata",
    // These resolve to the address that is written in the name, or to loopback.
    "nip.io",
    "sslip.io",
    "xip.io",
    "localtest.me",
    "lvh.me",
    "vcap.me",
    "lacolhost.com",
    "traefik.me",
    "1u.ms",
    "rbndr.us",
];

/// Returns whether the name resolves to this machine, its network or an address in the name.
pub fn is_local_name(domain: &str) -> bool {
    let is_below = |name: &&str| {
        domain == *name
            || domain
                .strip_suffix(*name)
                .is_some_and(|rest| rest.ends_with('.'))
    };
    // A name of one word is resolved by the local network.
    LOCAL.iter().any(is_below) || !domain.contains('.')
}

/// Returns whether the address is not one of a server on the internet.
pub fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || matches!(
            (a, b, c),
            (0 | 240..=255, ..) | (100, 64..=127, _) | (192, 0, 0) | (198, 18 | 19, _)
        )
}

/// Returns whether the address is not one of a server on the internet, or contains one that is not.
pub fn is_private_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let last = || {
        let [.., a, b] = segments;
        let [[a, b], [c, d]] = [a.to_be_bytes(), b.to_be_bytes()];
        Ipv4Addr::new(a, b, c, d)
    };
    let within = match segments {
        // Mapped, compatible, and translated addresses.
        [0, 0, 0, 0, 0, 0 | 0xffff, ..] | [0x64, 0xff9b, ..] => is_private_v4(last()),
        [0x2002, high, low, ..] => {
            let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
            is_private_v4(Ipv4Addr::new(a, b, c, d))
        }
        _ => false,
    };
    within
        || address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || matches!(segments[0], 0xfc00..=0xfdff | 0xfe80..=0xfeff)
}

/// Returns whether the host looks like another: by mixed alphabets, Latin lookalikes or misleading signs.
pub fn is_disguised(said: &str, host: &str) -> bool {
    let (unicode, _) = idna::domain_to_unicode(host);
    let is_mixed = unicode.split('.').any(is_confusing);
    // With these signs, the host that a person reads is not the host of the address.
    let authority = said.split_once("//").map_or("", |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    let has_odd_sign = authority.contains('\\')
        || authority.to_ascii_lowercase().contains("%2f")
        || authority.contains(is_full_width);
    is_mixed || has_odd_sign
}

fn is_full_width(letter: char) -> bool {
    matches!(letter, '\u{ff01}'..='\u{ff5e}' | '\u{3002}' | '\u{2024}' | '\u{2044}' | '\u{2215}' | '\u{2460}'..='\u{24ff}' | '\u{1d400}'..='\u{1d7ff}')
}

/// Letters of other alphabets that look like Latin ones.
const ALIKE: &str = "асеорхуіјѕԁһԛԝьвнкмтαοντικρυχγωηβ\u{0261}\u{0251}ı";

fn is_confusing(label: &str) -> bool {
    let others: Vec<char> = label
        .chars()
        .filter(|letter| letter.is_alphabetic() && !letter.is_ascii())
        .collect();
    if others.is_empty() {
        return false;
    }
    let is_foreign = |letter: &char| matches!(*letter, '\u{370}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' | '\u{1c80}'..='\u{1c8f}');
    let has_latin = label.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_alike = others.iter().all(|letter| ALIKE.contains(*letter));
    (has_latin && others.iter().any(is_foreign))
        || (others.len() > 1 && is_alike)
        || others
            .iter()
            .any(|letter| matches!(letter, '\u{0261}' | '\u{0251}' | 'ı'))
}
