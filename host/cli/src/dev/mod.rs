//! `portcullis dev`: builds and runs the cases whenever a file changes.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use portcullis::threads;
use portcullis_workbench::TestReport;
use portcullis_workbench::dev::{Changed, Watch, changes};

use crate::failure;
use crate::subject::{Target, TargetArgs};
use crate::terminal::format::{print_line, printable};
use crate::terminal::signals::Signals;
use crate::terminal::style::{BOLD, CHANGED, DIM, ERROR, GOOD};
use crate::terminal::{Out, Printable};
use crate::terminal::{text, units};
use crate::test::{CaseArgs, write_case, write_sum};

/// Build and test again whenever a file changes.
///
/// The project, its cases and hooks.toml are watched. Each round shows the cases, the failures, and
/// the differences from the previous round. Ctrl-C ends the command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis dev\n  \
    portcullis dev --component hooks/word-filter.wasm --cases tests\n  \
    portcullis dev --case refuses --trace")]
pub struct DevArgs {
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    which: CaseArgs,
}

/// Watches until Ctrl-C.
pub fn run(args: &DevArgs) -> anyhow::Result<ExitCode> {
    let target = Arc::new(args.target.find()?);
    let which = args.which.clone();
    let runtime = crate::runtime::start()?;
    let ended = runtime.block_on(watch(target, which));
    // An interrupted build is not waited for.
    runtime.shutdown_background();
    ended
}

async fn watch(target: Arc<Target>, which: CaseArgs) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::default();
    let mut watch = Watch::new(&target.sources())?;
    let mut last = None;
    let mut changed = Vec::new();
    loop {
        let building = threads::blocking({
            let (target, which, last) = (target.clone(), which.clone(), last.take());
            move || round(&target, &which, &changed, last)
        });
        tokio::select! {
            done = building => last = done??,
            _ = signals.next() => break,
        }
        changed = tokio::select! {
            changed = watch.changed() => changed,
            _ = signals.next() => break,
        };
    }
    print_line!(Out::stderr(), "\n{DIM}no longer watching{DIM:#}")?;
    Ok(ExitCode::SUCCESS)
}

/// Builds and runs the cases once. Returns the report to compare the next one with: the previous one if
/// this round has none.
fn round(
    target: &Target,
    which: &CaseArgs,
    changed: &[PathBuf],
    last: Option<TestReport>,
) -> anyhow::Result<Option<TestReport>> {
    write_changed(changed)?;
    let began = Instant::now();
    let report = match tested(target, which) {
        Ok(report) => report,
        Err(error) => {
            failure::report(&error);
            write_waiting()?;
            return Ok(last);
        }
    };
    write_sum(&report)?;
    if let Some(last) = &last {
        write_changes(&changes(last, &report))?;
    }
    print_line!(
        Out::stdout(),
        "{DIM}built and tested in {}{DIM:#}",
        units::time(began.elapsed())
    )?;
    write_waiting()?;
    Ok(Some(report))
}

fn tested(target: &Target, which: &CaseArgs) -> anyhow::Result<TestReport> {
    let sample = target.build()?;
    let suite = which.suite(target.cases());
    Ok(suite.on_case(&|case| drop(write_case(case))).run(&sample)?)
}

fn write_changed(changed: &[PathBuf]) -> io::Result<()> {
    let Some(first) = changed.first() else {
        return Ok(());
    };
    let more = match changed.len() {
        1 => Printable::default(),
        n => printable!(" and {} more", n - 1),
    };
    let here = std::env::current_dir().unwrap_or_default();
    let shown = first.strip_prefix(&here).unwrap_or(first);
    let shown = Printable::line(shown.display().to_string());
    print_line!(Out::stdout(), "\n{BOLD}changed{BOLD:#} {}{}\n", shown, more)
}

fn write_changes(changes: &[Changed]) -> io::Result<()> {
    let mut out = Out::stdout();
    if changes.is_empty() {
        return print_line!(
            out,
            "\n{DIM}every case has the same result as before{DIM:#}"
        );
    }
    print_line!(out, "\n{BOLD}results that changed{BOLD:#}")?;
    let width = changes
        .iter()
        .map(|change| text::columns(&Printable::line(&change.case)))
        .max();
    for change in changes {
        let style = if change.passes { GOOD } else { ERROR };
        let case = text::pad(&change.case, width.unwrap_or_default());
        let before = change.before.as_deref().unwrap_or("new");
        let now = change.now.as_deref().unwrap_or("removed");
        print_line!(
            out,
            "  {CHANGED}{}{CHANGED:#}  {} → {}{}{:#}",
            case,
            before,
            style,
            now,
            style
        )?;
    }
    Ok(())
}

fn write_waiting() -> io::Result<()> {
    let mut out = Out::stdout();
    print_line!(out, "{DIM}waiting for a change; Ctrl-C ends{DIM:#}")?;
    out.flush()
}
