//! What a component says about itself beyond what it does, in the custom sections that the component model's tools
//! and OCI registries write and read. None of it is trusted.

use serde::Serialize;
use wasmparser::{Parser, Payload};

use crate::contract::text::sanitize_for_terminal;

/// The longest text that is kept, in bytes.
const LONGEST: usize = 1_000;

/// What a component's author says about it. None of it is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct About {
    /// The licence: the section `licenses`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// A page about it: the section `homepage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// Its source: the section `source`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Who made it: the section `authors`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authors: Option<String>,
    /// The revision of the source: the section `revision`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

impl About {
    /// Reads it off a component that is valid.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut about = Self::default();
        let mut within = 0_usize;
        for payload in Parser::new(0).parse_all(bytes).map_while(Result::ok) {
            match payload {
                Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => within += 1,
                Payload::End(_) => within = within.saturating_sub(1),
                Payload::CustomSection(section) if within == 0 => {
                    let field = match section.name() {
                        "licenses" => &mut about.license,
                        "homepage" => &mut about.homepage,
                        "source" => &mut about.source,
                        "authors" => &mut about.authors,
                        "revision" => &mut about.revision,
                        _ => continue,
                    };
                    *field = text(section.data());
                }
                _ => {}
            }
        }
        about
    }
}

fn text(data: &[u8]) -> Option<String> {
    let text = data.get(..LONGEST.min(data.len()))?;
    Some(sanitize_for_terminal(&String::from_utf8_lossy(text)))
}
