//! Images and links in answers.

use url::Url;

use crate::config::{Config, names_host};
use crate::data;
use crate::look::{Fault, address};
use crate::shown::shown;

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
