//! The files that `find` deletes.

use guards_shell::{Command, Word, base};

use super::Look;
use super::place::{Place, is_any};
use crate::config::Rule;

/// Tests that limit the files that are found.
const FILTERS: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-newer",
    "-newermt",
    "-empty",
    "-size",
];

impl Look {
    pub(super) fn find(&mut self, command: &Command) {
        let arguments = command.arguments();
        if !deletes(arguments) {
            return;
        }
        self.given_by_xargs(command);
        if command.says("-files0-from") {
            self.add(
                Rule::Unknown,
                "Where `find` deletes is only known when it runs".to_owned(),
            );
        }
        let is_filtered = is_filtered(arguments);
        for root in roots(arguments) {
            let is_filtered_inside = is_filtered && self.places.of(&root) == Place::Whole;
            if !is_filtered_inside {
                self.deleted(&root, true);
            }
        }
    }
}

fn deletes(arguments: &[Word]) -> bool {
    let runs = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let mut run = arguments.iter().skip_while(|word| !runs(word));
    arguments.iter().any(|word| word.text == "-delete")
        || run.any(|word| matches!(base(&word.text), "rm" | "shred" | "unlink"))
}

fn is_filtered(arguments: &[Word]) -> bool {
    let mut filters = arguments.iter().enumerate();
    filters.any(|(at, word)| {
        let is_of_all = arguments
            .get(at + 1)
            .is_some_and(|value| is_any(&value.text));
        FILTERS.contains(&word.text.as_str()) && !is_of_all
    })
}

/// Returns the roots: the words between its options and its expression, or else the directory that it runs in.
fn roots(arguments: &[Word]) -> Vec<Word> {
    let mut roots = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "--" => {}
            "-D" => drop(words.next()),
            "-f" => roots.extend(words.next().cloned()),
            text if is_option(text) => {}
            "(" | "!" | ")" | "," => break,
            text if text.starts_with('-') => break,
            _ => roots.push(word.clone()),
        }
    }
    if roots.is_empty() {
        roots.push(Word {
            text: ".".to_owned(),
            is_known: true,
            commands: 0..0,
        });
    }
    roots
}

/// Returns whether the text is an option that comes before the roots, in GNU's or BSD's `find`.
fn is_option(text: &str) -> bool {
    text.starts_with("-O")
        || text.strip_prefix('-').is_some_and(|letters| {
            !letters.is_empty() && letters.chars().all(|letter| "HLPEXdsx".contains(letter))
        })
}
