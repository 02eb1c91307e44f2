//! The addresses in HTML and in styles that are fetched as soon as they are shown.

use std::ops::Range;

use crate::entity::decoded;
use crate::shown::{Shown, until};

/// Attributes whose addresses are fetched.
const FETCHED: &[&str] = &["src", "srcset", "background", "poster", "data"];

/// Adds the addresses in attributes and in styles.
pub fn find(text: &str, found: &mut Vec<Shown>) {
    let lower = text.to_ascii_lowercase();
    for name in FETCHED {
        let starts = lower.match_indices(name).filter_map(|(at, _)| {
            let rest = text.get(at + name.len()..)?;
            let value = rest.trim_start().strip_prefix('=')?.trim_start();
            Some(text.len() - value.len())
        });
        for place in values(text, starts) {
            match *name {
                "srcset" => found.extend(words(text, place).map(|place| image(text, place))),
                _ => found.push(image(text, place)),
            }
        }
    }
    let starts = lower.match_indices("url(").map(|(at, sign)| {
        let rest = text.get(at + sign.len()..).unwrap_or_default();
        text.len() - rest.trim_start().len()
    });
    found.extend(values(text, starts).map(|place| image(text, place)));
}

/// Returns the ranges of the values that begin at these places.
fn values(text: &str, starts: impl Iterator<Item = usize>) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    starts.filter_map(move |start| {
        let value = text.get(start..)?;
        let quote = value.chars().next().filter(|sign| "\"'".contains(*sign));
        // Without a second quote before the paragraph ends, the first is not part of HTML.
        if let Some(quote) = quote
            && let Some((quoted, _)) = value.get(1..)?.split_once(quote)
            && !quoted.contains("\n\n")
        {
            return Some(start + 1..start + 1 + quoted.len());
        }
        // A start within a value without quotes is not a value, and is not searched again.
        if start < end {
            return None;
        }
        let place = until(text, start + usize::from(quote.is_some()), "\"'<> )");
        end = place.end;
        Some(place)
    })
}

/// Returns the ranges of the words of a list of addresses and sizes.
fn words(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let list = text.get(within.clone()).unwrap_or_default();
    let mut end = within.start;
    list.split_inclusive(char::is_whitespace).map(move |word| {
        let start = end;
        end += word.len();
        start..start + word.trim_end().trim_end_matches(',').len()
    })
}

fn image(text: &str, place: Range<usize>) -> Shown {
    let said = decoded(text.get(place.clone()).unwrap_or_default());
    Shown {
        address: said
            .trim_matches(|sign: char| sign.is_whitespace() || "\"'".contains(sign))
            .to_owned(),
        place,
        is_image: true,
    }
}
