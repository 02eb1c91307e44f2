//! What became of an attack.

use serde::Serialize;

use crate::attack::Expected;

/// What became of an attack.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Row {
    /// The attack.
    pub name: String,
    /// What it is aimed at.
    pub category: String,
    /// What it does.
    pub what: String,
    /// What must become of it.
    pub expected: Expected,
    /// What became of it.
    pub got: String,
    /// The code of the cause, if something failed.
    pub cause: Option<String>,
    /// How long the call, or loading, took, in microseconds.
    pub micros: u64,
    /// How long it may take, in microseconds.
    pub most_micros: u64,
    /// How much the process grew meanwhile, in bytes, where that can be measured.
    pub memory: Option<u64>,
    /// Whether all is as it must be.
    pub ok: bool,
    /// What is not as it must be.
    pub faults: Vec<String>,
}
