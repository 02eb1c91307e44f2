//! Brace expansion: several words in place of one.

use brush_parser::word::{self, BraceExpressionMember, BraceExpressionOrText};

use crate::reader::{Unreadable, options};

/// The most words that one word may expand to.
const MOST: usize = 64;

/// The expansion of a word.
pub(crate) enum Braces {
    /// These words, as they are written.
    Words(Vec<String>),
    /// Words that are not known.
    Unknown,
}

/// Expands the braces of a word.
pub(crate) fn expand(raw: &str) -> Result<Braces, Unreadable> {
    if !are_expanded(raw) {
        return Ok(Braces::Words(vec![raw.to_owned()]));
    }
    // The parser does not support quotes between braces.
    if raw.contains(['\'', '"', '$', '\\', '`']) {
        return Ok(Braces::Unknown);
    }
    match word::parse_brace_expansions(raw, &options()) {
        Ok(Some(parts)) => {
            let mut words = joined(parts)?;
            words.retain(|word| !word.is_empty());
            Ok(Braces::Words(words))
        }
        _ => Ok(Braces::Unknown),
    }
}

/// Returns whether the word has braces that the shell expands: not in quotes, and with a comma or two dots in them.
fn are_expanded(raw: &str) -> bool {
    let mut quote = None;
    let mut letters = raw.chars().peekable();
    let mut before = ' ';
    // For each open brace: whether it belongs to a variable, and whether it has a comma or two dots.
    let mut open: Vec<(bool, bool)> = Vec::new();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None | Some('"'), '\\') => drop(letters.next()),
            (Some(end), letter) if letter == end => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, '{') => open.push((before == '$', false)),
            (None, '}') => {
                if let Some((false, true)) = open.pop() {
                    return true;
                }
            }
            (None, ',') => mark(&mut open),
            (None, '.') if letters.peek() == Some(&'.') => mark(&mut open),
            (None, _) => {}
        }
        before = letter;
    }
    false
}

fn mark(open: &mut [(bool, bool)]) {
    if let Some((_, expands)) = open.last_mut() {
        *expands = true;
    }
}

fn joined(parts: Vec<BraceExpressionOrText>) -> Result<Vec<String>, Unreadable> {
    let mut all = vec![String::new()];
    for part in parts {
        let texts = match part {
            BraceExpressionOrText::Text(text) => vec![text],
            BraceExpressionOrText::Expr(members) => {
                let mut texts = Vec::new();
                for each in members {
                    texts.extend(member(each)?);
                }
                texts
            }
        };
        if all.len().saturating_mul(texts.len()) > MOST {
            return Err(Unreadable("it has braces that make too many words"));
        }
        let starts = all.iter();
        all = starts
            .flat_map(|start| texts.iter().map(move |text| format!("{start}{text}")))
            .collect();
    }
    Ok(all)
}

fn member(member: BraceExpressionMember) -> Result<Vec<String>, Unreadable> {
    match member {
        BraceExpressionMember::Child(parts) => joined(parts),
        BraceExpressionMember::NumberSequence {
            start,
            end,
            increment,
        } => sequence(start, end, increment, |number| Some(number.to_string())),
        BraceExpressionMember::CharSequence {
            start,
            end,
            increment,
        } => sequence(
            i64::from(u32::from(start)),
            i64::from(u32::from(end)),
            increment,
            |code| {
                u32::try_from(code)
                    .ok()
                    .and_then(char::from_u32)
                    .map(String::from)
            },
        ),
    }
}

fn sequence(
    start: i64,
    end: i64,
    increment: i64,
    text: impl Fn(i64) -> Option<String>,
) -> Result<Vec<String>, Unreadable> {
    let step = increment.unsigned_abs().max(1);
    if start.abs_diff(end) / step >= MOST as u64 {
        return Err(Unreadable("it has braces that make too many words"));
    }
    let mut texts = Vec::new();
    for at in 0..=start.abs_diff(end) / step {
        let distance = i64::try_from(at * step).unwrap_or(i64::MAX);
        let number = match start <= end {
            true => start.saturating_add(distance),
            false => start.saturating_sub(distance),
        };
        texts.extend(text(number));
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::{Braces, expand};

    fn words(raw: &str) -> Option<Vec<String>> {
        match expand(raw).expect("few words") {
            Braces::Words(words) => Some(words),
            Braces::Unknown => None,
        }
    }

    #[test]
    fn braces_are_expanded_or_not_known() {
        for (raw, expected) in [
            ("{rm,-rf,{/,x,}}", vec!["rm", "-rf", "/", "x"]),
            ("r{m..m}", vec!["rm"]),
            ("a{3..1}", vec!["a3", "a2", "a1"]),
            ("{a,b}{c,d}", vec!["ac", "ad", "bc", "bd"]),
            ("{}", vec!["{}"]),
            ("{a}", vec!["{a}"]),
            ("'{\"a\":1,\"b\":2}'", vec!["'{\"a\":1,\"b\":2}'"]),
            ("\"${a,b}\"", vec!["\"${a,b}\""]),
            ("${a,b}", vec!["${a,b}"]),
        ] {
            let expected: Vec<String> = expected.into_iter().map(String::from).collect();
            assert_eq!(words(raw), Some(expected), "{raw}");
        }
        for raw in ["{rm,-rf,'/'}", "{rm,$x}", "{\\r,m}"] {
            assert_eq!(words(raw), None, "{raw}");
        }
    }

    #[test]
    fn many_words_are_not_dropped() {
        let many: Vec<String> = (0..70).map(|at| format!("a{at}")).collect();
        assert!(expand(&format!("{{{}}}", many.join(","))).is_err());
        assert!(expand("{1..1000000000}").is_err());
    }
}
