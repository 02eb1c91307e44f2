//! The options among the arguments of a command, alone and in groups, with their values.

use std::slice::Iter;

use crate::{Command, Word};

/// The options of a command that have a value, separated by spaces.
///
/// - `ab`: the letters `-a` and `-b`. Their value is the rest of the word, or else the next word.
/// - `ab=`: letters whose value is the rest of the word, if there is any.
/// - `ab+`: letters whose value is the next word; their group continues before it.
/// - `--name`: its value is after `=`, or else the next word. The name may be abbreviated.
/// - `-name`: that long option may have one dash, whether it has a value or not.
/// - `+`: there are also options with `+`, as in shells.
pub type Syntax = &'static str;

/// An argument of a command.
#[derive(Debug, PartialEq)]
pub enum Argument<'a> {
    /// An option, by its letter or its long name, and its value.
    Option(&'a str, Option<Word>),
    /// An argument that is not an option.
    Operand(&'a Word),
}

impl Command {
    /// Returns the arguments, with each option of a group by itself.
    pub fn parsed(&self, syntax: Syntax) -> impl Iterator<Item = Argument<'_>> {
        Arguments::new(self.arguments(), syntax)
    }

    /// Returns the values of the options with these names.
    pub fn values(&self, syntax: Syntax, names: &[&str]) -> Vec<Word> {
        let values = self.parsed(syntax).filter_map(|argument| match argument {
            Argument::Option(name, value) if names.contains(&name) => value,
            _ => None,
        });
        values.collect()
    }
}

/// An iterator over the arguments.
struct Arguments<'a> {
    words: Iter<'a, Word>,
    /// The word whose letters are being read, and the letters that are left.
    group: Option<(&'a Word, &'a str)>,
    /// Whether a `--` was read.
    is_over: bool,
    syntax: Syntax,
}

impl<'a> Arguments<'a> {
    fn new(words: &'a [Word], syntax: Syntax) -> Self {
        Self {
            words: words.iter(),
            group: None,
            is_over: false,
            syntax,
        }
    }

    fn word(&mut self) -> Option<Argument<'a>> {
        let word = self.words.next()?;
        let text = word.text.as_str();
        if self.is_over {
            return Some(Argument::Operand(word));
        }
        if text == "--" {
            self.is_over = true;
            return self.word();
        }
        if let Some(name) = text.strip_prefix("--") {
            return Some(self.long(word, name));
        }
        let letters = match text.strip_prefix('+') {
            Some(letters) if lists(self.syntax, "+") => letters,
            _ => text.strip_prefix('-').unwrap_or_default(),
        };
        if letters.is_empty() {
            return Some(Argument::Operand(word));
        }
        if lists(self.syntax, &format!("-{letters}")) {
            return Some(self.long(word, letters));
        }
        self.letter(word, letters)
    }

    fn long(&mut self, word: &Word, option: &'a str) -> Argument<'a> {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(word.with(value))),
            None => (option, None),
        };
        match named(self.syntax, name) {
            Some(name) => Argument::Option(name, value.or_else(|| self.words.next().cloned())),
            None => Argument::Option(name, value),
        }
    }

    /// Reads the first letter of a group.
    fn letter(&mut self, word: &'a Word, group: &'a str) -> Option<Argument<'a>> {
        let letter = group.chars().next()?;
        let (name, rest) = group.split_at(letter.len_utf8());
        // The output of a command leaves no text in the word.
        let has_rest = !rest.is_empty() || !word.commands.is_empty();
        let attached = has_rest.then(|| word.with(rest));
        let value = match takes(self.syntax, letter) {
            Takes::Value => attached.or_else(|| self.words.next().cloned()),
            Takes::Rest => attached,
            takes => {
                self.group = Some((word, rest)).filter(|_| !rest.is_empty());
                match takes {
                    Takes::Next => self.words.next().cloned(),
                    _ => None,
                }
            }
        };
        Some(Argument::Option(name, value))
    }
}

impl<'a> Iterator for Arguments<'a> {
    type Item = Argument<'a>;

    fn next(&mut self) -> Option<Argument<'a>> {
        match self.group.take() {
            Some((word, letters)) => self.letter(word, letters),
            None => self.word(),
        }
    }
}

/// The place of a letter's value.
enum Takes {
    Nothing,
    Value,
    Rest,
    Next,
}

fn takes(syntax: Syntax, letter: char) -> Takes {
    let mut listed = syntax.split(' ').filter(|part| !part.starts_with('-'));
    match listed.find(|part| part.contains(letter)) {
        None => Takes::Nothing,
        Some(part) if part.ends_with('=') => Takes::Rest,
        Some(part) if part.ends_with('+') => Takes::Next,
        Some(_) => Takes::Value,
    }
}

/// Returns the long option with a value that the name means. The name may be abbreviated.
fn named(syntax: Syntax, name: &str) -> Option<&'static str> {
    let mut all = syntax.split(' ').filter_map(|part| part.strip_prefix("--"));
    let exact = all.clone().find(|long| *long == name);
    exact.or_else(|| all.find(|long| name.len() > 2 && long.starts_with(name)))
}

fn lists(syntax: Syntax, part: &str) -> bool {
    syntax.split(' ').any(|listed| listed == part)
}

/// The options before the operands of a command.
#[derive(Default)]
pub(crate) struct Options<'a> {
    given: Vec<(&'a str, Option<Word>)>,
    /// The index of their end: after a `--`, or at an operand.
    pub(crate) end: usize,
}

impl<'a> Options<'a> {
    pub(crate) fn of(words: &'a [Word], syntax: Syntax) -> Self {
        let mut options = Self::default();
        options.read(words, syntax);
        options
    }

    /// Reads the options before, between and after the operands.
    pub(crate) fn anywhere(words: &'a [Word], syntax: Syntax) -> Self {
        let options = Arguments::new(words, syntax).filter_map(|argument| match argument {
            Argument::Option(name, value) => Some((name, value)),
            Argument::Operand(_) => None,
        });
        Self {
            given: options.collect(),
            end: words.len(),
        }
    }

    /// Reads options from `end` on.
    pub(crate) fn read(&mut self, words: &'a [Word], syntax: Syntax) {
        let mut arguments = Arguments::new(words.get(self.end..).unwrap_or_default(), syntax);
        let mut is_at_operand = false;
        for argument in arguments.by_ref() {
            match argument {
                Argument::Option(name, value) => self.given.push((name, value)),
                Argument::Operand(_) => {
                    is_at_operand = true;
                    break;
                }
            }
        }
        self.end = words.len() - arguments.words.len() - usize::from(is_at_operand);
    }

    /// Returns whether one of these options is given.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|(name, _)| names.contains(name))
    }

    /// Returns the value of the first of these options that has one.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&Word> {
        let mut given = self.given.iter().filter(|(name, _)| names.contains(name));
        given.find_map(|(_, value)| value.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::{Argument, Arguments, Options};
    use crate::Word;

    const SYNTAX: &str = "u i= oO+ --user --init-file -init-file -norc +";

    #[test]
    fn options_are_read_with_their_values() {
        for (text, shown, end) in [
            ("-u a b", "u:a b", 2),
            ("-ua b", "u:a b", 1),
            ("-xu a b", "x u:a b", 2),
            ("-xua b", "x u:a b", 1),
            ("-i a", "i a", 1),
            ("-iu a", "i:u a", 1),
            ("-oux a b", "o:a u:x b", 2),
            ("-oe a b", "o:a e b", 2),
            ("+O a b", "O:a b", 2),
            ("--user a b", "user:a b", 2),
            ("--user=a b", "user:a b", 1),
            ("--use a b", "user:a b", 2),
            ("--other a", "other a", 1),
            ("-norc a", "norc a", 1),
            ("-init-file a b", "init-file:a b", 2),
            ("-x -- -u a", "x -u a", 2),
            ("-- a", "a", 1),
            ("-x - -u a", "x - u:a", 1),
            ("a -u b", "a u:b", 0),
            ("-u", "u", 1),
        ] {
            let words: Vec<Word> = text.split(' ').map(Word::known).collect();
            let arguments = Arguments::new(&words, SYNTAX).map(|argument| match argument {
                Argument::Option(name, Some(value)) => format!("{name}:{}", value.text),
                Argument::Option(name, None) => name.to_owned(),
                Argument::Operand(word) => word.text.clone(),
            });
            assert_eq!(arguments.collect::<Vec<_>>().join(" "), shown, "{text}");
            assert_eq!(Options::of(&words, SYNTAX).end, end, "{text}");
        }
    }
}
