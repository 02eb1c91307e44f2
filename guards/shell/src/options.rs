//! The options that a command is given.

use crate::Word;

/// The options of a command that have a value. It follows `-u` in the same word or is the next one, and `--user` behind
/// `=` or in the next word; that of `-i=` is only ever in the same word. There are spaces between them.
pub(crate) type WithValue = &'static str;

/// Options with their values.
#[derive(Default)]
pub(crate) struct Options {
    given: Vec<(String, Option<Word>)>,
    /// Where they end: behind a `--`, or at an operand.
    pub(crate) end: usize,
}

impl Options {
    /// The options before the first operand.
    pub(crate) fn of(words: &[Word], with_value: WithValue) -> Self {
        let mut options = Self::default();
        options.read(words, with_value);
        options
    }

    /// The options before, between and behind the operands.
    pub(crate) fn anywhere(words: &[Word], with_value: WithValue) -> Self {
        let mut options = Self::default();
        while options.read(words, with_value) {
            options.end += 1;
        }
        options
    }

    /// Reads options from `end` on. Returns whether it ends at an operand that may have options behind it.
    pub(crate) fn read(&mut self, words: &[Word], with_value: WithValue) -> bool {
        while let Some(word) = words.get(self.end) {
            let text = word.text.as_str();
            if !text.starts_with('-') || text == "-" {
                return true;
            }
            self.end += 1;
            if text == "--" {
                return false;
            }
            let has_next = match text.starts_with("--") {
                true => self.long(word, with_value),
                false => self.short(word, with_value),
            };
            if has_next {
                let next = words.get(self.end).cloned();
                self.end += usize::from(next.is_some());
                if let Some((_, value)) = self.given.last_mut() {
                    *value = next;
                }
            }
        }
        false
    }

    /// Notes an option in full or as its start. Returns whether its value is the next word.
    fn long(&mut self, word: &Word, with_value: WithValue) -> bool {
        let (name, value) = match word.text.split_once('=') {
            Some((name, value)) => (name, Some(word.with(value))),
            None => (word.text.as_str(), None),
        };
        let is_whole = lists(with_value, name);
        let full = with_value
            .split(' ')
            .find(|full| !is_whole && full.starts_with(name));
        let has_next = value.is_none() && (is_whole || full.is_some());
        self.given.push((full.unwrap_or(name).to_owned(), value));
        has_next
    }

    /// Notes options of one letter each. Returns whether the value of the last is the next word.
    fn short(&mut self, word: &Word, with_value: WithValue) -> bool {
        for (at, letter) in word.text.char_indices().skip(1) {
            let name = format!("-{letter}");
            let rest = word.text.get(at + letter.len_utf8()..).unwrap_or_default();
            let has_value = lists(with_value, &name);
            let has_rest = has_value || lists(with_value, &format!("{name}="));
            let value = (has_rest && !rest.is_empty()).then(|| word.with(rest));
            let has_next = has_value && value.is_none();
            self.given.push((name, value));
            if has_rest {
                return has_next;
            }
        }
        false
    }

    /// Whether one of these options is given.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.given
            .iter()
            .any(|(name, _)| names.contains(&name.as_str()))
    }

    /// The value of the first of these options that has one.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&Word> {
        let mut given = self
            .given
            .iter()
            .filter(|(name, _)| names.contains(&name.as_str()));
        given.find_map(|(_, value)| value.as_ref())
    }
}

fn lists(with_value: WithValue, name: &str) -> bool {
    with_value.split(' ').any(|listed| listed == name)
}

#[cfg(test)]
mod tests {
    use super::Options;
    use crate::Word;

    /// The options as they are read, and where they end.
    fn read(text: &str) -> (String, usize) {
        let words: Vec<Word> = text.split(' ').map(Word::known).collect();
        let options = Options::of(&words, "-u --user -i=");
        let shown = options.given.iter().map(|(name, value)| match value {
            Some(value) => format!("{name}:{}", value.text),
            None => name.clone(),
        });
        (shown.collect::<Vec<_>>().join(" "), options.end)
    }

    #[test]
    fn values_are_in_the_same_word_or_the_next_one() {
        for (text, shown, end) in [
            ("-u a b", "-u:a", 2),
            ("-ua b", "-u:a", 1),
            ("-xu a b", "-x -u:a", 2),
            ("-xua b", "-x -u:a", 1),
            ("-i a", "-i", 1),
            ("-iu a", "-i:u", 1),
            ("--user a b", "--user:a", 2),
            ("--user=a b", "--user:a", 1),
            ("--us a b", "--user:a", 2),
            ("--other a", "--other", 1),
            ("-x -- -u a", "-x", 2),
            ("-x - a", "-x", 1),
            ("-u", "-u", 1),
        ] {
            assert_eq!(read(text), (shown.to_owned(), end), "{text}");
        }
    }
}
