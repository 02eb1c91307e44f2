//! The reasons that a case cannot run.

use std::collections::BTreeMap;
use std::fmt::Display;

use portcullis::hooks::{LoadError, LoadFault};

use crate::case::{Case, CaseError};

/// The reasons that a case cannot run.
pub(super) struct CannotRun {
    /// The faults of the case.
    pub(super) of_case: Vec<String>,
    /// The faults of the hook or its settings.
    pub(super) of_hook: Vec<String>,
}

impl CannotRun {
    pub(super) fn of_case(error: &dyn Display) -> Self {
        Self {
            of_case: vec![error.to_string()],
            of_hook: Vec::new(),
        }
    }

    pub(super) fn of_hook(error: &dyn Display) -> Self {
        Self {
            of_case: Vec::new(),
            of_hook: vec![error.to_string()],
        }
    }

    /// Returns the errors of loading the hook: those of the case's own tables, and the others.
    pub(super) fn of_load(case: &Case, errors: &[LoadError]) -> Self {
        let (mut of_case, mut of_hook) = (Vec::new(), Vec::new());
        for error in errors {
            match of_table(case, &error.fault) {
                Some(error) => of_case.push(error.to_string()),
                None => of_hook.push(error.to_string()),
            }
        }
        Self { of_case, of_hook }
    }
}

/// Returns the error of a table of the case, which replaces the table of `hooks.toml`.
fn of_table(case: &Case, fault: &LoadFault) -> Option<CaseError> {
    let source = &case.source;
    match fault {
        LoadFault::Settings(error) => {
            // Without `hooks.ID`.
            let keys = error.keys.get(2..)?.iter();
            let keys: Vec<&str> = keys.map(String::as_str).collect();
            source.item(keys.first()?)?;
            Some(source.error(&keys, error.unnamed_problem().to_owned()))
        }
        LoadFault::NotConfigured { needs, .. } => {
            source.item("config")?;
            let problem = format!(
                "the hook requires {needs}, and this table is empty; write it here, or remove the table and let that of hooks.toml apply"
            );
            Some(source.error(&["config"], problem))
        }
        fault => {
            let (asks, grant) = fault.missing_grant()?;
            source.item("grants")?;
            let problem = format!(
                "the hook {asks}, which this table does not grant; write here: {}, or remove the table and let that of hooks.toml apply",
                grant.entry
            );
            Some(source.error(&["grants"], problem))
        }
    }
}

/// The reported errors of the hook, by the case that reported them first.
#[derive(Default)]
pub(super) struct Told(BTreeMap<Vec<String>, String>);

impl Told {
    /// Returns the errors, or the name of the case that reported the same errors.
    pub(super) fn once(&mut self, case: &str, errors: Vec<String>) -> Vec<String> {
        if errors.is_empty() {
            return errors;
        }
        match self.0.get(&errors) {
            Some(first) => vec![format!("it cannot run, as `{first}` cannot")],
            None => {
                self.0.insert(errors.clone(), case.to_owned());
                errors
            }
        }
    }
}
