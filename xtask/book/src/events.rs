//! The tables of the hook events of other agents.

use std::fmt::Write as _;

use portcullis_dialects::{Dialect, EventInfo};

use crate::Block;

/// Returns a table for each dialect.
pub fn blocks() -> Vec<Block> {
    let blocks = Dialect::ALL.into_iter().map(|dialect| {
        let name = format!("events-{}", dialect.name());
        Block::new(name, table(dialect))
    });
    blocks.collect()
}

fn table(dialect: Dialect) -> String {
    let mut table = String::from(
        "| event | points | a hook can | a hook cannot |\n| --- | --- | --- | --- |\n",
    );
    let (mapped, passed): (Vec<&EventInfo>, Vec<&EventInfo>) = dialect
        .events()
        .iter()
        .partition(|event| !event.points().is_empty());
    for event in mapped {
        let points = event.points().iter();
        let points = points.map(|point| format!("[`{point}`](../points/{point}.md)"));
        let points = points.collect::<Vec<_>>().join(", ");
        // Writing to a `String` does not fail.
        let _ = writeln!(
            table,
            "| `{}` | {points} | {} | {} |",
            event.name, event.does, event.cannot
        );
    }
    let passed: Vec<String> = passed
        .iter()
        .map(|event| format!("`{}`", event.name))
        .collect();
    let _ = write!(
        table,
        "\nEvents without a point, which pass: {}.",
        passed.join(", ")
    );
    table
}
