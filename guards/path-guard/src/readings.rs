//! The ways in which tools may read a path.

use guards_common::decoded::visible;

/// Returns the path as it is written, and as it is read by tools that decode percent escapes. Some tools decode them
/// twice.
pub(crate) fn readings(said: &str) -> Vec<String> {
    let mut readings = vec![said.to_owned()];
    for _ in 0..2 {
        let before = readings.last().map_or(said, String::as_str);
        let decoded = decoded(before);
        if decoded == before {
            break;
        }
        readings.push(decoded);
    }
    readings
}

/// Decodes percent escapes such as `%2e`. Invalid UTF-8, such as an overlong form of a slash, becomes U+FFFD.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        let escape = match (first, tail) {
            (b'%', [high, low, tail @ ..]) => {
                digit(*high).zip(digit(*low)).map(|code| (code, tail))
            }
            _ => None,
        };
        match escape {
            Some(((high, low), tail)) => {
                bytes.push(high * 16 + low);
                rest = tail;
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn digit(byte: u8) -> Option<u8> {
    let value = char::from(byte).to_digit(16)?;
    u8::try_from(value).ok()
}

/// Returns whether the path is an address of the web whose `..` do not lead out of its host.
pub(crate) fn is_web_address(path: &str) -> bool {
    let Some((scheme, rest)) = path.split_once("://") else {
        return false;
    };
    let is_web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let mut names = rest.split(['/', '\\']);
    let has_host = names
        .next()
        .is_some_and(|host| !matches!(host, "" | "." | ".."));
    let mut depth = 0_usize;
    is_web
        && has_host
        && names.all(|name| match name {
            "" | "." => true,
            ".." => match depth.checked_sub(1) {
                Some(less) => {
                    depth = less;
                    true
                }
                None => false,
            },
            _ => {
                depth += 1;
                true
            }
        })
}

/// Returns whether the path cannot be resolved as text.
pub(crate) fn is_unclear(path: &str) -> bool {
    // Characters that look like a dot or a slash: some tools replace them with one. U+FFFD marks invalid UTF-8.
    let is_double = |letter: char| {
        matches!(
            letter,
            '\u{2024}'
                | '\u{2025}'
                | '\u{2215}'
                | '\u{2044}'
                | '\u{ff0f}'
                | '\u{ff0e}'
                | '\u{29f8}'
                | '\u{fffd}'
        )
    };
    path.contains(|letter: char| letter.is_control() || letter == '`' || is_double(letter))
        || visible(path) != path
        || path.contains("${")
        || path.contains("$(")
        || path.split(['/', '\\']).any(is_variable)
        || starts_with_variable(path)
}

/// Returns whether the resolved path starts with a `$`. Elsewhere, a `$` may be part of a name, as in `routes/$id.ts`.
fn starts_with_variable(path: &str) -> bool {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split(['/', '\\']) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.first().is_some_and(|name| name.starts_with('$'))
}

/// Returns whether the name is an environment variable, such as `$HOME` or `%TEMP%`.
fn is_variable(name: &str) -> bool {
    let unix = name.strip_prefix('$');
    let windows = name
        .strip_prefix('%')
        .and_then(|rest| rest.strip_suffix('%'));
    let is_upper = |letter: char| letter.is_ascii_uppercase() || letter == '_';
    unix.or(windows).is_some_and(|name| {
        name.starts_with(is_upper)
            && name
                .chars()
                .all(|letter| is_upper(letter) || letter.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::{is_unclear, is_web_address, readings};

    #[test]
    fn a_path_has_a_reading_for_each_decoding() {
        for (said, expected) in [
            ("a/b", vec!["a/b"]),
            ("100%", vec!["100%"]),
            ("%2e%2E/x", vec!["%2e%2E/x", "../x"]),
            ("%252e", vec!["%252e", "%2e", "."]),
            ("%c3%a9", vec!["%c3%a9", "é"]),
            ("%c0%ae", vec!["%c0%ae", "\u{fffd}\u{fffd}"]),
        ] {
            assert_eq!(readings(said), expected, "{said}");
        }
    }

    #[test]
    fn an_address_of_the_web_stays_at_its_host() {
        for (path, expected) in [
            ("https://example.com/.env", true),
            ("HTTP://example.com/a/../b", true),
            ("https://example.com", true),
            ("https://example.com/../.env", false),
            ("https://example.com/a/../../.env", false),
            ("https:///.env", false),
            ("https://../.env", false),
            ("ab://example.com/.env", false),
            ("file:///x", false),
            ("a/https://example.com", false),
        ] {
            assert_eq!(is_web_address(path), expected, "{path}");
        }
    }

    #[test]
    fn variables_and_odd_characters_are_unclear() {
        for (path, expected) in [
            ("$HOME/x", true),
            ("./$HOME/x", true),
            ("a/../$x", true),
            ("a/$HOME/x", true),
            ("a/${x}", true),
            ("a/$(x)", true),
            ("a/`x`", true),
            (r"%USERPROFILE%\x", true),
            ("a\tb", true),
            ("a\u{1b}[2Jb", true),
            ("a\u{7f}", true),
            ("a\u{85}b", true),
            ("routes/$userId.tsx", false),
            ("Outer$Inner.class", false),
            ("src/Outer$Inner.class", false),
            ("cost in $.txt", false),
            ("100%/50%", false),
            ("ünïcode/файл.txt", false),
        ] {
            assert_eq!(is_unclear(path), expected, "{path:?}");
        }
    }
}
