//! Searching in bytes.

/// Returns whether a byte can be in the middle of a key or a number. Bytes that are not ASCII
/// cannot: such text often has no spaces.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns whether no word continues across `at`.
pub fn starts_word(text: &[u8], at: usize) -> bool {
    at == 0 || !is_word(text[at - 1])
}

/// Returns whether no word continues at `end`.
pub fn ends_word(text: &[u8], end: usize) -> bool {
    text.get(end).is_none_or(|&byte| !is_word(byte))
}

/// Returns the end of the bytes that fit `like`, from `at` on.
pub fn run(text: &[u8], at: usize, like: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|&&byte| like(byte)).count()
}

/// Returns the start of the bytes that fit `like`, back from `at` but not before `from`.
pub fn run_back(text: &[u8], from: usize, at: usize, like: impl Fn(u8) -> bool) -> usize {
    at - text[from..at]
        .iter()
        .rev()
        .take_while(|&&byte| like(byte))
        .count()
}

/// Returns the start of the next `wanted`, from `at` on.
pub fn next(text: &[u8], at: usize, wanted: &[u8]) -> Option<usize> {
    let rest = text.get(at..)?;
    rest.windows(wanted.len())
        .position(|bytes| bytes == wanted)
        .map(|place| at + place)
}
