//! Character references of HTML.

/// The named references to signs that addresses have.
const NAMED: &[(&str, char)] = &[
    ("Tab;", '\t'),
    ("NewLine;", '\n'),
    ("quot;", '"'),
    ("apos;", '\''),
    ("amp;", '&'),
    ("colon;", ':'),
    ("sol;", '/'),
    ("bsol;", '\\'),
    ("period;", '.'),
    ("quest;", '?'),
    ("equals;", '='),
    ("num;", '#'),
    ("percnt;", '%'),
    ("commat;", '@'),
    ("lowbar;", '_'),
    ("lpar;", '('),
    ("rpar;", ')'),
    ("lsqb;", '['),
    ("rsqb;", ']'),
];

/// Replaces the references in a text with their signs.
pub fn decoded(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let (sign, after) = reference(after).unwrap_or(('&', after));
        decoded.push_str(before);
        decoded.push(sign);
        rest = after;
    }
    decoded.push_str(rest);
    decoded
}

/// Reads the reference at the start of a text. Returns its sign and the text after it.
fn reference(text: &str) -> Option<(char, &str)> {
    let Some(number) = text.strip_prefix('#') else {
        return NAMED
            .iter()
            .find_map(|(name, sign)| Some((*sign, text.strip_prefix(name)?)));
    };
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let end = digits
        .find(|letter: char| !letter.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, rest) = digits.split_at_checked(end)?;
    let sign = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    Some((sign, rest.strip_prefix(';').unwrap_or(rest)))
}
