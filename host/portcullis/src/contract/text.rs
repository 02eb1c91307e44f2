//! Sanitizes hostile text from hooks before it reaches a terminal or a log. Finds the nearest valid
//! name for a wrong one.

use serde::de::IgnoredAny;

/// The longest hook text that is shown, in bytes.
pub(crate) const LONGEST_SHOWN: usize = 2_000;

/// Returns the text on one line, with [hidden](is_hidden) characters shown as escapes, and cut at
/// 2,000 bytes with a mark.
///
/// ```
/// assert_eq!(portcullis::text::sanitize_for_terminal("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\\nc");
/// ```
pub fn sanitize_for_terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST_SHOWN));
    for c in text.chars() {
        if out.len() >= LONGEST_SHOWN {
            out.push_str(" […cut]");
            break;
        }
        out.push_str(&shown(c));
    }
    out
}

/// Returns whether a terminal interprets a character or does not show it: controls, formats, line
/// separators, and the characters that Unicode calls default-ignorable, such as bidirectional
/// overrides, zero-width characters and tags.
pub const fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}'
        | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}'
        | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the whole text, with [hidden](is_hidden) characters shown as escapes, except those for
/// which `stays` returns true.
///
/// ```
/// let text = portcullis::text::escape_hidden("a\u{200b}\nb", |c| c == '\n');
/// assert_eq!(text, "a\\u{200b}\nb");
/// ```
pub fn escape_hidden(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) && !stays(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    out
}

/// The deepest level with an indent of its own. Deeper levels share it, so that the output for a
/// text of many brackets does not grow with the square of its length.
const DEEPEST_INDENT: usize = 64;

/// Returns JSON with line breaks and indents. The text itself is indented, without parsing: a
/// duplicate key stays, and so do all digits of a number. Text that is not JSON stays unchanged.
///
/// ```
/// let text = portcullis::text::indented_json(r#"{"a":1.0,"a":[]}"#);
/// assert_eq!(text, "{\n  \"a\": 1.0,\n  \"a\": []\n}");
/// ```
pub fn indented_json(text: &str) -> String {
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        return text.to_owned();
    }
    let mut out = String::new();
    let (mut level, mut in_string, mut escaped) = (0_usize, false, false);
    let mut chars = text.chars().peekable();
    let line = |out: &mut String, level: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", level.min(DEEPEST_INDENT)));
    };
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            c if c.is_ascii_whitespace() => {}
            '{' | '[' => {
                out.push(c);
                while chars.next_if(char::is_ascii_whitespace).is_some() {}
                match chars.next_if(|c| matches!(c, '}' | ']')) {
                    Some(end) => out.push(end),
                    None => {
                        level += 1;
                        line(&mut out, level);
                    }
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                line(&mut out, level);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, level);
            }
            ':' => out.push_str(": "),
            c => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

/// Returns a character as shown.
pub(crate) fn shown(c: char) -> String {
    match is_hidden(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    }
}

/// The longest name that is compared, in bytes, and the most names it is compared with: a
/// comparison takes the product of both lengths.
const LONGEST_NAME: usize = 128;
const MOST_NAMES: usize = 1_000;

/// Returns the name most similar to `wrong`, if one is similar.
///
/// ```
/// use portcullis::text::nearest;
///
/// let keys = ["policies", "priority"];
/// assert_eq!(nearest("policys", keys.into_iter()), Some("policies"));
/// assert_eq!(nearest("points", keys.into_iter()), None);
/// ```
pub fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.len() > LONGEST_NAME {
        return None;
    }
    let names = names.take(MOST_NAMES);
    names
        .filter(|name| name.len() <= LONGEST_NAME)
        .map(|name| match is_swapped(wrong, name) {
            true => (1.0, name),
            false => (strsim::jaro_winkler(wrong, name), name),
        })
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Returns whether two neighbouring bytes are swapped, and all others are the same. Short names
/// with such a swap do not count as similar otherwise.
fn is_swapped(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes()).enumerate();
    let mut differ = pairs.filter(|(_, (a, b))| a != b);
    match (differ.next(), differ.next(), differ.next()) {
        (Some((first, (a, b))), Some((second, (c, d))), None) => {
            one.len() == other.len() && second == first + 1 && (a, b) == (d, c)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_name_with_two_letters_swapped_is_near() {
        for (wrong, near) in [
            ("aks", Some("ask")),
            ("satte", Some("state")),
            ("sak", Some("ask")),
            ("kas", None),
            ("asks", Some("ask")),
            ("xyz", None),
        ] {
            let names = ["ask", "state", "stop"].into_iter();
            assert_eq!(nearest(wrong, names), near, "{wrong}");
        }
    }

    #[test]
    fn json_is_indented_as_it_is() {
        let json = r#"{"a":"rm -rf x", "a":"ls","n":[1.00000000000000000001,{}, []],"s":"{\"b\\"}"#;
        let expected = r#"{
  "a": "rm -rf x",
  "a": "ls",
  "n": [
    1.00000000000000000001,
    {},
    []
  ],
  "s": "{\"b\\"
}"#;
        assert_eq!(indented_json(json), expected);
        assert_eq!(indented_json(expected), expected);
        for other in ["rm  -rf, x", "{\"a\": 1,", ""] {
            assert_eq!(indented_json(other), other);
        }
    }

    #[test]
    fn indents_do_not_grow_without_end() {
        let json = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        let indented = indented_json(&json);
        assert!(indented.len() < 20_000 * (2 + 2 * DEEPEST_INDENT));
        let text: String = indented.split_ascii_whitespace().collect();
        assert_eq!(text, json);
    }
}
