//! Images and links in answers.

use url::Url;

use crate::config::{Config, names_host};
use crate::data;
use crate::fault::Fault;
use crate::find::plain;
use crate::look::address;
use crate::shown::{Shown, shown};

/// The query parameters that addresses of images ordinarily have.
const SIZES: &[&str] = &[
    "w", "h", "width", "height", "size", "s", "v", "fit", "format", "q", "quality", "dpr", "auto",
    "crop", "raw", "style", "branch", "label", "logo", "color", "event", "job", "fm", "ixlib",
    "ssl", "d", "r",
];
/// The longest value of such a parameter.
const LONG: usize = 24;

/// Replaces addresses of images and links that exfiltrate data. Returns `None` if there are none.
pub fn cleaned(config: &Config, text: &str) -> Option<String> {
    let mut cleaned = String::with_capacity(text.len());
    let mut end = 0;
    for Shown {
        place,
        address: said,
        is_image,
    } in shown(text)
    {
        if place.end <= end {
            continue;
        }
        let said = absolute(&said);
        let is_carried = match is_image {
            true => image(config, &said),
            false => matches!(address(config, &said), Some(Fault::Data(_))),
        };
        if !is_carried {
            continue;
        }
        if place.start >= end {
            cleaned.push_str(text.get(end..place.start).unwrap_or_default());
            cleaned.push_str("#address-removed");
        }
        end = place.end;
    }
    if end == 0 {
        return None;
    }
    cleaned.push_str(text.get(end..).unwrap_or_default());
    Some(cleaned)
}

/// Returns the address with a scheme, if it names another server.
fn absolute(said: &str) -> String {
    let said = plain(said);
    let bare = said.trim_start_matches(['/', '\\']);
    match said.len() - bare.len() {
        0 | 1 => said,
        _ => format!("https://{bare}"),
    }
}

/// Returns whether an image must be removed. Its address is fetched as soon as the answer is shown.
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
