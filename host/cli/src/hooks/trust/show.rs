//! The output of `trust`.

use serde::Serialize;

use super::plan::Plan;
use crate::hooks::described::Described;
use crate::hooks::inspect::{write_powers, write_warnings};
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD};
use crate::terminal::{Out, json as document, units};

/// The planned grants, as JSON.
#[derive(Serialize)]
struct Granted<'a> {
    #[serde(flatten)]
    described: Described<'a>,
    /// The lines that are new in `hooks.toml`.
    lines: Vec<&'a str>,
    /// Whether it was written.
    written: bool,
}

pub(crate) fn json(plan: &Plan, written: bool) -> anyhow::Result<()> {
    document::document(&Granted {
        described: Described::from(&plan.report),
        lines: plan.lines(),
        written,
    })
}

/// Prints the hook's powers, and the planned changes.
pub(crate) fn plan(plan: &Plan) -> anyhow::Result<()> {
    write_powers(&mut Out::stdout(), &plan.report)?;
    lines(plan)
}

/// Prints the planned changes.
pub(crate) fn lines(plan: &Plan) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    print_line!(out, "\n{BOLD}Writes{BOLD:#}")?;
    let lines = plan.lines();
    if !lines.is_empty() {
        print_line!(out, "  {DIM}to {}{DIM:#}", plan.settings_file().display())?;
    }
    for line in lines {
        print_line!(out, "    {}", line)?;
    }
    let digest = plan.report.digest.to_string();
    print_line!(
        out,
        "  {DIM}to {}{DIM:#}\n    sha256 {}… {DIM}of {}{DIM:#}",
        plan.lock_file().display(),
        units::digest(&digest),
        plan.report.file.display()
    )?;
    if let Some(count) = plan.pins_all() {
        print_line!(
            out,
            "    {DIM}The lock is new. It pins {}, and a file that is not in it does not load.{DIM:#}",
            units::plural(count, "file")
        )?;
    }
    Ok(print_line!(out)?)
}

pub(crate) fn written(plan: &Plan) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    print_line!(
        out,
        "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {DIM}named in {}, pinned in {}{DIM:#}",
        plan.id(),
        plan.settings_file().display(),
        plan.lock_file().display()
    )?;
    // It was agreed to, and does not load before it is configured.
    let errors = plan.report.config_errors.iter();
    let errors: Vec<String> = errors.map(ToString::to_string).collect();
    Ok(write_warnings(&mut out, &errors)?)
}

pub(crate) fn unchanged(plan: &Plan) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    Ok(print_line!(
        out,
        "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {DIM}was named in {} and pinned before; nothing was written{DIM:#}",
        plan.id(),
        plan.settings_file().display()
    )?)
}

pub(crate) fn refused() -> anyhow::Result<()> {
    Ok(print_line!(Out::stdout(), "Nothing was written.")?)
}
