//! Finding the addresses in arguments.

use url::Url;

use crate::scheme;

/// Returns the addresses within a text.
pub fn within(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text
        .get(from..)
        .and_then(|rest| rest.find(':'))
        .map(|at| from + at)
    {
        let before = text.get(from..at).unwrap_or_default();
        let name = before
            .rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .next()
            .unwrap_or_default();
        let rest = text.get(at + 1..).unwrap_or_default();
        let is_address = rest.starts_with("//")
            || rest.starts_with(r"\\")
            || rest.starts_with(r"/\")
            || (scheme::is_web(&name.to_ascii_lowercase()) && rest.starts_with('/'));
        from = at + 1;
        if is_address && !name.is_empty() {
            from += length(rest);
            found.extend(text.get(at - name.len()..from));
        }
    }
    found
}

/// Returns the length of the address at the start of a text.
fn length(text: &str) -> usize {
    // The brackets of an IPv6 address do not end it.
    let mut is_open = false;
    text.find(|letter: char| match letter {
        '[' => {
            is_open = true;
            false
        }
        ']' => !std::mem::take(&mut is_open),
        _ => letter.is_whitespace() || "\"'<>`|;)}".contains(letter),
    })
    .unwrap_or(text.len())
}

/// Returns the text as URL parsers read it: without tabs and line breaks, and without space around it.
pub fn plain(text: &str) -> String {
    let is_around = |letter: char| letter.is_whitespace() || letter.is_control();
    text.trim_matches(is_around).replace(['\t', '\n', '\r'], "")
}

/// Returns the address or the addresses, if the whole text is an address or a list of addresses.
pub fn whole(text: &str) -> Vec<String> {
    let words = text.split_whitespace();
    if words.clone().all(is_of_web) {
        return words
            .map(|word| word.trim_end_matches(',').to_owned())
            .collect();
    }
    let said = plain(text);
    let is_one = rest(&said).is_some_and(|rest| !authority(rest).contains(char::is_whitespace));
    is_one.then_some(said).into_iter().collect()
}

/// Returns the web address of a text that begins with a host instead of a scheme.
pub fn host_first(text: &str) -> Option<String> {
    let said = plain(text);
    let bare = said.trim_start_matches(['/', '\\']);
    // One slash begins a path.
    if bare.is_empty() || said.len() - bare.len() == 1 || rest(&said).is_some() {
        return None;
    }
    let address = format!("http://{bare}");
    let is_sure = authority(bare).chars().all(is_of_host) && Url::parse(&address).is_ok();
    let is_word = !said.contains(char::is_whitespace) && within(&said).is_empty();
    (is_sure || is_word).then_some(address)
}

/// Returns whether the word is a web address. A tool that takes a list reads several of them.
fn is_of_web(word: &str) -> bool {
    ["http://", "https://"].iter().any(|start| {
        word.get(..start.len())
            .is_some_and(|said| said.eq_ignore_ascii_case(start))
    })
}

/// Returns the text after the scheme, if the text begins with one.
fn rest(said: &str) -> Option<&str> {
    let (name, rest) = said.split_once(':')?;
    let lower = name.to_ascii_lowercase();
    let slashes = rest.len() - rest.trim_start_matches(['/', '\\']).len();
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "+-".contains(letter))
        // Tools that add `http://` to a text without it reach this host.
        && lower != "localhost";
    let is_scheme = match slashes {
        0 => scheme::is_web(&lower) && !rest.is_empty(),
        1 => scheme::is_web(&lower) || scheme::is_odd(&lower),
        _ => true,
    };
    (is_name && is_scheme).then_some(rest)
}

/// Returns the authority in the text after a scheme: the host, perhaps with a user and a port.
pub fn authority(rest: &str) -> &str {
    rest.trim_start_matches(['/', '\\'])
        .split(['/', '\\', '?', '#'])
        .next()
        .unwrap_or_default()
}

fn is_of_host(letter: char) -> bool {
    letter.is_alphanumeric() || "-._:@[]%".contains(letter)
}
