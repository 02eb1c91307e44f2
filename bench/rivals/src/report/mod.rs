//! The results of a run.

mod bars;
mod page;
mod plot;
mod table;

use anyhow::Context;
use serde::Serialize;

pub use bars::Bar;
pub use page::write as write_page;
pub use plot::svg;
pub use table::{markdown, text};

use crate::rounds::{Lane, Times};

/// The contestant that the others are compared with.
const REFERENCE: &str = "portcullis-rust";

/// The results of a run.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The number of rounds.
    pub rounds: u32,
    /// The processor, and the number of its cores that the process may use.
    pub machine: Machine,
    /// The compared crates, and their versions.
    pub versions: Vec<(&'static str, String)>,
    /// The contestants, in the order of the table.
    pub rows: Vec<Row>,
    /// The promises.
    pub bars: Vec<Bar>,
}

/// The machine of a run.
#[derive(Debug, Serialize)]
pub struct Machine {
    pub os: &'static str,
    pub architecture: &'static str,
    pub cores: usize,
}

/// The results of a contestant.
#[derive(Debug, Serialize)]
pub struct Row {
    pub key: &'static str,
    pub name: &'static str,
    /// The times of the call that continues.
    pub allowed: Times,
    /// The times of the call that is refused.
    pub refused: Times,
    /// The time relative to the hook in Rust.
    pub ratio: f64,
    pub limits: &'static str,
    pub passing: &'static str,
}

impl Report {
    /// Collects the measurements of the lanes.
    pub fn new(
        rounds: u32,
        lanes: &[Lane],
        versions: Vec<(&'static str, String)>,
    ) -> anyhow::Result<Self> {
        let find = |key: &str| {
            let lane = lanes.iter().find(|lane| lane.entry.key == key);
            lane.with_context(|| format!("`{key}` did not take part"))
        };
        let reference = find(REFERENCE)?;
        let rows = lanes.iter().map(|lane| {
            Ok(Row {
                key: lane.entry.key,
                name: lane.entry.name,
                allowed: lane.allowed()?,
                refused: lane.refused()?,
                ratio: lane.ratio(reference)?,
                limits: lane.entry.limits,
                passing: lane.entry.passing,
            })
        });
        Ok(Self {
            rounds,
            machine: Machine {
                os: std::env::consts::OS,
                architecture: std::env::consts::ARCH,
                cores: std::thread::available_parallelism()?.get(),
            },
            versions,
            rows: rows.collect::<anyhow::Result<_>>()?,
            bars: bars::all(|this, that| find(this)?.ratio(find(that)?))?,
        })
    }
}

/// Formats a time for people: three digits, and a unit.
fn human(nanos: f64) -> String {
    let (value, unit) = match nanos {
        _ if nanos < 1e3 => (nanos, "ns"),
        _ if nanos < 1e6 => (nanos / 1e3, "µs"),
        _ => (nanos / 1e6, "ms"),
    };
    format!("{} {unit}", digits(value))
}

/// Formats a ratio for people.
fn times(ratio: f64) -> String {
    format!("{} ×", digits(ratio))
}

fn digits(value: f64) -> String {
    match value {
        _ if value < 10.0 => format!("{value:.2}"),
        _ if value < 100.0 => format!("{value:.1}"),
        _ => grouped(value.round() as u64),
    }
}

fn grouped(value: u64) -> String {
    match value / 1_000 {
        0 => value.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), value % 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::{human, times};

    #[test]
    fn times_have_three_digits() {
        assert_eq!(human(45.2), "45.2 ns");
        assert_eq!(human(4_512.0), "4.51 µs");
        assert_eq!(human(1_712_000.0), "1.71 ms");
        assert_eq!(times(3_512.4), "3,512 ×");
    }
}
