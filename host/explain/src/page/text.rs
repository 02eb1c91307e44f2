//! Texts and numbers for the page.

use maud::{Markup, html};
use portcullis::text::escape_hidden;

/// The longest text of a hook, a model or a person, in bytes. A journal keeps shorter texts in most
/// places.
const LONGEST: usize = 8_000;

/// Returns a text without characters that hide or turn their neighbours, except for line ends and
/// tabs.
pub(super) fn plain(text: &str) -> String {
    let cut = text
        .get(..text.floor_char_boundary(LONGEST))
        .unwrap_or_default();
    let mut out = escape_hidden(cut, |c| matches!(c, '\n' | '\t'));
    if cut.len() < text.len() {
        out.push_str(" […]");
    }
    out
}

/// Returns the text as an element whose direction does not affect its neighbours.
pub(super) fn shown(text: &str) -> Markup {
    html! { bdi { (plain(text)) } }
}

/// Returns a time in microseconds as text.
pub(super) fn time(us: u64) -> String {
    let short = |value: f64, unit: &str| match value {
        value if value < 10.0 => format!("{value:.1} {unit}"),
        value => format!("{value:.0} {unit}"),
    };
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..1_000_000 => short(us as f64 / 1e3, "ms"),
        _ => short(us as f64 / 1e6, "s"),
    }
}

/// Returns a large number, in short.
pub(super) fn count(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..10_000 => format!("{:.1}k", n as f64 / 1e3),
        10_000..1_000_000 => format!("{}k", n / 1_000),
        _ => format!("{:.1}M", n as f64 / 1e6),
    }
}

/// Returns a number of things.
pub(super) fn plural(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// Returns a time since 1970, in UTC.
pub(super) fn date(ms: u64) -> String {
    let ms = i64::try_from(ms).unwrap_or_default();
    let date = chrono::DateTime::from_timestamp_millis(ms).unwrap_or_default();
    date.format("%Y-%m-%d %H:%M:%S UTC").to_string()
}
