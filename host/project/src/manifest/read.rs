//! Reads a manifest's text, and reports faults with their lines.

use std::iter;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::Manifest;
use crate::nearest;

/// The keys of a manifest.
const KEYS: &[&str] = &[
    "name", "language", "points", "contract", "sdk", "about", "rust", "c", "cpp", "zig",
];

/// Returns the keys of one of its tables.
fn keys_of(table: &str) -> Option<&'static [&'static str]> {
    match table {
        "about" => Some(&["license", "homepage", "source"]),
        "rust" => Some(&["profile"]),
        "c" | "cpp" | "zig" => Some(&["flags", "config-schema"]),
        _ => None,
    }
}

/// A fault in a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestFault {
    /// Its line, counted from 1, if it is known.
    pub line: Option<usize>,
    /// The problem, and the fix.
    pub problem: String,
}

/// Reads a manifest.
///
/// # Errors
///
/// Reads a manifest. An error contains all unknown keys, by their lines; if there are none, the
/// first fault.
pub(crate) fn read(text: &str) -> Result<Manifest, Vec<ManifestFault>> {
    let fault = |error: &toml::de::Error, key: Option<&str>| ManifestFault {
        line: error.span().map(|span| line_at(text, span.start)),
        problem: match key {
            Some(key) => format!("`{key}`: {}", error.message()),
            None => error.message().to_owned(),
        },
    };
    let document = DeTable::parse(text).map_err(|error| vec![fault(&error, None)])?;
    let document = document.get_ref();
    let unknown = unknown_keys(text, document);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    toml::from_str(text).map_err(|error| {
        let key = error.span().and_then(|span| key_of(document, &span));
        vec![fault(&error, key)]
    })
}

fn unknown_keys(text: &str, document: &DeTable<'_>) -> Vec<ManifestFault> {
    let tables = document.iter().filter_map(|(name, value)| {
        let known = keys_of(name.get_ref())?;
        match value.get_ref() {
            DeValue::Table(table) => Some((known, table)),
            _ => None,
        }
    });
    let mut faults = Vec::new();
    for (known, table) in iter::once((KEYS, document)).chain(tables) {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if known.contains(&name) {
                continue;
            }
            let otherwise = format!("known here: {}", known.join(", "));
            let hint = nearest::hint(name, known.iter().copied(), otherwise);
            faults.push(ManifestFault {
                line: Some(line_at(text, key.span().start)),
                problem: format!("unknown key `{name}`{hint}"),
            });
        }
    }
    faults.sort_by_key(|fault| fault.line);
    faults
}

/// Returns the key of the innermost value in which a place is.
fn key_of<'a>(table: &'a DeTable<'_>, place: &Range<usize>) -> Option<&'a str> {
    table.iter().find_map(|(key, value)| {
        let within = match value.get_ref() {
            DeValue::Table(table) => key_of(table, place),
            _ => None,
        };
        let span = value.span();
        let holds = span.start <= place.start && place.end <= span.end;
        within.or_else(|| holds.then(|| &**key.get_ref()))
    })
}

fn line_at(text: &str, offset: usize) -> usize {
    let breaks = text.bytes().take(offset).filter(|byte| *byte == b'\n');
    1 + breaks.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"name = "a"
language = "c"
points = ["pre-turn"]
contract = "0.2.0"
sdk = "sdk"

[about]
license = "MIT"
homepage = "https://example.com/"
source = "https://example.com/"

[rust]
profile = "release"

[c]
flags = []
config-schema = "a.json"

[cpp]
flags = []
config-schema = "a.json"

[zig]
flags = []
config-schema = "a.json"
"#;

    #[test]
    fn every_key_is_known() {
        assert!(read(WHOLE).is_ok(), "{:?}", read(WHOLE));
        let document = DeTable::parse(WHOLE).expect("a manifest");
        let sorted = |mut keys: Vec<&str>| {
            keys.sort_unstable();
            keys.join(" ")
        };
        let keys = |table: &DeTable<'_>| {
            let keys = table.keys().map(|key| key.get_ref().to_string());
            let keys: Vec<String> = keys.collect();
            sorted(keys.iter().map(String::as_str).collect())
        };
        assert_eq!(keys(document.get_ref()), sorted(KEYS.to_vec()));
        for (name, value) in document.get_ref() {
            if let DeValue::Table(table) = value.get_ref() {
                let known = keys_of(name.get_ref()).expect("a table");
                assert_eq!(keys(table), sorted(known.to_vec()));
            }
        }
    }

    #[test]
    fn what_is_wrong_has_its_line_and_its_key() {
        for (there, instead, expected) in [
            (
                "language",
                "langage",
                &[(2, "unknown key `langage`; did you mean `language`?")][..],
            ),
            (
                "profile = \"release\"",
                "xyz = 1",
                &[(13, "unknown key `xyz`; known here: profile")],
            ),
            (
                "sdk = \"sdk\"\n\n[about]\nlicense",
                "skd = \"sdk\"\n\n[about]\nlicence",
                &[
                    (5, "unknown key `skd`; did you mean `sdk`?"),
                    (8, "unknown key `licence`; did you mean `license`?"),
                ],
            ),
            (
                "\"c\"",
                "\"pyhton\"",
                &[(
                    2,
                    "`language`: there is no language `pyhton`; did you mean `python`?",
                )],
            ),
            (
                "flags = []",
                "flags = 3",
                &[(
                    16,
                    "`flags`: invalid type: integer `3`, expected a sequence",
                )],
            ),
            (
                "[\"pre-turn\"]",
                "[]",
                &[(
                    3,
                    "`points`: the list is empty, and a hook without a point is never called; name the points that it serves, such as [\"pre-turn\"]",
                )],
            ),
            (
                "language = \"c\"",
                "language",
                &[(2, "key with no value, expected `=`")],
            ),
            ("language = \"c\"\n", "", &[(1, "missing field `language`")]),
        ] {
            let wrong = WHOLE.replacen(there, instead, 1);
            let faults = read(&wrong).expect_err(instead);
            let said: Vec<_> = faults
                .iter()
                .map(|fault| (fault.line.unwrap_or_default(), fault.problem.as_str()))
                .collect();
            assert_eq!(said, expected, "{instead}");
        }
    }
}
