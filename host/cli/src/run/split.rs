//! Splits a command line into words, as a shell does: spaces separate words, quotes join them, a
//! backslash escapes the next character.

/// Returns the words of a command line.
pub fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => match chars.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("it ends with a backslash".into()),
            },
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(quote) => Err(format!("the quote {quote} is not closed")),
        None => {
            words.extend(word);
            Ok(words)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn table() {
        for (line, expected) in [
            ("", Some(vec![])),
            ("  a  b ", Some(vec!["a", "b"])),
            ("a 'b c' \"d e\"", Some(vec!["a", "b c", "d e"])),
            ("a\\ b 'c\\d' \"e\\\"f\"", Some(vec!["a b", "c\\d", "e\"f"])),
            ("--x='' y", Some(vec!["--x=", "y"])),
            ("''", Some(vec![""])),
            ("'a", None),
            ("a\\", None),
        ] {
            let expected = expected.map(|words| words.into_iter().map(str::to_owned).collect());
            assert_eq!(words(line).ok(), expected, "{line}");
        }
    }
}
