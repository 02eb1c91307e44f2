//! Paths that every server interprets in the same way. Servers differ in how often they decode a
//! path, in their separators and in the parts that they drop. A grant of a path covers only paths
//! for which that makes no difference.

/// Returns whether every server interprets a path in the same way. Anything not known to be
/// harmless is refused.
pub(crate) fn is_unambiguous(path: &str) -> bool {
    let Some(path) = path.strip_prefix('/') else {
        return path.is_empty();
    };
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        // Some servers treat two slashes as one. The path may end with one.
        let fits = match segment.is_empty() {
            true => last,
            false => decoded(segment).is_some_and(|text| is_name(&text)),
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Returns the decoded text of a segment. `None` if servers interpret the segment in different
/// ways: it contains an encoded separator, dot or percent sign, or bytes that are not text.
fn decoded(segment: &str) -> Option<String> {
    let mut bytes = segment.bytes();
    let mut text = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        let high = char::from(bytes.next()?).to_digit(16)?;
        let low = char::from(bytes.next()?).to_digit(16)?;
        let byte = u8::try_from(high << 4 | low).ok()?;
        if SPECIAL.contains(&byte) {
            return None;
        }
        text.push(byte);
    }
    // Text that is not ASCII must be encoded.
    let plain = segment.is_ascii() && !segment.contains('\\');
    plain.then(|| String::from_utf8(text).ok()).flatten()
}

/// The bytes that some servers treat as a separator, an end or an escape.
const SPECIAL: [u8; 6] = [b'%', b'.', b'/', b'\\', b';', 0];

/// Returns whether a decoded segment is a name, and does not lead to a parent. Dots must be
/// followed by text that no server drops: some drop parameters (`..;a`) and spaces.
fn is_name(text: &str) -> bool {
    let harmless = |c: char| match c.is_ascii() {
        true => !c.is_ascii_control(),
        // Some servers keep only the low byte of a character, and many treat a wide dot as a dot.
        false => c.is_alphanumeric() && !SPECIAL.contains(&(c as u32).to_le_bytes()[0]),
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '~';
    let stem = text.trim_start_matches('.');
    let begins = match stem.len() < text.len() {
        true => stem.starts_with(is_word),
        // Some servers drop `;a`, and an empty segment between two slashes.
        false => !stem.starts_with([';', ' ']),
    };
    begins && text.chars().all(harmless)
}

#[cfg(test)]
mod tests;
