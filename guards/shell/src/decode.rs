//! Texts that are written in escapes.

/// What `$'…'` and `printf` make of a text with escapes.
pub(crate) fn ansi_c(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        if letter != '\\' {
            said.push(letter);
            continue;
        }
        let Some(escape) = rest.next() else { break };
        let (radix, most, first) = match escape {
            'x' => (16, 2, None),
            'u' => (16, 4, None),
            'U' => (16, 8, None),
            '0'..='7' => (8, 2, escape.to_digit(8)),
            'n' => {
                said.push('\n');
                continue;
            }
            't' => {
                said.push('\t');
                continue;
            }
            other => {
                said.push(other);
                continue;
            }
        };
        let mut code = first.unwrap_or(0);
        for _ in 0..most {
            let Some(digit) = rest.peek().and_then(|digit| digit.to_digit(radix)) else {
                break;
            };
            code = code * radix + digit;
            rest.next();
        }
        said.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::ansi_c;

    #[test]
    fn escapes_are_letters() {
        assert_eq!(ansi_c(r"\x72\155 -rf"), "rm -rf");
        assert_eq!(ansi_c(r"a\tb\\"), "a\tb\\");
        assert_eq!(ansi_c(r"\Uffffffff"), "\u{fffd}");
    }
}
