use proptest::prelude::*;

use super::*;

#[test]
fn a_path_that_a_server_could_read_otherwise_is_refused() {
    for path in [
        "/v1/..",
        "/v1/../admin",
        "/v1/./admin",
        "/v1/.../admin",
        "/v1/..;/admin",
        "/v1/..;a=b/admin",
        "/v1/.;/admin",
        "/v1/;/admin",
        "/v1/;a/../admin",
        "/v1//admin",
        "/v1/..%20/admin",
        "/v1/%20/admin",
        "/v1/%2e%2e/admin",
        "/v1/%2E./admin",
        "/v1/%252e%252e/admin",
        "/v1/%25252e/admin",
        "/v1/%2f../admin",
        "/v1/..%2fadmin",
        "/v1/%5c../admin",
        "/v1/..\\admin",
        "/v1/..%5cadmin",
        "/v1/a%00",
        "/v1/a%00/../admin",
        "/v1/%0d%0a",
        "/v1/%7f",
        "/v1/%c0%af",
        "/v1/%c0%ae%c0%ae/admin",
        "/v1/%e0%80%af",
        "/v1/%f0%80%80%af",
        "/v1/%ff",
        "/v1/%u002e%u002e/admin",
        "/v1/%2",
        "/v1/%",
        "/v1/%zz",
        "/v1/..%3b/admin",
        // Wide dots and slashes, and characters whose low byte is one.
        "/v1/%ef%bc%8e%ef%bc%8e/admin",
        "/v1/%ef%bc%8f",
        "/v1/%e2%80%a5/admin",
        "/v1/%c4%ae%c4%ae/admin",
        "/v1/\u{ff0e}\u{ff0e}/admin",
        "/v1/é",
        "v1",
    ] {
        assert!(!is_unambiguous(path), "{path}");
    }
    for path in [
        "",
        "/",
        "/v1",
        "/v1/",
        "/v1/a.b/c..d/.well-known/..hidden",
        "/v1/items;color=red/2",
        "/v1/a%20b%C3%A9",
        "/v1/~user/a-b_c/@me:x,y(1)!*'$&+=",
    ] {
        assert!(is_unambiguous(path), "{path}");
    }
}

/// A server that differs from the others in some respect.
#[derive(Debug, Clone)]
struct Reading {
    decodes: usize,
    overlong: bool,
    narrow: bool,
    backslashes: bool,
    parameters: bool,
    ends: bool,
    spaces: bool,
    merges: bool,
}

impl Reading {
    /// Returns the names on the way to the served resource.
    fn of(&self, path: &str) -> Vec<String> {
        let mut bytes = path.as_bytes().to_vec();
        for _ in 0..self.decodes {
            bytes = decode(&bytes);
        }
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if self.overlong {
            let lossy: Vec<u8> = bytes.iter().copied().filter(|b| *b != 0xc0).collect();
            let lossy: Vec<u8> = lossy
                .iter()
                .map(|b| if *b < 0xc0 { b & 0x7f } else { *b })
                .collect();
            text = String::from_utf8_lossy(&lossy).into_owned();
        }
        if self.narrow {
            text = text
                .chars()
                .map(|c| char::from((c as u32).to_le_bytes()[0]))
                .collect();
        }
        if self.backslashes {
            text = text.replace('\\', "/");
        }
        if self.ends {
            text.truncate(text.find('\0').unwrap_or(text.len()));
        }
        let mut names: Vec<String> = Vec::new();
        for part in text.split('/') {
            let part = match self.parameters {
                true => part.split(';').next().unwrap_or_default(),
                false => part,
            };
            let part = match self.spaces {
                true => part.trim(),
                false => part,
            };
            match part {
                "." => {}
                "" if self.merges => {}
                ".." => drop(names.pop()),
                name => names.push(name.to_owned()),
            }
        }
        names.retain(|name| !name.is_empty());
        names
    }
}

fn decode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        let hex = |digits: &[u8]| {
            let text = std::str::from_utf8(digits).ok()?;
            u8::from_str_radix(text, 16).ok()
        };
        let (byte, left) = match (first, after) {
            (b'%', [b'u', b'0', b'0', a, b, left @ ..]) => (hex(&[*a, *b]), left),
            (b'%', [a, b, left @ ..]) => (hex(&[*a, *b]), left),
            _ => (None, after),
        };
        rest = if byte.is_some() { left } else { after };
        out.push(byte.unwrap_or(*first));
    }
    out
}

fn reading() -> impl Strategy<Value = Reading> {
    let flags = proptest::array::uniform7(any::<bool>());
    (0..4_usize, flags).prop_map(|(decodes, flags)| {
        let [
            overlong,
            narrow,
            backslashes,
            parameters,
            ends,
            spaces,
            merges,
        ] = flags;
        Reading {
            decodes,
            overlong,
            narrow,
            backslashes,
            parameters,
            ends,
            spaces,
            merges,
        }
    })
}

fn piece() -> impl Strategy<Value = String> {
    const KNOWN: &[&str] = &[
        "/",
        "/",
        "/",
        ".",
        "..",
        "a",
        "admin",
        ";",
        "..;",
        "%",
        "25",
        "2e",
        "%2e",
        "%2f",
        "%25",
        "%5c",
        "%3b",
        "%00",
        "%20",
        "%c0%ae",
        "%c0%af",
        "%c4%ae",
        "%c8%af",
        "%u002e",
        "%ef%bc%8e",
        "\\",
        " ",
        "//",
        "..%20",
    ];
    prop_oneof![
        4 => proptest::sample::select(KNOWN).prop_map(str::to_owned),
        1 => "[ -~]{1,3}".prop_map(|text| text.replace(['?', '#'], "")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_096, ..ProptestConfig::default() })]

    /// An allowed path leads below the granted one, however a server interprets it.
    #[test]
    fn what_is_granted_is_below_the_grant_to_every_server(
        pieces in proptest::collection::vec(piece(), 0..8),
        readings in proptest::collection::vec(reading(), 32),
    ) {
        let path = format!("/v1/{}", pieces.concat());
        if is_unambiguous(&path) {
            for reading in readings {
                let names = reading.of(&path);
                prop_assert_eq!(names.first().map(String::as_str), Some("v1"), "{} by {:?}", path, reading);
            }
        }
    }

    #[test]
    fn usual_paths_are_granted(path in "(/[a-z0-9_~-][A-Za-z0-9._~-]{0,9}){0,6}/?") {
        prop_assert!(is_unambiguous(&path));
    }
}
