//! Commands of `git`.

use guards_shell::Command;

use crate::config::Rule;
use crate::files::Places;
use crate::options::{Known, Options, attached, flag, value};
use crate::policy::{Finding, Policy};

/// The options that the verbs that make commits have in common.
const CHECKS: &[Known] = &[flag("", "no-verify"), attached("S", "gpg-sign")];

const AM: &[Known] = &[flag("n", "no-verify"), attached("S", "gpg-sign")];

const RESET: &[Known] = &[flag("", "hard"), value("", "pathspec-from-file")];

const CLEAN: &[Known] = &[
    flag("f", "force"),
    flag("n", "dry-run"),
    value("e", "exclude"),
];

const REFLOG: &[Known] = &[value("", "expire"), value("", "expire-unreachable")];

const UPDATE_REF: &[Known] = &[flag("d", ""), value("m", "")];

const BRANCH: &[Known] = &[
    flag("d", "delete"),
    flag("D", ""),
    flag("m", "move"),
    flag("M", ""),
    flag("C", ""),
    flag("c", "copy"),
    flag("f", "force"),
    value("u", "set-upstream-to"),
    value("", "contains"),
    value("", "points-at"),
    value("", "sort"),
    value("", "format"),
];

const CHECKOUT: &[Known] = &[
    value("b", ""),
    value("B", ""),
    value("", "orphan"),
    value("", "conflict"),
    value("", "pathspec-from-file"),
];

const SWITCH: &[Known] = &[
    value("c", "create"),
    value("C", "force-create"),
    value("", "orphan"),
    value("", "conflict"),
];

const FILES: &[Known] = &[value("", "chmod"), value("", "pathspec-from-file")];

impl Policy {
    pub(crate) fn git(&self, command: &Command, places: Places<'_>, found: &mut Vec<Finding>) {
        let parts = Parts::of(command);
        for setting in &parts.settings {
            self.setting(setting, found);
        }
        let Some((verb, arguments)) = parts.rest.split_first() else {
            return;
        };
        match *verb {
            "push" => self.push(arguments, found),
            "commit" => self.commit(arguments, found),
            "merge" | "rebase" | "cherry-pick" | "revert" => {
                checks(verb, &Options::of_git(arguments, CHECKS), found);
            }
            "am" => checks(verb, &Options::of_git(arguments, AM), found),
            "config" => self.configure(arguments, found),
            "branch" => self.branch(arguments, found),
            "checkout" => self.moved(Options::of_git(arguments, CHECKOUT).values("B"), found),
            "switch" => self.moved(Options::of_git(arguments, SWITCH).values("C"), found),
            "rm" | "mv" | "add" => {
                let dirs = parts.dirs(places.dirs);
                let dirs = dirs.as_slice();
                for path in Options::of_git(arguments, FILES).operands {
                    self.file(path, Places { dirs, ..places }, found);
                }
            }
            verb => {
                if let Some(what) = rewrites(verb, arguments) {
                    found.push(Finding::new(Rule::Rewrite, what));
                }
            }
        }
    }

    fn branch(&self, arguments: &[&str], found: &mut Vec<Finding>) {
        let options = Options::of_git(arguments, BRANCH);
        let names = options.operands.as_slice();
        let has = |keys: &[&str]| keys.iter().any(|key| options.has(key));
        // The last name of a copy is the new branch; the second name of a new branch is its start.
        let changed = if has(&["delete", "D", "move", "M"]) {
            names
        } else if has(&["C"]) || has(&["copy"]) && has(&["force"]) {
            names.last().map_or(&[][..], std::slice::from_ref)
        } else if has(&["force"]) {
            names.get(..1).unwrap_or_default()
        } else {
            &[]
        };
        if changed.iter().any(|name| self.is_protected(name)) {
            found.push(Finding::new(
                Rule::ProtectedBranch,
                "A protected branch is moved or deleted",
            ));
        }
    }

    fn moved<'a>(&self, mut branches: impl Iterator<Item = &'a str>, found: &mut Vec<Finding>) {
        if branches.any(|branch| self.is_protected(branch)) {
            found.push(Finding::new(
                Rule::ProtectedBranch,
                "A protected branch is moved",
            ));
        }
    }
}

fn checks(verb: &str, options: &Options<'_>, found: &mut Vec<Finding>) {
    if options.has("no-verify") || options.lacks("gpg-sign") {
        found.push(Finding::new(
            Rule::SkipChecks,
            format!("`git {verb}` leaves out the hooks or the signature"),
        ));
    }
}

/// Describes what a verb rewrites or deletes in the clone, if anything.
fn rewrites(verb: &str, arguments: &[&str]) -> Option<String> {
    let read = |known| Options::of_git(arguments, known);
    let what = match verb {
        "reset" if read(RESET).has("hard") => "`git reset --hard` discards work",
        "clean" => {
            let options = read(CLEAN);
            (options.has("force") && !options.has("dry-run"))
                .then_some("`git clean` deletes files that Git does not have")?
        }
        "filter-branch" | "filter-repo" => {
            return Some(format!("`git {verb}` rewrites all commits"));
        }
        "reflog" => {
            let options = read(REFLOG);
            let verb = options.operands.first().copied();
            matches!(verb, Some("expire" | "delete"))
                .then_some("`git reflog` deletes the log of commits")?
        }
        "gc" | "prune" if arguments.iter().any(|word| word.contains("now")) => {
            "Commits that no branch has are deleted"
        }
        "update-ref" if read(UPDATE_REF).has("d") => "`git update-ref -d` deletes a branch",
        _ => return None,
    };
    Some(what.to_owned())
}

/// The options before the verb, and the verb with its arguments.
struct Parts<'a> {
    settings: Vec<&'a str>,
    /// The directories that `-C` enters, one after another.
    entered: Vec<&'a str>,
    rest: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(command: &'a Command) -> Self {
        let mut settings = Vec::new();
        let mut entered = Vec::new();
        let mut words = command.arguments().iter().map(|word| word.text.as_str());
        let mut rest = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "-c" | "--config-env" => settings.extend(words.next()),
                "-C" => entered.extend(words.next()),
                "--git-dir" | "--work-tree" | "--namespace" | "--attr-source"
                | "--super-prefix" => drop(words.next()),
                word if word.starts_with('-') => {
                    settings.extend(word.strip_prefix("--config-env="));
                }
                verb => {
                    rest.push(verb);
                    rest.extend(words);
                    break;
                }
            }
        }
        Self {
            settings,
            entered,
            rest,
        }
    }

    /// Returns the directories in which the command runs if it is started in these.
    fn dirs(&self, dirs: &[Option<String>]) -> Vec<Option<String>> {
        let enter = |dir: &Option<String>| {
            let mut path = dir.clone()?;
            for entered in &self.entered {
                if entered.starts_with(['/', '~', '$']) {
                    path.clear();
                } else if !path.is_empty() {
                    path.push('/');
                }
                path.push_str(entered);
            }
            Some(path)
        };
        dirs.iter().map(enter).collect()
    }
}
