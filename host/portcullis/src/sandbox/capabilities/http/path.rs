//! Paths that every server reads alike. Servers differ in how often they decode a path, in their
//! separators and in the parts that they drop; a grant of a path holds only where that makes no
//! difference.

/// Whether no server can read a path as one that leads elsewhere. Anything not known to be harmless
/// is refused.
pub(crate) fn is_unambiguous(path: &str) -> bool {
    let Some(path) = path.strip_prefix('/') else {
        return path.is_empty();
    };
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        // Some servers read two slashes as one; at the end there may be one.
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

/// Returns the text of a segment that reads the same decoded or not: an encoded separator, dot or
/// percent sign, and bytes that are no text, are read in several ways.
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

/// The bytes that separate, end or encode for one server or another.
const SPECIAL: [u8; 6] = [b'%', b'.', b'/', b'\\', b';', 0];

/// Whether a decoded segment is a name, and not a way up: dots must be followed by something that
/// no server drops, as some do with parameters (`..;a`) and spaces.
fn is_name(text: &str) -> bool {
    let harmless = |c: char| match c.is_ascii() {
        true => !c.is_ascii_control(),
        // Some servers keep the lower half of a character, and many take a wide dot for a dot.
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
