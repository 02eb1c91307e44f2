//! An error that keeps a hook from loading: the file, the cause and the fix.

use std::io;
use std::path::Path;

use portcullis::hooks::{LoadError, LoadFault, Stage};
use portcullis::settings::SettingsError;
use serde::Serialize;

use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, ERROR, GOOD, NOTE};
use crate::terminal::{Out, Printable};

/// A problem with a hook or with `agent.toml`.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// `None`: it keeps the hook or the agent from starting.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<Level>,
    /// The file.
    file: String,
    /// The line, if the file is `hooks.toml` or `agent.toml`.
    line: Option<usize>,
    /// The stage of loading a hook that failed; `None` for a fault of `agent.toml`.
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<Stage>,
    /// The operation on the file.
    #[serde(skip)]
    doing: &'static str,
    /// The cause.
    cause: String,
    /// The fix.
    fix: String,
}

/// The kind of a problem that does not prevent a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A probable mistake.
    Warning,
    /// A fact that could not be checked.
    Unchecked,
}

impl Problem {
    /// Returns the warning about a hooks directory without hooks.
    pub fn empty(dir: &Path) -> Self {
        Self {
            level: Some(Level::Warning),
            file: dir.display().to_string(),
            line: None,
            stage: Some(Stage::Read),
            doing: stage_name(Stage::Read),
            cause: "has no hooks, so nothing is checked and nothing is refused".to_owned(),
            fix: "put `.wasm` files into it, such as what `portcullis build` makes, or name another directory"
                .to_owned(),
        }
    }

    /// Returns the problem with a level: it prevents no start.
    pub fn at_level(self, level: Level) -> Self {
        Self {
            level: Some(level),
            ..self
        }
    }

    /// Returns the line, if the file is `hooks.toml` or `agent.toml`.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// Returns whether it prevents the hook or the agent from starting.
    pub fn is_fault(&self) -> bool {
        self.level.is_none()
    }

    /// Writes it for people.
    pub fn write(&self, out: &mut Out) -> io::Result<()> {
        let line = self.line.map(|n| printable!(":{}", n)).unwrap_or_default();
        let mark = match self.level {
            None => printable!("{ERROR}✗{ERROR:#}"),
            Some(Level::Warning) => printable!("{NOTE}!{NOTE:#}"),
            Some(Level::Unchecked) => printable!("{DIM}?{DIM:#}"),
        };
        print_line!(out)?;
        print_line!(
            out,
            "  {} {BOLD}{}{}{BOLD:#} {DIM}({}){DIM:#}",
            mark,
            self.file,
            line,
            self.doing
        )?;
        print_line!(out, "    {}", Printable::whole(&self.cause))?;
        print_line!(out, "    {GOOD}fix{GOOD:#} {}", Printable::whole(&self.fix))
    }
}

impl From<&LoadError> for Problem {
    fn from(error: &LoadError) -> Self {
        let (file, line) = match &error.fault {
            LoadFault::Settings(error) => (&error.file, error.line),
            _ => (&error.file, None),
        };
        let (cause, fix) = cause_and_fix(&error.fault);
        Self {
            level: None,
            file: file.display().to_string(),
            line,
            stage: Some(error.stage),
            doing: doing(error),
            cause,
            fix,
        }
    }
}

impl From<&SettingsError> for Problem {
    fn from(error: &SettingsError) -> Self {
        let (cause, fix) = match error.problem.split_once("; ") {
            Some((cause, fix)) => (cause, fix),
            None if error.line.is_none() => (error.problem.as_str(), "correct it"),
            None => (error.problem.as_str(), "correct that line"),
        };
        Self {
            level: None,
            file: error.file.display().to_string(),
            line: error.line,
            stage: None,
            doing: "checking the agent",
            cause: cause.to_owned(),
            fix: fix.to_owned(),
        }
    }
}

/// Splits a fault's text into its cause and, after the first semicolon, the fix. Faults without a
/// semicolon come from other libraries.
fn cause_and_fix(fault: &LoadFault) -> (String, String) {
    let text = fault.to_string();
    if let Some((cause, fix)) = text.split_once("; ") {
        return (cause.to_owned(), fix.to_owned());
    }
    let fix = match fault {
        LoadFault::Unreadable(_) => "name a file that exists and that you may read",
        LoadFault::UnreadableDirectory(_) => "name a directory that exists and that you may read",
        LoadFault::Link(_) => "build the hook against this host's WIT",
        LoadFault::Describe(_) => {
            "fix the hook's `describe` function; it runs when the hook is loaded, under the default limits"
        }
        LoadFault::UnknownExport { .. } | LoadFault::UnknownImport { .. } => {
            "build the hook against this host's WIT"
        }
        LoadFault::Settings(_) => "correct that line of hooks.toml",
        _ => "fix the hook, or remove it from the directory",
    };
    (text, fix.to_owned())
}

/// Returns the operation on a file. Settings and lock are read before any hook is checked against
/// them.
fn doing(error: &LoadError) -> &'static str {
    match (&error.fault, error.stage) {
        (LoadFault::Settings(_), Stage::Resolve) | (LoadFault::BadLock(_), _) => "checking it",
        (_, stage) => stage_name(stage),
    }
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Read => "reading the file",
        Stage::Lock => "checking it against hooks.lock",
        Stage::Compile => "compiling it",
        Stage::Inspect => "finding its points and imports",
        Stage::Link => "linking its imports",
        Stage::Describe => "asking it to describe itself",
        Stage::Resolve => "checking it against hooks.toml",
        Stage::Order => "ordering the hooks",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_not_checked_against_itself() {
        let settings = Path::new("hooks.toml");
        let settings = LoadError::from(SettingsError::of_file(settings, "is empty".to_owned()));
        let lock = |fault| LoadError {
            file: "hooks.lock".into(),
            stage: Stage::Lock,
            fault,
        };
        for (error, doing) in [
            (settings, "checking it"),
            (lock(LoadFault::BadLock("no TOML".into())), "checking it"),
            (lock(LoadFault::NoLock), "checking it against hooks.lock"),
        ] {
            assert_eq!(Problem::from(&error).doing, doing, "{error}");
        }
    }

    #[test]
    fn every_problem_has_a_cause_and_a_fix() {
        for fault in [
            LoadFault::Unreadable("No such file".into()),
            LoadFault::UnreadableDirectory("No such file".into()),
            LoadFault::Empty,
            LoadFault::Symlink,
            LoadFault::LinkLeaves { to: "/etc".into() },
            LoadFault::Changing,
            LoadFault::NoLock,
            LoadFault::BadLock("it has version 2".into()),
            LoadFault::NameNotPinnable,
            LoadFault::NotLocked {
                found: portcullis::verdict::Digest::of(b""),
            },
            LoadFault::Gone {
                id: "a".into(),
                pinned: portcullis::verdict::Digest::of(b""),
            },
            LoadFault::CoreModule,
            LoadFault::NotWasm("#!/b".into()),
            LoadFault::Describe("it trapped: unreachable".into()),
            LoadFault::UnknownExport {
                name: "portcullis:hooks/pre-trun@0.1.0".into(),
                hint: "; did you mean `pre-turn`?".into(),
            },
            LoadFault::UnknownImport {
                name: "acme:db/sql".into(),
                hint: String::new(),
            },
        ] {
            let (cause, fix) = cause_and_fix(&fault);
            assert!(!cause.is_empty() && !fix.is_empty(), "{fault:?}");
        }
    }
}
