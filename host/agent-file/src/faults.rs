//! The faults of a file, each with its line.

use std::path::Path;

use portcullis::settings::{SettingsError, TomlSource};
use portcullis::text::nearest;

use crate::file::{AgentFile, Given};

/// Collects faults.
pub(crate) struct Faults<'a> {
    source: &'a TomlSource,
    given: &'a [Given],
    errors: Vec<SettingsError>,
}

impl<'a> Faults<'a> {
    pub(crate) fn of(file: &'a AgentFile) -> Self {
        Self {
            source: &file.source,
            given: &file.given,
            errors: Vec::new(),
        }
    }

    /// Adds a fault of the value at a path of keys.
    pub(crate) fn add(&mut self, at: &[&str], problem: impl Into<String>) {
        let error = self.source.error(at, problem.into());
        let mut given = self.given.iter().rev();
        self.errors
            .push(match given.find(|given| at.starts_with(given.keys)) {
                Some(Given { by, .. }) => SettingsError {
                    file: by.into(),
                    line: None,
                    ..error
                },
                None => error,
            });
    }

    /// Adds a fault that already has a file and a line.
    pub(crate) fn placed(&mut self, error: SettingsError) {
        self.errors.push(error);
    }

    /// Adds a fault if a required key is missing or empty.
    pub(crate) fn required(&mut self, at: &[&str], key: &str, present: bool, why: &str) {
        if !present {
            self.add(&[at, &[key]].concat(), format!("`{key}` is missing; {why}"));
        }
    }

    /// Adds a fault if a file does not exist.
    pub(crate) fn file(&mut self, at: &[&str], path: &Path) {
        if !path.is_file() {
            let problem = format!("there is no file {}; name one that exists", path.display());
            self.add(at, problem);
        }
    }

    /// Adds a fault if a program is not found.
    pub(crate) fn program(&mut self, at: &[&str], program: &str) {
        if !is_found(program) {
            let problem = format!("there is no program `{program}`; install it, or name its path");
            self.add(at, problem);
        }
    }

    /// Adds a fault if an address contains more than the location of a server. Errors show
    /// addresses, so secrets have separate keys, such as `key-env` and `token-env`.
    pub(crate) fn address(&mut self, at: &[&str], address: Option<&str>, secret: &str) {
        if address.is_some_and(says_more) {
            let problem = format!(
                "the address has a user, a query or a fragment, which would be printed; leave it out, \
                 and name a {secret} with `{secret}-env` or `{secret}-file`"
            );
            self.add(at, problem);
        }
    }

    /// Adds a fault if a name is not in `known`. The names are from these tables. There is no fault
    /// if an entry of the tables could not be read: the name may be that entry's.
    pub(crate) fn one_of(
        &mut self,
        at: &[&str],
        what: &str,
        name: &str,
        known: &[&str],
        tables: &[&str],
    ) {
        if !known.contains(&name) && !self.lacks_entries(tables) {
            self.add(at, not_known(what, name, known));
        }
    }

    /// Returns whether an entry of one of these tables could not be read.
    pub(crate) fn lacks_entries(&self, tables: &[&str]) -> bool {
        let mut tables = tables.iter();
        tables.any(|table| self.source.lacks_entries(&[table]))
    }

    /// Returns all faults in line order, without faults that may follow from unreadable parts.
    pub(crate) fn into_errors(mut self) -> Vec<SettingsError> {
        let file = self.source.file();
        let is_here = |error: &SettingsError| file == Some(&*error.file);
        self.errors
            .retain(|error| !(is_here(error) && self.source.follows(error)));
        self.errors.sort_by_key(|error| error.line);
        self.source.capped(self.errors)
    }
}

/// Returns the error text for a name that is not in `known`.
pub(crate) fn not_known(what: &str, name: &str, known: &[&str]) -> String {
    let hint = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there is none; add it, or remove the name".into(),
        None => format!("there are: {}", known.join(", ")),
    };
    format!("there is no {what} `{name}`; {hint}")
}

fn says_more(address: &str) -> bool {
    let authority = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = authority.split('/').next().unwrap_or_default();
    address.contains(['?', '#']) || authority.contains('@')
}

/// Returns whether a program can be started: a path that exists, or a name on `PATH`.
fn is_found(program: &str) -> bool {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return path.is_file();
    }
    let dirs = std::env::var_os("PATH").unwrap_or_default();
    let endings: &[&str] = if cfg!(windows) {
        &["", ".exe", ".cmd", ".bat"]
    } else {
        &[""]
    };
    std::env::split_paths(&dirs).any(|dir| {
        endings
            .iter()
            .any(|ending| dir.join(format!("{program}{ending}")).is_file())
    })
}
