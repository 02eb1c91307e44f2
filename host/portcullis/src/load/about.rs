//! Metadata of a component, such as licence and authors, from the custom sections that component
//! model tools and OCI registries use. None of it is trusted.

use serde::Serialize;
use url::Url;
use wasmparser::{Parser, Payload};

use crate::contract::text::sanitize_for_terminal;

/// The longest text that is kept, in bytes.
const LONGEST: usize = 1_000;
/// The most omitted sections that are reported.
const MOST_LEFT_OUT: usize = 4;

/// The author's metadata of a component. None of it is verified.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct About {
    /// The licence: the section `licenses`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// The address of the component's page: the section `homepage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// The address of the source code: the section `source`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The authors: the section `authors`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authors: Option<String>,
    /// The revision of the source code: the section `revision`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The sections that were left out, each with the reason. An address is kept if it is an `http`
    /// or `https` URL that shows its destination.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl About {
    /// Reads the metadata of a valid component.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut about = Self::default();
        let mut within = 0_usize;
        for payload in Parser::new(0).parse_all(bytes).map_while(Result::ok) {
            match payload {
                Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => within += 1,
                Payload::End(_) => within = within.saturating_sub(1),
                Payload::CustomSection(section) if within == 0 => {
                    about.put(section.name(), section.data());
                }
                _ => {}
            }
        }
        about
    }

    fn put(&mut self, section: &str, data: &[u8]) {
        let (field, is_address) = match section {
            "licenses" => (&mut self.license, false),
            "homepage" => (&mut self.homepage, true),
            "source" => (&mut self.source, true),
            "authors" => (&mut self.authors, false),
            "revision" => (&mut self.revision, false),
            _ => return,
        };
        let text = text(data);
        match is_address && !is_web_address(&text) {
            false => *field = Some(text),
            true if self.left_out.len() < MOST_LEFT_OUT => self.left_out.push(format!(
                "its {section} `{text}` is left out: it is no plain `http` or `https` URL"
            )),
            true => {}
        }
    }
}

fn text(data: &[u8]) -> String {
    let text = data.get(..LONGEST.min(data.len())).unwrap_or_default();
    sanitize_for_terminal(&String::from_utf8_lossy(text))
}

/// Returns whether a text is an address that a browser may open and that shows its destination: a
/// web URL without a user before the host and without lookalike letters.
fn is_web_address(text: &str) -> bool {
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    is_plain
        && Url::parse(text).is_ok_and(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.username().is_empty()
                && url.password().is_none()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_kept() {
        for text in [
            "https://example.com/",
            "http://example.com:8080/a?b=c#d",
            "https://xn--bcher-kva.example/",
            "HTTPS://[::1]/",
        ] {
            let mut about = About::default();
            about.put("homepage", text.as_bytes());
            assert_eq!(about.homepage.as_deref(), Some(text));
            assert_eq!(about.left_out, [] as [&str; 0]);
        }
        for text in [
            "",
            "example.com",
            "javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "file:///etc/passwd",
            "vscode://extension/install",
            "https:",
            "https://example.com@evil.example/",
            "https://bücher.example/",
            "https://example.com/\u{202e}gpj.exe",
            "https://example.com/ and more",
            "https:\\\\example.com",
            "\u{1b}]8;;https://evil.example\u{7}https://example.com",
        ] {
            let mut about = About::default();
            about.put("homepage", text.as_bytes());
            about.put("source", text.as_bytes());
            assert_eq!((&about.homepage, &about.source), (&None, &None), "{text}");
            assert_eq!(about.left_out.len(), 2, "{text}");
            for said in &about.left_out {
                assert!(
                    !said.chars().any(crate::contract::text::is_hidden),
                    "{said}"
                );
            }
        }
    }

    #[test]
    fn what_is_left_out_has_an_end() {
        let mut about = About::default();
        for _ in 0..100 {
            about.put("homepage", &[b'x'; 100_000]);
        }
        let most = LONGEST + 100;
        assert!(about.left_out.len() <= MOST_LEFT_OUT);
        assert!(about.left_out.iter().all(|said| said.len() < most));
    }
}
