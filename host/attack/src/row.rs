//! The result of an attack.

use serde::Serialize;

use crate::attack::Expected;

/// The result of an attack.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    /// The attack.
    pub name: String,
    /// Its category.
    pub category: String,
    /// What it does.
    pub what: String,
    /// The expected result.
    pub expected: Expected,
    /// The actual result.
    pub got: String,
    /// The code of the cause, if something failed.
    pub cause: Option<String>,
    /// How long the call, or loading, took, in microseconds.
    pub micros: u64,
    /// How long it may take, in microseconds.
    pub most_micros: u64,
    /// How much the process grew meanwhile, in bytes; `None` if that cannot be measured.
    pub memory: Option<u64>,
    /// Whether everything is as expected.
    pub ok: bool,
    /// What is not as expected.
    pub faults: Vec<String>,
}
