//! `portcullis hooks list`

use std::io::Write as _;
use std::process::ExitCode;

use clap::Args;
use comfy_table::{Attribute, Cell, CellAlignment, Color, ColumnConstraint};
use portcullis::report::{Sort, StandingReport};
use portcullis::settings::Settings;
use portcullis::{HookReport, HooksError, LoadErrors};
use serde::Serialize;

use super::described::Described;
use super::{CacheArgs, HooksDir, Problem, load, words};
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::table::table;
use crate::terminal::{json, units};

/// List the hooks of a directory.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis hooks list --hooks ./hooks --json")]
pub struct ListArgs {
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    /// Leave out hooks that do not load, and name them, instead of failing.
    #[arg(long)]
    skip_broken: bool,
    /// Print JSON: a list of reports, as `inspect --json` gives them.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    let settings = Settings::of_dir(dir).map_err(|e| HooksError::Load(LoadErrors::from(e)))?;
    let hooks = load(dir, Some(&settings), &args.cache, args.skip_broken)?;
    let reports = hooks.reports();
    let others: Vec<StandingReport> = hooks
        .standings()
        .into_iter()
        .filter(|standing| standing.sort != Sort::Component)
        .collect();
    if args.json {
        let described = reports.iter().map(Described::from).map(Listed::Component);
        let all: Vec<Listed<'_>> = described.chain(others.iter().map(Listed::Other)).collect();
        json::document(&all)?;
    } else {
        let mut out = anstream::stdout().lock();
        writeln!(
            out,
            "{BOLD}{}{BOLD:#} {DIM}in {}{DIM:#}\n",
            units::plural(reports.len() + others.len(), "hook"),
            dir.display()
        )?;
        if !reports.is_empty() {
            writeln!(out, "{}", listed(&reports))?;
        }
        if !others.is_empty() {
            writeln!(
                out,
                "\n{NOTE}scripts run outside the sandbox, with all of your permissions:{NOTE:#}\n{}",
                listed_others(&others)
            )?;
        }
    }
    for report in &reports {
        if let Some(risk) = report.exfiltration_risk() {
            let risk = portcullis::sanitize_for_terminal(&risk.to_string());
            writeln!(
                anstream::stderr(),
                "{NOTE}note{NOTE:#} {} {risk}",
                report.id
            )?;
        }
    }
    for unpinned in hooks.unpinned() {
        let mut out = anstream::stderr().lock();
        writeln!(
            out,
            "\n{NOTE}loaded, although it differs from hooks.lock:{NOTE:#}"
        )?;
        Problem::from(&unpinned).write(&mut out)?;
    }
    for broken in hooks.broken() {
        let mut out = anstream::stderr().lock();
        writeln!(out, "\n{NOTE}left out, because it does not load:{NOTE:#}")?;
        Problem::from(&broken).write(&mut out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A hook of any sort, for machines.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed<'a> {
    Component(Described<'a>),
    Other(&'a StandingReport),
}

fn listed_others(others: &[StandingReport]) -> String {
    let mut table = table(&["script", "points", "role", "fails", "prio", "runs"]);
    for other in others {
        let points: Vec<&str> = other.points.iter().map(|point| point.name()).collect();
        table.add_row([
            Cell::new(&other.id).add_attribute(Attribute::Bold),
            Cell::new(points.join("\n")),
            Cell::new(words::role(other.role)),
            Cell::new(words::failure(other.failure)),
            Cell::new(other.priority).set_alignment(CellAlignment::Right),
            Cell::new(words::runs(other.enabled, other.mode)),
        ]);
    }
    table.trim_fmt()
}

fn listed(reports: &[HookReport]) -> String {
    let mut table = table(&[
        "hook",
        "points",
        "role",
        "fails",
        "prio",
        "sees and uses",
        "runs",
    ]);
    for report in reports {
        let points: Vec<&str> = report.points.iter().map(|point| point.name()).collect();
        let points = match points.as_slice() {
            // An observer of everything would take a dozen lines.
            many if many.len() > 4 => format!("{} points", many.len()),
            few => few.join("\n"),
        };
        let runs = Cell::new(words::runs(report.enabled, report.mode));
        table.add_row([
            Cell::new(&report.id).add_attribute(Attribute::Bold),
            Cell::new(points),
            Cell::new(words::role(report.role)),
            Cell::new(words::failure(report.failure)),
            Cell::new(report.priority).set_alignment(CellAlignment::Right),
            Cell::new(words::uses(report).join("\n")),
            match words::runs(report.enabled, report.mode) {
                "yes" => runs,
                _ => runs.fg(Color::Yellow),
            },
        ]);
    }
    for column in table.column_iter_mut().take(2) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt()
}
