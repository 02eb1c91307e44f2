//! `git commit`, and messages of commits.

use crate::config::Rule;
use crate::options::{Known, Options, attached, flag, value};
use crate::policy::{Finding, Policy};

const COMMIT: &[Known] = &[
    flag("n", "no-verify"),
    attached("S", "gpg-sign"),
    attached("u", "untracked-files"),
    value("m", "message"),
    value("F", "file"),
    value("C", "reuse-message"),
    value("c", "reedit-message"),
    value("t", "template"),
    value("", "author"),
    value("", "date"),
    value("", "fixup"),
    value("", "squash"),
    value("", "cleanup"),
    value("", "trailer"),
    value("", "pathspec-from-file"),
];

impl Policy {
    pub(crate) fn commit(&self, arguments: &[&str], found: &mut Vec<Finding>) {
        let options = Options::of_git(arguments, COMMIT);
        let messages: Vec<&str> = options.values("message").collect();
        if !messages.is_empty() {
            self.message(&messages.join("\n\n"), found);
        }
        if options.has("no-verify") {
            found.push(Finding::new(
                Rule::SkipChecks,
                "`git commit --no-verify` leaves out the hooks",
            ));
        }
        if options.lacks("gpg-sign") {
            found.push(Finding::new(
                Rule::SkipChecks,
                "`git commit --no-gpg-sign` leaves out the signature",
            ));
        }
    }

    /// Checks the message of a commit.
    pub(crate) fn message(&self, message: &str, found: &mut Vec<Finding>) {
        let subject = message.lines().next().unwrap_or_default();
        let longest = self.config.longest_subject;
        if longest > 0 && subject.chars().count() > longest {
            found.push(Finding::new(
                Rule::Message,
                format!("The first line of the message has more than {longest} characters"),
            ));
        }
        if self
            .pattern
            .as_ref()
            .is_some_and(|pattern| !pattern.is_match(subject))
        {
            found.push(Finding::new(
                Rule::Message,
                format!(
                    "The first line of the message does not fit `{}`",
                    self.config.message_pattern
                ),
            ));
        }
        if let Some(pattern) = self
            .forbidden
            .iter()
            .find(|pattern| pattern.is_match(message))
        {
            found.push(Finding::new(
                Rule::Message,
                format!("The message fits `{}`, which none may", pattern.as_str()),
            ));
        }
    }
}
