//! The table, for the terminal and for the page.

use std::fmt::Write;

use super::{Report, human, times};

/// Returns the table for the terminal.
pub fn text(report: &Report) -> String {
    let mut text = format!(
        "{:<42} {:>9} {:>9} {:>10}   limits\n",
        "the same guard as", "continues", "refuses", "ratio"
    );
    for row in &report.rows {
        let _ = writeln!(
            text,
            "{:<42} {:>9} {:>9} {:>10}   {}",
            row.name,
            human(row.allowed.median_ns),
            human(row.refused.median_ns),
            times(row.ratio),
            row.limits
        );
    }
    text.push('\n');
    for bar in &report.bars {
        let _ = writeln!(
            text,
            "{} {}: {}",
            if bar.kept { "kept  " } else { "MISSED" },
            bar.what,
            times(bar.ratio)
        );
    }
    text
}

/// Returns the table for the page.
pub fn markdown(report: &Report) -> String {
    let mut text = String::from(
        "| the same guard as | continues | refuses | × the hook in Rust | limits armed | how the call is passed |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in &report.rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            row.name,
            human(row.allowed.median_ns),
            human(row.refused.median_ns),
            times(row.ratio),
            row.limits,
            row.passing
        );
    }
    let _ = writeln!(
        text,
        "\nMedians of {} rounds on {} cores ({}, {}). The versions: {}.\n",
        report.rounds,
        report.machine.cores,
        report.machine.os,
        report.machine.architecture,
        report
            .versions
            .iter()
            .map(|(name, version)| format!("{name} {version}"))
            .collect::<Vec<_>>()
            .join(", ")
    );
    text.push_str("| promised | measured |\n| --- | --- |\n");
    for bar in &report.bars {
        let missed = if bar.kept { "" } else { " (missed)" };
        let _ = writeln!(text, "| {} | {}{missed} |", bar.what, times(bar.ratio));
    }
    text
}
