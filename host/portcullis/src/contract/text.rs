//! Text from hooks is hostile: before it reaches a terminal or a log it is made harmless. And wrong
//! names, which are answered with the nearest right one.

/// The longest text of a hook's that is shown, in bytes.
const LONGEST: usize = 2_000;

/// The text with control characters shown as escapes, and cut at 2,000 bytes with a mark.
///
/// ```
/// assert_eq!(portcullis::sanitize_for_terminal("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\\nc");
/// ```
pub fn sanitize_for_terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST));
    for c in text.chars() {
        if out.len() >= LONGEST {
            out.push_str(" […cut]");
            break;
        }
        out.push_str(&shown(c));
    }
    out
}

/// A character as it is shown.
pub(crate) fn shown(c: char) -> String {
    // Bidirectional overrides reorder what a person reads.
    let hidden = c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    match hidden {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    }
}

/// The longest name that is compared, in bytes, and how many it is compared with: to compare takes the
/// product of both lengths.
const LONGEST_NAME: usize = 128;
const MOST_NAMES: usize = 1_000;

/// The name that is most like `wrong`, if one is like it at all.
pub fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > LONGEST_NAME {
        return None;
    }
    let names = names.take(MOST_NAMES);
    names
        .filter(|name| name.len() <= LONGEST_NAME)
        .map(|name| (strsim::jaro_winkler(wrong, name), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
