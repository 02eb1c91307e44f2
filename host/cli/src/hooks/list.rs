//! `portcullis hooks list`

use std::process::ExitCode;

use clap::Args;
use portcullis::hooks::Mode;
use portcullis::report::{HookReport, HookSummary, Sort};
use portcullis::state::SharedQuarantine;
use serde::Serialize;

use super::described::Described;
use super::trust::files;
use super::{CacheArgs, HooksDir, Problem, capped, load, quarantine, words};
use crate::store::Where;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::table::{Cell, Table};
use crate::terminal::{Out, Printable};
use crate::terminal::{json, units};

/// List the hooks of a directory.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis hooks list --hooks ./hooks --json")]
pub struct ListArgs {
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    store: Where,
    /// Leave out hooks that do not load, and name them, instead of failing.
    #[arg(long)]
    skip_broken: bool,
    /// Print JSON: a list of reports, as `inspect --json` prints them. A hook in quarantine has
    /// `quarantine`.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &ListArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    let settings = files::settings(dir)?;
    let hooks = load(dir, Some(&settings), &args.cache, args.skip_broken)?;
    let reports = hooks.reports();
    let quarantines = match args.store.open_if_there() {
        Ok(Some(store)) => quarantine::of(&store, dir, &hooks),
        Ok(None) => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let quarantines = match quarantines {
        Ok(quarantines) => quarantines,
        Err(error) => {
            let why = Printable::line(format!("{error:#}"));
            print_line!(
                Out::stderr(),
                "{NOTE}note{NOTE:#} which hooks are in quarantine is not known: {}",
                why
            )?;
            Vec::new()
        }
    };
    let others: Vec<HookSummary> = hooks
        .summaries()
        .into_iter()
        .filter(|summary| summary.sort != Sort::Component)
        .collect();
    if args.json {
        let described = reports.iter().map(|report| Listed::Component {
            described: Box::new(Described::from(report)),
            quarantine: of_hook(&quarantines, report).map(Into::into),
        });
        let all: Vec<Listed<'_>> = described.chain(others.iter().map(Listed::Other)).collect();
        json::document(&all)?;
    } else {
        let mut out = Out::stdout();
        print_line!(
            out,
            "{BOLD}{}{BOLD:#} {DIM}in {}{DIM:#}\n",
            units::plural(reports.len() + others.len(), "hook"),
            dir.display()
        )?;
        if !reports.is_empty() {
            print_line!(out, "{}", listed(&reports, &quarantines))?;
        }
        if !others.is_empty() {
            print_line!(
                out,
                "\n{NOTE}scripts run outside the sandbox, with all of your permissions:{NOTE:#}\n{}",
                listed_others(&others)
            )?;
        }
    }
    if reports.is_empty() && others.is_empty() {
        Problem::empty(dir).write(&mut Out::stderr())?;
    }
    for report in &reports {
        if let Some(note) = capped::note(report) {
            print_line!(Out::stderr(), "{NOTE}note{NOTE:#} {} {}", report.id, note)?;
        }
        if let Some(risk) = report.exfiltration_risk() {
            let risk = Printable::line(risk.to_string());
            print_line!(Out::stderr(), "{NOTE}note{NOTE:#} {} {}", report.id, risk)?;
        }
    }
    for unpinned in hooks.unpinned() {
        let mut out = Out::stderr();
        print_line!(
            out,
            "\n{NOTE}loaded, although it differs from hooks.lock:{NOTE:#}"
        )?;
        Problem::from(&unpinned).write(&mut out)?;
    }
    for broken in hooks.broken() {
        let mut out = Out::stderr();
        print_line!(out, "\n{NOTE}left out, because it does not load:{NOTE:#}")?;
        Problem::from(&broken).write(&mut out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A component or another hook, for machines.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed<'a> {
    Component {
        #[serde(flatten)]
        described: Box<Described<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        quarantine: Option<quarantine::Shown<'a>>,
    },
    Other(&'a HookSummary),
}

fn of_hook<'a>(
    quarantines: &'a [SharedQuarantine],
    report: &HookReport,
) -> Option<&'a SharedQuarantine> {
    quarantines.iter().find(|it| it.hook == report.id.as_str())
}

fn listed_others(others: &[HookSummary]) -> Printable {
    let mut table = Table::new(&["script", "points", "role", "fails", "prio", "runs"]);
    for other in others {
        let points: Vec<&str> = other.points.iter().map(|point| point.name()).collect();
        table.row([
            Cell::new(&other.id).bold(),
            Cell::new(Printable::join(points, "\n")),
            Cell::new(words::role(other.role)),
            Cell::new(words::failure(other.failure)),
            Cell::right(other.priority),
            Cell::new(words::runs(other.enabled, other.mode, other.share)),
        ]);
    }
    table.shown()
}

fn listed(reports: &[HookReport], quarantines: &[SharedQuarantine]) -> Printable {
    let mut table = Table::new(&[
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
            many if many.len() > 4 => printable!("{} points", many.len()),
            few => Printable::join(few.iter().copied(), "\n"),
        };
        let quarantine = of_hook(quarantines, report).filter(|_| report.enabled);
        let runs = Cell::new(match quarantine {
            Some(quarantine) => printable!("in quarantine {}", quarantine::until(quarantine)),
            None => words::runs(report.enabled, report.mode, report.share),
        });
        let is_armed = report.enabled && report.mode == Mode::Enforce && report.share.is_none();
        table.row([
            Cell::new(&report.id).bold(),
            Cell::new(points),
            Cell::new(words::role(report.role)),
            Cell::new(words::failure(report.failure)),
            Cell::right(report.priority),
            Cell::new(Printable::join(report.uses(), "\n")),
            match is_armed && quarantine.is_none() {
                true => runs,
                false => runs.note(),
            },
        ]);
    }
    table.fit(&[0, 1]);
    table.shown()
}
