//! The promises of Portcullis in comparison with the others.

use serde::Serialize;

/// A promise, and whether this run keeps it.
#[derive(Debug, Serialize)]
pub struct Bar {
    /// The promise.
    pub what: &'static str,
    /// The factor by which the slower one takes longer.
    pub ratio: f64,
    /// The least factor that keeps the promise.
    pub least: f64,
    /// Whether the promise is kept.
    pub kept: bool,
}

/// The promise, the key of the slower one, the key of the faster one, and the least factor.
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

/// Returns all promises. `ratio` returns the time of the first key divided by that of the second.
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
