//! The options of a command, alone and in groups, with their values.

use guards_shell::{Command, Word};

/// How a command's options are written.
pub struct Syntax {
    /// The letters that have a value: the rest of the word, or else the next word.
    pub letters: &'static str,
    /// The letters whose value is the rest of the word, if there is any.
    pub attached: &'static str,
    /// The letters whose value is the next word, after which their group continues.
    pub apart: &'static str,
    /// The long options that have a value: behind `=`, or else the next word.
    pub long: &'static [&'static str],
    /// The long options that may have one dash.
    pub one_dash: &'static [&'static str],
}

impl Syntax {
    /// Options that have no values.
    pub const PLAIN: Self = Self {
        letters: "",
        attached: "",
        apart: "",
        long: &[],
        one_dash: &[],
    };

    /// The long option with a value that is meant, in full or by its start.
    fn long(&self, name: &str) -> Option<&'static str> {
        let exact = self.long.iter().find(|long| **long == name);
        let start = || {
            let mut all = self.long.iter();
            all.find(|long| name.len() > 2 && long.starts_with(name))
        };
        exact.or_else(start).copied()
    }
}

/// An argument of a command.
pub enum Argument<'a> {
    /// An option, by its letter or its long name, and its value.
    Option(&'a str, Option<Word>),
    /// What is no option.
    Operand(&'a Word),
}

/// The arguments of a command, group by group.
pub fn arguments<'a>(command: &'a Command, syntax: &Syntax) -> Vec<Argument<'a>> {
    let mut found = Vec::new();
    let mut words = command.arguments().iter();
    while let Some(word) = words.next() {
        let text = word.text.as_str();
        if text == "--" {
            found.extend(words.by_ref().map(Argument::Operand));
        } else if let Some(name) = text.strip_prefix("--") {
            found.push(long(word, name, syntax, &mut words));
        } else if let Some(group) = text.strip_prefix(['-', '+'])
            && !group.is_empty()
        {
            // Shells have options with `+`, which reset them.
            match syntax.one_dash.contains(&group) {
                true => found.push(long(word, group, syntax, &mut words)),
                false => found.extend(letters(word, group, syntax, &mut words)),
            }
        } else {
            found.push(Argument::Operand(word));
        }
    }
    found
}

/// The values of the options with these names.
pub fn values(command: &Command, syntax: &Syntax, names: &[&str]) -> Vec<Word> {
    let arguments = arguments(command, syntax).into_iter();
    let values = arguments.filter_map(|argument| match argument {
        Argument::Option(name, value) if names.contains(&name) => value,
        _ => None,
    });
    values.collect()
}

type Words<'w, 'a> = &'w mut std::slice::Iter<'a, Word>;

fn long<'a>(word: &Word, option: &'a str, syntax: &Syntax, words: Words<'_, 'a>) -> Argument<'a> {
    let (name, value) = match option.split_once('=') {
        Some((name, value)) => (name, Some(part(word, value))),
        None => (option, None),
    };
    match syntax.long(name) {
        Some(name) => Argument::Option(name, value.or_else(|| words.next().cloned())),
        None => Argument::Option(name, value),
    }
}

fn letters<'a>(
    word: &Word,
    group: &'a str,
    syntax: &Syntax,
    words: Words<'_, 'a>,
) -> Vec<Argument<'a>> {
    let mut found = Vec::new();
    let mut rest = group;
    while let Some(letter) = rest.chars().next() {
        let (name, after) = rest.split_at(letter.len_utf8());
        // The output of a command leaves no text in the word.
        let is_attached = !after.is_empty() || !word.commands.is_empty();
        let attached = is_attached.then(|| part(word, after));
        if syntax.letters.contains(letter) {
            let value = attached.or_else(|| words.next().cloned());
            found.push(Argument::Option(name, value));
            break;
        } else if syntax.attached.contains(letter) {
            found.push(Argument::Option(name, attached));
            break;
        }
        let value = match syntax.apart.contains(letter) {
            true => words.next().cloned(),
            false => None,
        };
        found.push(Argument::Option(name, value));
        rest = after;
    }
    found
}

/// A part of a word.
fn part(word: &Word, text: &str) -> Word {
    Word {
        text: text.to_owned(),
        ..word.clone()
    }
}
