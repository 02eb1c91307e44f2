//! Words and numbers as the book writes them.

/// Returns a number with its thousands separated. Bytes are also given in larger units where that
/// is shorter.
pub(crate) fn number(number: u64, is_bytes: bool) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units
        .iter()
        .find(|(shift, _)| number > 0 && number.is_multiple_of(1 << shift));
    match unit {
        Some((shift, unit)) if is_bytes => format!("{text} ({} {unit})", number >> shift),
        _ => text,
    }
}

/// Returns a text as one line of a table.
pub(crate) fn cell(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

/// Converts `pre-tool-call` to `pre_tool_call`.
pub(crate) fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// Converts `pre-tool-call` to `PreToolCall`.
pub(crate) fn pascal(name: &str) -> String {
    name.split('-')
        .filter_map(|word| {
            let first = word.chars().next()?.to_ascii_uppercase();
            Some(format!("{first}{}", &word[1..]))
        })
        .collect()
}

/// Converts `pre-tool-call` to `preToolCall`.
pub(crate) fn camel(name: &str) -> String {
    let pascal = pascal(name);
    match pascal.chars().next() {
        Some(first) => format!("{}{}", first.to_ascii_lowercase(), &pascal[1..]),
        None => pascal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        assert_eq!(number(67_108_864, true), "67,108,864 (64 MiB)");
        assert_eq!(number(100_000, false), "100,000");
        assert_eq!(number(5, true), "5");
        assert_eq!(pascal("pre-llm-call"), "PreLlmCall");
        assert_eq!(camel("pre-llm-call"), "preLlmCall");
    }
}
