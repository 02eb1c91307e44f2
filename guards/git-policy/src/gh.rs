//! Commands of `gh` and of programs like it.

use guards_shell::Command;

use crate::config::Rule;
use crate::options::{Known, Options, flag, value};
use crate::policy::{Finding, Policy};

const MERGE: &[Known] = &[
    flag("", "admin"),
    value("R", "repo"),
    value("b", "body"),
    value("F", "body-file"),
    value("t", "subject"),
    value("A", "author-email"),
    value("", "match-head-commit"),
];

const REVIEW: &[Known] = &[
    flag("a", "approve"),
    value("R", "repo"),
    value("b", "body"),
    value("F", "body-file"),
];

const EDIT: &[Known] = &[
    value("", "visibility"),
    value("", "default-branch"),
    value("d", "description"),
    value("h", "homepage"),
    value("", "add-topic"),
    value("", "remove-topic"),
];

impl Policy {
    pub(crate) fn gh(&self, command: &Command, found: &mut Vec<Finding>) {
        let words = command.arguments().iter().map(|word| word.text.as_str());
        let (verbs, rest) = verbs(words);
        let read = |known| Options::of_gh(&rest, known);
        let (rule, what) = match verbs.as_slice() {
            ["pr" | "mr", "merge"] if read(MERGE).has("admin") => (
                Rule::Bypass,
                "`--admin` merges although checks or reviews are missing",
            ),
            ["pr" | "mr", "merge"] => (Rule::Merge, "A pull request is merged"),
            ["pr", "review"] if read(REVIEW).has("approve") => {
                (Rule::Bypass, "A pull request is approved")
            }
            ["mr", "approve"] => (Rule::Bypass, "A pull request is approved"),
            ["repo", "delete" | "archive" | "rename"] => {
                (Rule::Bypass, "A repository is deleted or changed")
            }
            ["repo", "edit"] => {
                let options = read(EDIT);
                if !options.has("visibility") && !options.has("default-branch") {
                    return;
                }
                (Rule::Bypass, "A repository's settings are changed")
            }
            ["release", "delete"] => (Rule::DeleteRemote, "A release is deleted"),
            ["ruleset" | "secret" | "variable", verb]
                if !matches!(*verb, "list" | "view" | "check" | "get") =>
            {
                (Rule::Bypass, "A repository's settings are changed")
            }
            ["workflow", "disable"] => (Rule::Bypass, "A check is disabled"),
            ["api"] => return self.api(&rest, found),
            _ => return,
        };
        found.push(Finding::new(rule, what));
    }
}

/// Splits the words into the verbs, which name the command, and the rest. Before the last verb, `gh` takes the word
/// after an option for its value, whatever the option is.
fn verbs<'a>(mut words: impl Iterator<Item = &'a str>) -> (Vec<&'a str>, Vec<&'a str>) {
    let mut verbs = Vec::new();
    let mut rest = Vec::new();
    while verbs.len() < 2
        && verbs != ["api"]
        && let Some(word) = words.next()
    {
        if word == "--" {
            rest.push(word);
            break;
        } else if word.starts_with('-') {
            rest.push(word);
            let has_value = match word.starts_with("--") {
                true => word.contains('='),
                false => word.len() > 2,
            };
            if !has_value {
                rest.extend(words.next());
            }
        } else {
            verbs.push(word);
        }
    }
    rest.extend(words);
    (verbs, rest)
}
