//! Writes the figures into the pages.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::figures::{Figures, Half};
use super::measure::Measured;
use crate::{Error, Result};

const BEGIN: &str = "<!-- measured -->\n";
const END: &str = "<!-- measured end -->";
/// The number of characters of a line that a page shows.
const SHOWN: usize = 110;

/// Writes the figures into the pages of `docs/guards`: all figures into the first page, and those
/// of each measured guard into its own page.
pub(super) fn write(
    root: &Path,
    all: &BTreeMap<String, Figures>,
    measured: &BTreeMap<&str, Measured>,
) -> Result<()> {
    let dir = root.join("docs/guards");
    let mut table = String::from(
        "| guard | precision | recall | precision, held out | recall, held out | fuel | µs | kB |
| --- | --- | --- | --- | --- | --- | --- | --- |
",
    );
    for name in super::GUARDS {
        if let Some(figures) = all.get(*name) {
            let [dev, held] = [figures.dev, figures.held_out].map(|half| shares(half.as_ref()));
            let (fuel, kilobytes) = (thousands(figures.fuel), figures.bytes.div_ceil(1000));
            let _ = writeln!(
                table,
                "| [`{name}`]({name}.md) | {dev} | {held} | {fuel} | {} | {kilobytes} |",
                figures.micros
            );
        }
        if let Some(measured) = measured.get(name) {
            replace(&dir.join(format!("{name}.md")), &page(measured))?;
        }
    }
    replace(&dir.join("README.md"), &table)
}

fn shares(half: Option<&Half>) -> String {
    half.map_or_else(
        || "– | –".to_owned(),
        |half| format!("{} | {}", percent(half.precision()), percent(half.recall())),
    )
}

fn page(measured: &Measured) -> String {
    let Figures {
        bytes,
        case,
        fuel,
        micros,
        dev,
        held_out,
    } = &measured.figures;
    let mut page = String::new();
    if let (Some(dev), Some(held_out)) = (dev, held_out) {
        page.push_str("| labelled lines | to catch | caught | false alarms | precision | recall |\n| --- | --- | --- | --- | --- | --- |\n");
        for (name, half) in [("development", dev), ("held out", held_out)] {
            let _ = writeln!(
                page,
                "| {name}, {} | {} | {} | {} | {} | {} |",
                half.lines(),
                half.caught + half.missed,
                half.caught,
                half.false_alarms,
                percent(half.precision()),
                percent(half.recall())
            );
        }
        page.push('\n');
    }
    let _ = writeln!(
        page,
        "A warm call with the case that takes the most fuel in `portcullis test` (`{case}`) takes {} units of fuel and {micros} µs, each the median, on two shared virtual cores. The component has {} kB.",
        thousands(*fuel),
        bytes.div_ceil(1000)
    );
    if !measured.false_alarms.is_empty() {
        page.push_str("\nFalse alarms among the development lines:\n\n");
        for line in &measured.false_alarms {
            let _ = writeln!(page, "- {}", shown(line));
        }
    }
    page
}

/// Returns a line as code in a page.
fn shown(line: &str) -> String {
    let plain: String = line
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .take(SHOWN)
        .collect();
    let cut = if line.chars().count() > SHOWN {
        "…"
    } else {
        ""
    };
    format!("`` {}{cut} ``", plain.replace("``", "` `"))
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn replace(path: &Path, measured: &str) -> Result<()> {
    let old = fs::read_to_string(path).map_err(|cause| Error::file("read", path, &cause))?;
    let lacks = || {
        Error::new(format!(
            "{}: it has no `{}` and `{END}`",
            path.display(),
            BEGIN.trim_end()
        ))
    };
    let (before, rest) = old.split_once(BEGIN).ok_or_else(lacks)?;
    let (_, after) = rest.split_once(END).ok_or_else(lacks)?;
    let new = format!("{before}{BEGIN}\n{measured}\n{END}{after}");
    match new == old {
        true => Ok(()),
        false => fs::write(path, new).map_err(|cause| Error::file("write", path, &cause)),
    }
}
