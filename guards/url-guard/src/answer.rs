//! Images and links in answers.

use std::ops::Range;

use url::Url;

use crate::config::{Config, names_host};
use crate::data;
use crate::look::{Fault, address};

/// What images' addresses ordinarily say about the picture.
const SIZES: &[&str] = &[
    "w", "h", "width", "height", "size", "s", "v", "fit", "format", "q", "quality", "dpr", "auto",
    "crop", "raw", "style", "branch", "label", "logo", "color", "event", "job", "fm", "ixlib",
    "ssl", "d", "r",
];
/// The longest value of one.
const LONG: usize = 24;

/// The text without images that carry data and links that do; `None` if there are none.
pub fn cleaned(config: &Config, text: &str) -> Option<String> {
    let mut cleaned = String::with_capacity(text.len());
    let mut end = 0;
    for (span, is_image) in shown(text) {
        let Some(said) = text.get(span.clone()) else {
            continue;
        };
        let said = if said.starts_with("//") {
            format!("https:{said}")
        } else {
            said.to_owned()
        };
        let is_carried = match is_image {
            true => image(config, &said),
            false => matches!(address(config, &said), Some(Fault::Data(_))),
        };
        if is_carried && span.start >= end {
            cleaned.push_str(text.get(end..span.start).unwrap_or_default());
            cleaned.push_str("#address-removed");
            end = span.end;
        }
    }
    if end == 0 {
        return None;
    }
    cleaned.push_str(text.get(end..).unwrap_or_default());
    Some(cleaned)
}

/// Whether an image is fetched with data: it is, as soon as the answer is shown.
fn image(config: &Config, said: &str) -> bool {
    let Ok(url) = Url::parse(said) else {
        return false;
    };
    let is_web = matches!(url.scheme(), "http" | "https");
    let host = url.host_str().unwrap_or_default();
    if !is_web || names_host(&config.trusted, host) {
        return false;
    }
    let is_list = !config.allow.is_empty() && !names_host(&config.allow, host);
    let says_more = url.query_pairs().any(|(name, value)| {
        let name = name.to_ascii_lowercase();
        let is_size = SIZES.contains(&name.as_str()) && value.len() <= LONG;
        !is_size
            && !name.starts_with("x-amz-")
            && !matches!(name.as_str(), "expires" | "signature" | "token" | "sig")
    });
    let has_spaces = url.path().contains("%20") && url.path().len() > 60;
    is_list || says_more || has_spaces || data::is_carried(&url)
}

/// The addresses of images and links, in order, and whether each is an image's.
fn shown(text: &str) -> Vec<(Range<usize>, bool)> {
    let mut found: Vec<(Range<usize>, bool)> = Vec::new();
    for (at, _) in text.match_indices("](") {
        let is_image = text
            .get(..at)
            .and_then(|before| before.rfind('['))
            .is_some_and(|open| text.get(..open).is_some_and(|before| before.ends_with('!')));
        let start =
            at + 2 + usize::from(text.get(at + 2..).is_some_and(|rest| rest.starts_with('<')));
        found.push((until(text, start, ")>\" "), is_image));
    }
    // Images that name their address elsewhere, and those of HTML.
    for (at, _) in text.match_indices("]:") {
        let space = text
            .get(at + 2..)
            .map_or(0, |rest| rest.len() - rest.trim_start().len());
        let has_image = text.contains("![");
        found.push((until(text, at + 2 + space, "> \""), has_image));
    }
    let lower = text.to_ascii_lowercase();
    for sign in ["src=", "srcset=", "background=", "poster=", "url("] {
        for (at, _) in lower.match_indices(sign) {
            let start = at + sign.len();
            let quote = usize::from(
                text.get(start..)
                    .is_some_and(|rest| rest.starts_with(['"', '\''])),
            );
            found.push((until(text, start + quote, "\"'> )"), true));
        }
    }
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

fn until(text: &str, start: usize, ends: &str) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let length = rest
        .find(|letter: char| letter.is_whitespace() || ends.contains(letter))
        .unwrap_or(rest.len());
    start..start + length
}
