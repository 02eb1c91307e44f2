//! The addresses in an answer that its reader's program fetches or shows.

use std::ops::Range;

use crate::{html, markdown};

/// An address in an answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its range in the answer.
    pub place: Range<usize>,
    /// The address, without escapes.
    pub address: String,
    /// Whether it is the address of an image.
    pub is_image: bool,
}

/// Returns the addresses of images and links, in order. They include those that only lenient readers of Markdown
/// show.
pub fn shown(text: &str) -> Vec<Shown> {
    let mut found = Vec::new();
    markdown::find(text, &mut found);
    definitions(text, &mut found);
    html::find(text, &mut found);
    bare(text, &mut found);
    // Of the addresses that begin at one place, the first decides whether it is an image.
    found.sort_by_key(|shown| (shown.place.start, !shown.is_image));
    found
}

/// Adds the addresses of definitions, such as `[label]: address`.
fn definitions(text: &str, found: &mut Vec<Shown>) {
    let has_image = text.contains("![");
    let mut end = 0;
    for (at, sign) in text.match_indices("]:") {
        if at < end {
            continue;
        }
        let rest = text.get(at + sign.len()..).unwrap_or_default();
        let start = text.len() - rest.trim_start_matches([' ', '\t', '\n', '<']).len();
        let place = until(text, start, "> \"");
        end = place.end;
        found.extend(as_written(text, place, has_image));
    }
}

/// Adds the addresses that stand alone.
fn bare(text: &str, found: &mut Vec<Shown>) {
    let mut end = 0;
    for (at, _) in text.match_indices("://") {
        let Some(before) = text.get(end..at) else {
            continue;
        };
        let scheme = before
            .rsplit(|letter: char| !letter.is_ascii_alphanumeric())
            .next()
            .unwrap_or_default();
        if ["http", "https"]
            .iter()
            .any(|web| scheme.eq_ignore_ascii_case(web))
        {
            let place = until(text, at - scheme.len(), ")>\"'` ]");
            end = place.end;
            found.extend(as_written(text, place, false));
        }
    }
}

fn as_written(text: &str, place: Range<usize>, is_image: bool) -> Option<Shown> {
    Some(Shown {
        address: text.get(place.clone())?.to_owned(),
        place,
        is_image,
    })
}

/// Returns the range from the start to the next white space, or to one of the signs.
pub fn until(text: &str, start: usize, ends: &str) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest
        .find(|letter: char| letter.is_whitespace() || ends.contains(letter))
        .unwrap_or(rest.len());
    start..start + length
}
