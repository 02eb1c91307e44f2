//! Git's settings: those before a verb, and `git config`.

use crate::config::Rule;
use crate::options::{Known, Options, flag, value};
use crate::policy::{Finding, Policy};

/// Settings with which Git runs programs, skips checks or uses another identity.
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

const CONFIG: &[Known] = &[
    value("f", "file"),
    value("", "blob"),
    value("", "type"),
    value("", "default"),
    value("", "value"),
    value("", "url"),
    value("", "comment"),
    flag("l", "list"),
    flag("", "get"),
    flag("", "get-all"),
    flag("", "get-regexp"),
    flag("", "get-urlmatch"),
    flag("", "get-color"),
    flag("", "get-colorbool"),
    flag("", "unset"),
    flag("", "unset-all"),
    flag("", "rename-section"),
    flag("", "remove-section"),
];

const READS: &[&str] = &[
    "list",
    "get",
    "get-all",
    "get-regexp",
    "get-urlmatch",
    "get-color",
    "get-colorbool",
];

impl Policy {
    /// Checks a `git config`.
    pub(crate) fn configure(&self, arguments: &[&str], found: &mut Vec<Finding>) {
        let options = Options::of_git(arguments, CONFIG);
        let operands = options.operands.as_slice();
        // The name of a setting has a dot, so a verb cannot be one.
        let (verb, operands) = match operands {
            [
                verb @ ("list" | "get" | "set" | "unset" | "edit" | "rename-section"
                | "remove-section"),
                rest @ ..,
            ] => (*verb, rest),
            operands => ("", operands),
        };
        let is = |name: &str| verb == name || options.has(name);
        if READS.iter().any(|name| is(name)) {
            return;
        }
        if is("rename-section") || is("remove-section") {
            for section in operands {
                self.section(section, found);
            }
            return;
        }
        let unsets = is("unset") || options.has("unset-all");
        if let Some(name) = operands.first()
            && (unsets || operands.len() > 1)
        {
            self.setting(name, found);
        }
    }

    /// Checks a setting, which may have `=` and its value after its name.
    pub(crate) fn setting(&self, setting: &str, found: &mut Vec<Finding>) {
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

    fn section(&self, section: &str, found: &mut Vec<Finding>) {
        let name = format!("{}.", section.to_lowercase());
        if SETTINGS.iter().any(|known| {
            known.starts_with(&name) || (known.ends_with('.') && name.starts_with(known))
        }) {
            found.push(Finding::new(
                Rule::Settings,
                format!("Git's settings `{section}` are changed"),
            ));
        }
    }
}
