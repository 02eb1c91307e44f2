//! The list of mutations: one TOML table each, in the files of one directory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::promises::Promise;
use crate::{Error, Result};

/// The directory of the list.
pub const DIR: &str = "tests/mutations";

/// The placeholder in a replacement for the condition that the mutation is active.
pub const MUTATED: &str = "MUTATED";

/// An edit of the source, and the test that must fail with it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutation {
    /// The name of the mutation's table.
    #[serde(skip)]
    pub name: String,
    /// The beginning of the promise in SECURITY.md that the mutation breaks.
    pub promise: String,
    /// The edited file, from the root of the workspace.
    pub file: String,
    /// The text to replace, which the file contains once.
    pub find: String,
    /// The replacement. Its behaviour differs where the expression [`MUTATED`] is true.
    pub replace: String,
    /// The test that must fail: a test that SECURITY.md names for the promise.
    pub test: String,
    /// The package of the test.
    #[serde(default = "tests")]
    pub package: String,
    /// The features of the package that the test needs.
    #[serde(default)]
    pub features: Vec<String>,
    /// The test program of that package. `lib` has the unit tests.
    #[serde(default = "attack")]
    pub program: String,
}

fn tests() -> String {
    "portcullis-tests".to_owned()
}

fn attack() -> String {
    "attack".to_owned()
}

impl Mutation {
    /// Returns whether the mutation breaks this promise.
    pub fn breaks(&self, promise: &Promise) -> bool {
        promise.text.starts_with(&self.promise)
    }

    /// Returns the file's text with the edit.
    ///
    /// # Errors
    ///
    /// The text to replace does not occur exactly once, or the replacement is always active.
    pub fn apply(&self, text: &str) -> Result<String> {
        let wrong = |what: &str| {
            let (name, file) = (&self.name, &self.file);
            Error::new(format!("the mutation `{name}` of {file}: {what}"))
        };
        if !self.replace.contains(MUTATED) {
            return Err(wrong("`replace` has no `MUTATED`"));
        }
        match text.matches(&self.find).count() {
            0 => return Err(wrong("`find` is not in the file")),
            1 => {}
            _ => return Err(wrong("`find` is in the file more than once")),
        }
        let replacement = self.replace.replace(MUTATED, &self.condition());
        Ok(text.replace(&self.find, &replacement))
    }

    /// Returns an expression that is true while the mutation is active. The lookup is made once,
    /// since some mutations are in every call.
    fn condition(&self) -> String {
        let (variable, name) = (super::ACTIVE, &self.name);
        format!(
            "bool::from({{ static ON: std::sync::OnceLock<bool> = std::sync::OnceLock::new(); \
             *ON.get_or_init(|| std::env::var_os({variable:?}).is_some_and(|on| on == {name:?})) }})"
        )
    }
}

/// Reads the list, in the order of the names.
///
/// # Errors
///
/// A file cannot be read, or two tables have the same name.
pub fn read(root: &Path) -> Result<Vec<Mutation>> {
    let dir = root.join(DIR);
    let unreadable = |e: &_| Error::file("read", &dir, e);
    let mut mutations: BTreeMap<String, Mutation> = BTreeMap::new();
    for entry in fs::read_dir(&dir).map_err(|e| unreadable(&e))? {
        let path = entry.map_err(|e| unreadable(&e))?.path();
        let text = fs::read_to_string(&path).map_err(|e| Error::file("read", &path, &e))?;
        let tables: BTreeMap<String, Mutation> =
            toml::from_str(&text).map_err(|e| Error::new(format!("{}: {e}", path.display())))?;
        for (name, mutation) in tables {
            let named = Mutation {
                name: name.clone(),
                ..mutation
            };
            if mutations.insert(name.clone(), named).is_some() {
                return Err(Error::new(format!("two mutations have the name `{name}`")));
            }
        }
    }
    Ok(mutations.into_values().collect())
}
