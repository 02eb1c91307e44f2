//! The addresses in an answer that its reader's program fetches or shows.

use std::ops::Range;

use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, Tag};

/// Attributes of HTML, and what styles write, whose addresses are fetched as soon as they are shown.
const FETCHED: &[&str] = &["src", "srcset", "background", "poster", "data"];

/// The addresses of images and links, in order, and whether each is an image's. What programs show that are no
/// strict readers of Markdown is among them.
pub fn shown(text: &str) -> Vec<(Range<usize>, bool)> {
    let mut found = Vec::new();
    markdown(text, &mut found);
    definitions(text, &mut found);
    html(text, &mut found);
    for (at, _) in text.match_indices("://") {
        let scheme = text.get(..at).map_or(0, |before| {
            before.len()
                - before
                    .trim_end_matches(|letter: char| letter.is_ascii_alphanumeric())
                    .len()
        });
        found.push((until(text, at - scheme, ")>\"'` ]"), false));
    }
    // The first of those that begin at one place says what it is.
    found.sort_by_key(|(span, is_image)| (span.start, !is_image));
    found
}

/// Those of CommonMark, with the address that the parser has.
fn markdown(text: &str, found: &mut Vec<(Range<usize>, bool)>) {
    let unknown = |_: BrokenLink<'_>| None::<(CowStr<'_>, CowStr<'_>)>;
    let parser = Parser::new_with_broken_link_callback(text, Options::empty(), Some(unknown));
    for (event, range) in parser.into_offset_iter() {
        let (address, is_image) = match event {
            Event::Start(Tag::Image { dest_url, .. }) => (dest_url, true),
            Event::Start(Tag::Link { dest_url, .. }) => (dest_url, false),
            _ => continue,
        };
        // Where it is written: the whole of the image, if it is written with escapes.
        let places = text.match_indices(address.as_ref());
        let places = places.map(|(at, said)| at..at + said.len());
        let inside = text.get(range.clone()).and_then(|said| {
            let at = range.start + said.rfind(address.as_ref())?;
            Some(at..at + address.len())
        });
        match (inside, address.is_empty()) {
            (_, true) => {}
            (Some(inside), _) => found.push((inside, is_image)),
            (None, _) => {
                let before = found.len();
                found.extend(places.map(|place| (place, is_image)));
                if found.len() == before {
                    found.push((range, is_image));
                }
            }
        }
    }
}

/// Those that stand apart from what names them.
fn definitions(text: &str, found: &mut Vec<(Range<usize>, bool)>) {
    let has_image = text.contains("![");
    for (at, _) in text.match_indices("]:") {
        let rest = text.get(at + 2..).unwrap_or_default();
        let start = at + 2 + (rest.len() - rest.trim_start_matches([' ', '\t', '\n', '<']).len());
        found.push((until(text, start, "> \""), has_image));
    }
}

/// Those of HTML and of styles.
fn html(text: &str, found: &mut Vec<(Range<usize>, bool)>) {
    let lower = text.to_ascii_lowercase();
    for name in FETCHED {
        for (at, _) in lower.match_indices(name) {
            let rest = text.get(at + name.len()..).unwrap_or_default();
            let Some(value) = rest.trim_start().strip_prefix('=') else {
                continue;
            };
            let value = value.trim_start();
            let value = value
                .strip_prefix(['"', '\''])
                .unwrap_or(value)
                .trim_start();
            found.push((until(text, text.len() - value.len(), "\"'> )"), true));
        }
    }
    for (at, sign) in lower.match_indices("url(") {
        let rest = text.get(at + sign.len()..).unwrap_or_default();
        let value = rest.trim_start_matches(['"', '\'', ' ', '\t', '\n']);
        found.push((until(text, text.len() - value.len(), "\"'> )"), true));
    }
}

fn until(text: &str, start: usize, ends: &str) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest
        .find(|letter: char| letter.is_whitespace() || ends.contains(letter))
        .unwrap_or(rest.len());
    start..start + length
}
