//! Commands of `gh` and of programs like it.

use guards_shell::Command;

use crate::config::Rule;
use crate::policy::{Finding, Policy};

impl Policy {
    pub(crate) fn gh(&self, command: &Command, found: &mut Vec<Finding>) {
        let operands: Vec<&str> = command.operands().map(|word| word.text.as_str()).collect();
        let says = |text: &str| command.says(text);
        match operands.as_slice() {
            ["pr" | "mr", "merge", ..] if says("--admin") => found.push(Finding::new(
                Rule::Bypass,
                "`--admin` merges although checks or reviews are missing",
            )),
            ["pr" | "mr", "merge", ..] => {
                found.push(Finding::new(Rule::Merge, "A pull request is merged"))
            }
            ["pr", "review", ..] if says("--approve") || says("-a") => {
                found.push(Finding::new(Rule::Bypass, "A pull request is approved"))
            }
            ["mr", "approve", ..] => {
                found.push(Finding::new(Rule::Bypass, "A pull request is approved"))
            }
            ["repo", "delete" | "archive" | "rename", ..] => found.push(Finding::new(
                Rule::Bypass,
                "A repository is deleted or changed",
            )),
            ["repo", "edit", ..] if says("--visibility") || says("--default-branch") => found.push(
                Finding::new(Rule::Bypass, "A repository's settings are changed"),
            ),
            ["release", "delete", ..] => {
                found.push(Finding::new(Rule::DeleteRemote, "A release is deleted"))
            }
            ["ruleset" | "secret" | "variable", verb, ..]
                if !matches!(*verb, "list" | "view" | "check" | "get") =>
            {
                found.push(Finding::new(
                    Rule::Bypass,
                    "A repository's settings are changed",
                ))
            }
            ["workflow", "disable", ..] => {
                found.push(Finding::new(Rule::Bypass, "A check is disabled"))
            }
            ["api", ..] => self.api(command, found),
            _ => {}
        }
    }

    fn api(&self, command: &Command, found: &mut Vec<Finding>) {
        let says = |part: &str| {
            command
                .arguments()
                .iter()
                .any(|word| word.text.contains(part))
        };
        let method = command.arguments().iter().any(|word| {
            matches!(
                word.text.trim_start_matches("-X").to_uppercase().as_str(),
                "PUT" | "POST" | "PATCH" | "DELETE"
            )
        });
        let writes = method
            || says("mutation")
            || command.has(Some('f'), "field")
            || command.has(Some('F'), "raw-field");
        if !writes {
            return;
        }
        if says("/protection") || says("rulesets") {
            found.push(Finding::new(
                Rule::Bypass,
                "The protection of a branch is changed",
            ));
        } else if says("/merge") || says("mergePullRequest") {
            found.push(Finding::new(Rule::Merge, "A pull request is merged"));
        } else if says("git/refs") || says("DELETE") {
            found.push(Finding::new(
                Rule::DeleteRemote,
                "A branch of the server is moved or deleted",
            ));
        }
    }
}
