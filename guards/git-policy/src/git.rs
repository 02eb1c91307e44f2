//! Commands of `git`.

use guards_shell::{Command, Word};

use crate::config::Rule;
use crate::policy::{Finding, Policy};

/// Settings with which Git runs something, or leaves something out.
const SETTINGS: &[&str] = &[
    "core.hookspath",
    "core.sshcommand",
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "credential.helper",
    "commit.gpgsign",
    "tag.gpgsign",
    "user.email",
    "user.name",
    "user.signingkey",
    "gpg.program",
    "http.sslverify",
    "receive.denynonfastforwards",
    "receive.denydeletes",
    "filter.",
    "diff.external",
    "url.",
    "alias.",
    "protocol.",
];

impl Policy {
    pub(crate) fn git(&self, command: &Command, found: &mut Vec<Finding>) {
        let (settings, rest) = parts(command);
        for setting in settings {
            self.setting(setting, found);
        }
        let Some((verb, arguments)) = rest.split_first() else {
            return;
        };
        let says = |text: &str| arguments.iter().any(|word| word.text == text);
        let option = |long: &str| {
            arguments.iter().any(|word| {
                word.text == long
                    || word
                        .text
                        .strip_prefix(long)
                        .is_some_and(|rest| rest.starts_with('='))
            })
        };
        let letter = |letter: char| {
            arguments.iter().any(|word| {
                word.text.starts_with('-')
                    && !word.text.starts_with("--")
                    && word.text.contains(letter)
            })
        };
        match verb.text.as_str() {
            "push" => self.push(arguments, found),
            "commit" => {
                self.commit(arguments, found);
                if option("--no-verify") || short(arguments, 'n') {
                    found.push(Finding::new(
                        Rule::SkipChecks,
                        "`git commit --no-verify` leaves out the hooks",
                    ));
                }
                if option("--no-gpg-sign") {
                    found.push(Finding::new(
                        Rule::SkipChecks,
                        "`git commit --no-gpg-sign` leaves out the signature",
                    ));
                }
            }
            "merge" | "rebase" | "am" | "cherry-pick" | "revert"
                if option("--no-verify") || option("--no-gpg-sign") =>
            {
                found.push(Finding::new(
                    Rule::SkipChecks,
                    format!("`git {}` leaves out the hooks or the signature", verb.text),
                ));
            }
            "config" => {
                let writes = ![
                    "--get",
                    "--get-all",
                    "--list",
                    "-l",
                    "--get-regexp",
                    "--show-origin",
                    "get",
                    "list",
                ]
                .iter()
                .any(|read| says(read));
                let operands: Vec<&Word> = arguments
                    .iter()
                    .filter(|word| {
                        !word.text.starts_with('-')
                            && !matches!(word.text.as_str(), "set" | "unset")
                    })
                    .collect();
                let unsets = says("--unset") || says("unset") || says("--unset-all");
                if writes
                    && (operands.len() > 1 || unsets)
                    && let Some(name) = operands.first()
                {
                    self.setting(&name.text, found);
                }
            }
            "reset" if option("--hard") => found.push(Finding::new(
                Rule::Rewrite,
                "`git reset --hard` discards work",
            )),
            "clean" if letter('f') && !letter('n') => found.push(Finding::new(
                Rule::Rewrite,
                "`git clean` deletes files that Git does not have",
            )),
            "filter-branch" | "filter-repo" => found.push(Finding::new(
                Rule::Rewrite,
                format!("`git {}` rewrites all commits", verb.text),
            )),
            "reflog" if says("expire") || says("delete") => found.push(Finding::new(
                Rule::Rewrite,
                "`git reflog` deletes the log of commits",
            )),
            "gc" | "prune" if arguments.iter().any(|word| word.text.contains("now")) => found.push(
                Finding::new(Rule::Rewrite, "Commits that no branch has are deleted"),
            ),
            "update-ref" if says("-d") => found.push(Finding::new(
                Rule::Rewrite,
                "`git update-ref -d` deletes a branch",
            )),
            "branch" => {
                let forces = letter('D')
                    || letter('f')
                    || option("--force")
                    || letter('M')
                    || (option("--delete") && option("--force"));
                let protected = arguments.iter().any(|word| self.is_protected(&word.text));
                let deletes = forces || letter('d') || option("--delete") || letter('m');
                if protected && deletes {
                    found.push(Finding::new(
                        Rule::ProtectedBranch,
                        "A protected branch is moved or deleted",
                    ));
                }
            }
            "checkout" | "switch"
                if (letter('B') || letter('C'))
                    && arguments.iter().any(|word| self.is_protected(&word.text)) =>
            {
                found.push(Finding::new(
                    Rule::ProtectedBranch,
                    "A protected branch is moved",
                ));
            }
            "rm" | "mv" | "add" => {
                for word in arguments.iter().filter(|word| !word.text.starts_with('-')) {
                    self.file(&word.text, found);
                }
            }
            _ => {}
        }
    }

    fn push(&self, arguments: &[Word], found: &mut Vec<Finding>) {
        let option = |long: &str| {
            arguments.iter().any(|word| {
                word.text == long
                    || word
                        .text
                        .strip_prefix(long)
                        .is_some_and(|rest| rest.starts_with('='))
            })
        };
        let operands: Vec<&str> = arguments
            .iter()
            .map(|word| word.text.as_str())
            .filter(|text| !text.starts_with('-'))
            .collect();
        let refs = operands.get(1..).unwrap_or_default();
        let leases = option("--force-with-lease") || option("--force-if-includes");
        let forces = option("--force")
            || short(arguments, 'f')
            || refs.iter().any(|name| name.starts_with('+'))
            || option("--mirror");
        if forces && !option("--dry-run") {
            found.push(Finding::new(
                Rule::ForcePush,
                "`git push --force` replaces what the server has",
            ));
        }
        let is_all = option("--all") || option("--mirror") || option("--branches");
        let deletes = option("--delete")
            || short(arguments, 'd')
            || refs.iter().any(|name| name.starts_with(':'))
            || option("--prune");
        if deletes {
            found.push(Finding::new(
                Rule::DeleteRemote,
                "A branch or a tag of the server is deleted",
            ));
        }
        if option("--no-verify") {
            found.push(Finding::new(
                Rule::SkipChecks,
                "`git push --no-verify` leaves out the hooks",
            ));
        }
        let target = |name: &&str| {
            let name = name.trim_start_matches('+');
            let name = name.rsplit(':').next().unwrap_or(name);
            self.is_protected(name)
        };
        if is_all || refs.iter().any(target) {
            found.push(Finding::new(
                Rule::ProtectedBranch,
                "A protected branch is pushed to",
            ));
        } else if leases && refs.is_empty() {
            // It is not known which branch that is.
            found.push(Finding::new(
                Rule::Rewrite,
                "`git push --force-with-lease` replaces what the server has",
            ));
        }
    }

    fn setting(&self, setting: &str, found: &mut Vec<Finding>) {
        let name = setting.split('=').next().unwrap_or(setting).to_lowercase();
        if SETTINGS
            .iter()
            .any(|known| name == *known || (known.ends_with('.') && name.starts_with(known)))
        {
            found.push(Finding::new(
                Rule::Settings,
                format!("Git's setting `{name}` is changed"),
            ));
        }
    }
}

/// The settings before the verb, and the verb with what follows it.
fn parts(command: &Command) -> (Vec<&str>, Vec<Word>) {
    let mut settings = Vec::new();
    let mut words = command.arguments();
    while let [first, rest @ ..] = words {
        match first.text.as_str() {
            "-c" | "--config-env" => {
                settings.extend(rest.first().map(|word| word.text.as_str()));
                words = rest.get(1..).unwrap_or_default();
            }
            "-C" | "--git-dir" | "--work-tree" | "--namespace" => {
                words = rest.get(1..).unwrap_or_default()
            }
            text if text.starts_with('-') => words = rest,
            _ => break,
        }
    }
    (settings, words.to_vec())
}

/// Whether a short option is among the arguments; those behind the letter of one with a value are the value.
fn short(arguments: &[Word], letter: char) -> bool {
    arguments
        .iter()
        .take_while(|word| word.text != "--")
        .any(|word| {
            let letters = word
                .text
                .strip_prefix('-')
                .filter(|letters| !letters.starts_with('-'))
                .unwrap_or_default();
            let flags = letters
                .split(['m', 'F', 'C', 'c', 'o'])
                .next()
                .unwrap_or_default();
            flags.contains(letter)
        })
}
