//! Messages of commits.

use guards_shell::Word;

use crate::config::Rule;
use crate::policy::{Finding, Policy};

impl Policy {
    pub(crate) fn commit(&self, arguments: &[Word], found: &mut Vec<Finding>) {
        let mut message = Vec::new();
        for (at, word) in arguments.iter().enumerate() {
            let text = word.text.as_str();
            let letters = text
                .strip_prefix('-')
                .filter(|letters| !letters.starts_with('-'));
            let is_last = letters.is_some_and(|letters| letters.ends_with('m'));
            if is_last || text == "--message" {
                message.extend(arguments.get(at + 1).map(|word| word.text.clone()));
            } else if let Some(rest) = text.strip_prefix("--message=") {
                message.push(rest.to_owned());
            } else if let Some((_, rest)) = letters.and_then(|letters| letters.split_once('m')) {
                message.push(rest.to_owned());
            }
        }
        if !message.is_empty() {
            self.message(&message.join("\n\n"), found);
        }
    }

    /// Checks a message.
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
