//! Paths that every server reads alike. Servers differ in how often they decode a path, in what they
//! take for a separator and in what they leave out; a grant of a path holds only where that makes no
//! difference.

/// Whether no server can read a path as one that leads elsewhere. What is not known to be harmless is
/// refused.
pub(crate) fn is_unambiguous(path: &str) -> bool {
    let Some(path) = path.strip_prefix('/') else {
        return path.is_empty();
    };
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        // Two slashes are one to some servers; at the end there may be one.
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

/// What a segment says, where it says one thing whether it is decoded or not: an encoded separator, dot
/// or percent sign, or bytes that are no text, are read in several ways.
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

/// What separates, ends or encodes to one server or another.
const SPECIAL: [u8; 6] = [b'%', b'.', b'/', b'\\', b';', 0];

/// Whether a decoded segment is a name, and not a way up: dots are followed by something that no
/// server leaves out, as some do parameters (`..;a`) and spaces.
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
        // `;a` is nothing to some, and nothing between two slashes is nothing at all.
        false => !stem.starts_with([';', ' ']),
    };
    begins && text.chars().all(harmless)
}

#[cfg(test)]
mod tests;
