//! The known state of a shell while it runs: its variables and its directory.

use std::collections::BTreeMap;

use crate::Command;

/// The most directories in which a command may run; with more, the directory is not known.
const MOST_DIRS: usize = 4;

/// The known state of a shell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    /// The variables that the script assigns; `None` if the value is not known.
    variables: BTreeMap<String, Option<String>>,
    /// The directories in which it may be, relative to the first, which is empty; `None` if not known.
    pub(crate) dirs: Vec<Option<String>>,
    /// Whether it ends when a command fails, as after `set -e`.
    pub(crate) ends_on_failure: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            variables: BTreeMap::new(),
            dirs: vec![Some(String::new())],
            ends_on_failure: false,
        }
    }
}

impl State {
    /// Returns the value of a variable: `None` if the script does not assign it, `Some(None)` if it is not known.
    pub(crate) fn get(&self, name: &str) -> Option<Option<&str>> {
        self.variables.get(name).map(Option::as_deref)
    }

    /// Assigns a variable.
    pub(crate) fn set(&mut self, name: &str, value: Option<String>) {
        self.variables.insert(name.to_owned(), value);
    }

    /// Returns the entry of a variable, to be restored.
    pub(crate) fn entry(&self, name: &str) -> Option<Option<String>> {
        self.variables.get(name).cloned()
    }

    /// Restores the entry of a variable.
    pub(crate) fn restore(&mut self, name: &str, entry: Option<Option<String>>) {
        match entry {
            Some(value) => self.variables.insert(name.to_owned(), value),
            None => self.variables.remove(name),
        };
    }

    /// Forgets the values of all variables that the script assigns.
    pub(crate) fn forget_values(&mut self) {
        self.variables.values_mut().for_each(|value| *value = None);
    }

    /// Merges another state into this one: the shell may be in either.
    pub(crate) fn join(&mut self, other: &Self) {
        let names = self.variables.keys().chain(other.variables.keys());
        let names: Vec<String> = names.cloned().collect();
        for name in names {
            if self.variables.get(&name) != other.variables.get(&name) {
                self.variables.insert(name, None);
            }
        }
        for dir in &other.dirs {
            if !self.dirs.contains(dir) {
                self.dirs.push(dir.clone());
            }
        }
        if self.dirs.len() > MOST_DIRS {
            self.dirs = vec![None];
        }
        self.ends_on_failure &= other.ends_on_failure;
    }

    /// Follows a `cd`, `pushd` or `popd` that succeeds.
    pub(crate) fn enter(&mut self, command: &Command) {
        let target = command.operands().next();
        let target = match target {
            _ if command.name() == "popd" => None,
            None => Some("~"),
            Some(word) if !word.is_known || word.text == "-" || word.text.starts_with('+') => None,
            Some(word) => Some(word.text.as_str()),
        };
        for dir in &mut self.dirs {
            *dir = match target {
                Some(target) if target.starts_with(['/', '~']) => Some(target.to_owned()),
                Some(target) => dir.take().map(|dir| match dir.as_str() {
                    "" => target.to_owned(),
                    dir => format!("{dir}/{target}"),
                }),
                None => None,
            };
        }
        self.dirs.dedup();
    }

    /// Follows a `set`.
    pub(crate) fn configure(&mut self, command: &Command) {
        let texts = || command.arguments().iter().map(|word| word.text.as_str());
        let has = |sign: char| {
            let clusters = texts().filter(|text| text.starts_with(sign) && !text.starts_with("--"));
            clusters.into_iter().any(|text| text.contains('e'))
                || texts()
                    .zip(texts().skip(1))
                    .any(|(option, name)| option == format!("{sign}o") && name == "errexit")
        };
        self.ends_on_failure = (self.ends_on_failure || has('-')) && !has('+');
    }
}
