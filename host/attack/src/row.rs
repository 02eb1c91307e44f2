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
    /// The attack's description.
    pub what: String,
    /// The expected result.
    pub expected: Expected,
    /// The actual result.
    pub got: String,
    /// The code of the cause, if something failed.
    pub cause: Option<String>,
    /// The duration of the call, or of loading, in microseconds.
    pub micros: u64,
    /// The maximum duration, in microseconds.
    pub most_micros: u64,
    /// The growth of the process meanwhile, in bytes; `None` if it cannot be measured.
    pub memory: Option<u64>,
    /// Whether everything is as expected.
    pub ok: bool,
    /// The differences from the expected result.
    pub faults: Vec<String>,
}
