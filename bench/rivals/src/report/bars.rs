//! What Portcullis promises of itself beside the others.

use serde::Serialize;

/// A promise, and whether this run keeps it.
#[derive(Debug, Serialize)]
pub struct Bar {
    /// The promise.
    pub what: &'static str,
    /// How many times as long the slower one takes.
    pub ratio: f64,
    /// The least that may be.
    pub least: f64,
    /// Whether it is.
    pub kept: bool,
}

/// The promise, the one that must be slower, the one that must be faster, and how many times.
const BARS: [(&str, &str, &str, f64); 5] = [
    (
        "a hook in Rust is 10 times as fast as an Extism plug-in in Rust with JSON",
        "extism",
        "portcullis-rust",
        10.0,
    ),
    (
        "a hook in Rust is no slower than Lua in process that is given all facts",
        "lua",
        "portcullis-rust",
        1.0,
    ),
    (
        "a hook in Rust is 3,000 times as fast as a spawned `sh` with JSON",
        "process-sh",
        "portcullis-rust",
        3_000.0,
    ),
    (
        "a hook in JavaScript is faster than an Extism plug-in in Rust with JSON",
        "extism",
        "portcullis-javascript",
        1.0,
    ),
    (
        "a hook in Python is faster than an Extism plug-in in Rust with JSON",
        "extism",
        "portcullis-python",
        1.0,
    ),
];

/// All of them, given how many times as long the first takes as the second.
pub fn all(ratio: impl Fn(&str, &str) -> anyhow::Result<f64>) -> anyhow::Result<Vec<Bar>> {
    let bars = BARS.iter().map(|(what, slower, faster, least)| {
        let ratio = ratio(slower, faster)?;
        Ok(Bar {
            what,
            ratio,
            least: *least,
            kept: ratio >= *least,
        })
    });
    bars.collect()
}
