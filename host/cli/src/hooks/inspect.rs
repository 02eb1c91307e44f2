//! `portcullis hooks inspect FILE|ID|DIR`

mod subject;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use portcullis::LoadOptions;
use portcullis::capabilities::CallMode;
use portcullis::contract::{ExecutionPolicy, FailurePolicy, HookRole};
use portcullis::hooks::{Pin, inspect};
use portcullis::limits::Limits;
use portcullis::report::{HookReport, SharedReport};
use portcullis::settings::{Isolation, WriteRun, WriteState};
use serde::Serialize;

use super::described::Described;
use super::trust::files;
use super::{CacheArgs, HooksDir, above_role, capped, configuration, cost, unused, words};
use crate::subject::{is_no_directory, settings_dir};
use crate::terminal::format::{print_line, printable};
use crate::terminal::progress::LoadBar;
use crate::terminal::style::{BOLD, DIM, GOOD, NOTE, paint};
use crate::terminal::{Out, Printable};
use crate::terminal::{json, text, units, width};
use subject::{Named, component};

/// The arguments of `portcullis hooks inspect`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis hooks inspect hooks/path-jail.wasm --json\n  \
    portcullis hooks inspect path-jail --hooks ./hooks\n  portcullis hooks inspect"
)]
pub struct InspectArgs {
    /// The hook: a component, the id of a hook in --hooks, or a hook's project, which is built first [default: the project
    /// here].
    #[arg(value_name = "FILE|ID|DIR")]
    what: Option<PathBuf>,
    #[command(flatten)]
    dir: HooksDir,
    /// The directory whose hooks.toml has the hook's settings [default: the project that it is
    /// built from, else the component's own].
    #[arg(long, value_name = "DIR")]
    settings: Option<PathBuf>,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A report, with the settings for the hook.
#[derive(Debug, Serialize)]
struct Inspected<'a> {
    #[serde(flatten)]
    described: Described<'a>,
    /// The settings that it is checked against; `null` if there are none.
    settings: Option<&'a Path>,
    /// Its table there, as it is written; `null` if it has none.
    table: Option<&'a toml::Table>,
}

pub(super) fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let file = component(args.what.as_deref(), &args.dir.hooks, &args.cache)?;
    is_no_directory(&file)?;
    let dir = args.settings.clone();
    let dir = dir.unwrap_or_else(|| settings_dir(&file));
    let settings = files::settings(&dir)?;
    let bar = LoadBar::hidden();
    let report = inspect(
        &file,
        &settings,
        &LoadOptions {
            skip_broken: false,
            // The hook loads as for an agent with a journal.
            records_runs: true,
            cache: args.cache.choice(),
            compiler: crate::compiler::child(),
            progress: &|progress| bar.update(progress),
            ..LoadOptions::default()
        },
    )?;
    drop(bar);
    let named = Named::of(&dir, &report)?;
    if args.json {
        json::document(&Inspected {
            described: Described::from(&report),
            settings: named.file.as_deref(),
            table: named.table.as_ref(),
        })?;
    } else {
        write(&mut Out::stdout(), &report, &named, &dir)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(out: &mut Out, report: &HookReport, named: &Named, dir: &Path) -> io::Result<()> {
    print_line!(
        out,
        "{BOLD}{}{BOLD:#} {} {DIM}{}{DIM:#}",
        report.id,
        report.version,
        report.kind
    )?;
    for line in text::wrap(&Printable::line(&report.description), width()) {
        print_line!(out, "{}", line)?;
    }
    write_descriptor(out, report, named)?;
    if let Some(table) = &named.table {
        configuration::write_table(out, "In hooks.toml", report, table)?;
    }
    write_points(out, report)?;
    write_warnings(out, &Vec::from_iter(above_role::note(report)))?;
    configuration::write(out, report)?;
    write_can(out, report)?;
    write_imports(out, report)?;
    let unused = unused::notes(report, dir).into_iter();
    let unused: Vec<String> = unused.map(|note| format!("{} {note}", report.id)).collect();
    if !unused.is_empty() {
        heading(out, "Grants")?;
        write_warnings(out, &unused)?;
    }
    write_limits(out, &report.limits, report.needs("http"))?;
    write_shared(out, &report.shared)
}

/// Writes the hook's powers and limits.
pub(crate) fn write_powers(out: &mut Out, report: &HookReport) -> io::Result<()> {
    print_line!(
        out,
        "{BOLD}{}{BOLD:#} {} {DIM}{}{DIM:#}",
        report.id,
        report.version,
        report.description
    )?;
    print_line!(out)?;
    write_about(out, report)?;
    row(out, "role", role(report.role))?;
    row(out, "if it fails", failure(report.failure))?;
    if !report.contributes.is_empty() {
        row(out, "contributes", report.contributes.join(", "))?;
    }
    write_points(out, report)?;
    configuration::write(out, report)?;
    write_can(out, report)?;
    write_limits(out, &report.limits, report.needs("http"))
}

pub(crate) fn heading(out: &mut Out, title: &str) -> io::Result<()> {
    print_line!(out, "\n{BOLD}{}{BOLD:#}", title)
}

pub(crate) fn row(out: &mut Out, name: &str, value: impl Into<Printable>) -> io::Result<()> {
    const NAMES: usize = 22;
    let room = width().saturating_sub(NAMES + 2);
    for (index, line) in text::wrap(&value.into(), room).iter().enumerate() {
        let name = if index == 0 { name } else { "" };
        print_line!(out, "  {}{}", paint(DIM, text::pad(name, NAMES)), line)?;
    }
    Ok(())
}

fn write_descriptor(out: &mut Out, report: &HookReport, named: &Named) -> io::Result<()> {
    let digest = report.digest.to_string();
    let file = printable!(
        "{} ({}, sha256 {}…)",
        report.file.display(),
        units::bytes(report.bytes),
        units::digest(&digest)
    );
    print_line!(out)?;
    row(out, "file", Printable::line(&file))?;
    row(
        out,
        "built for",
        &printable!("version {} of the contract", report.contract),
    )?;
    write_about(out, report)?;
    row(out, "settings", named.shown())?;
    row(out, "pinned", pinned(report.pin))?;
    row(out, "named", is_named(report))?;
    row(out, "runs", runs(report))?;
    row(
        out,
        "priority",
        &printable!("{} (low runs first)", report.priority),
    )?;
    if !report.after.is_empty() {
        row(out, "after", report.after.join(", "))?;
    }
    let granted = match report.not_granted.is_empty() {
        true => "",
        false => ", once it is granted what it imports",
    };
    row(out, "role", printable!("{}{}", role(report.role), granted))?;
    row(out, "if it fails", failure(report.failure))?;
    row(out, "agent waits", execution(report.execution))?;
    if !report.contributes.is_empty() {
        row(out, "contributes", report.contributes.join(", "))?;
    }
    row(out, "instances", isolation(report.isolation))?;
    row(out, "its state", write_state(report.write_state))?;
    row(out, "its runs", write_run(report.write_run))?;
    row(out, "calls", calling(report.calling))
}

/// Writes its author's description.
fn write_about(out: &mut Out, report: &HookReport) -> io::Result<()> {
    let about = &report.about;
    for (name, text) in [
        ("licence", &about.license),
        ("homepage", &about.homepage),
        ("source", &about.source),
        ("authors", &about.authors),
        ("revision", &about.revision),
    ] {
        if let Some(text) = text {
            row(out, name, Printable::line(text))?;
        }
    }
    write_warnings(out, &about.left_out)
}

/// Returns the section that says why the hook does not load; `None` if it loads.
fn does_not_load(report: &HookReport) -> Option<&'static str> {
    match (
        report.not_granted.is_empty(),
        report.config_errors.is_empty(),
    ) {
        (false, _) => Some("Not granted"),
        (true, false) => Some("Configuration"),
        (true, true) => None,
    }
}

fn runs(report: &HookReport) -> Printable {
    match does_not_load(report).filter(|_| report.enabled) {
        Some(place) => printable!("no: it does not load (see \"{}\")", place),
        None => words::runs(report.enabled, report.mode, report.share),
    }
}

fn is_named(report: &HookReport) -> Printable {
    match (&report.to_name, capped::note(report)) {
        (None, _) => "yes".into(),
        (Some(_), Some(note)) => note,
        (Some(to_name), None) => printable!(
            "no, and [unnamed] in hooks.toml trusts it; {}",
            Printable::line(to_name)
        ),
    }
}

fn pinned(pin: Pin) -> &'static str {
    match pin {
        Pin::NoLock => "no: its directory has no hooks.lock",
        Pin::Pinned => "yes: hooks.lock pins this file",
        Pin::Differs => {
            "NO: it differs from the file that hooks.lock pins; it is refused unless hooks.toml says otherwise"
        }
    }
}

fn role(role: HookRole) -> &'static str {
    match role {
        HookRole::Gate => "gate: it continues or refuses, and changes nothing",
        HookRole::Transform => "transform: it may give every answer that it imports",
        HookRole::Observe => {
            "observe: it always runs, sees the final value and the verdict, and changes nothing"
        }
    }
}

fn failure(failure: FailurePolicy) -> &'static str {
    match failure {
        FailurePolicy::FailOpen => "fail-open: the operation continues without it",
        FailurePolicy::FailClosed => {
            "fail-closed: the operation is refused, with the hook and the cause"
        }
    }
}

fn execution(execution: ExecutionPolicy) -> &'static str {
    match execution {
        ExecutionPolicy::Blocking => "until it answers",
        ExecutionPolicy::Deadline => "until it answers or its deadline passes",
        ExecutionPolicy::FireAndRecord => "not at all; the run is recorded",
        ExecutionPolicy::Background => "not at all; the run may outlive the turn",
    }
}

fn isolation(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::Session => "one for each session, discarded after a failure",
        Isolation::Shared => {
            "a few for all sessions; what the hook keeps of one session, it can use in another"
        }
        Isolation::Call => "one for each call; it keeps nothing",
    }
}

fn write_state(when: WriteState) -> &'static str {
    match when {
        WriteState::AfterAnswer => "written to the store after the answer",
        WriteState::BeforeAnswer => "in the store before the answer counts",
        WriteState::Never => "in memory, gone with the process",
    }
}

fn write_run(when: WriteRun) -> &'static str {
    match when {
        WriteRun::AfterAnswer => "in the journal after the answer",
        WriteRun::BeforeAnswer => "begun in the journal before the answer counts",
    }
}

fn calling(calling: CallMode) -> &'static str {
    match calling {
        CallMode::Sync => "synchronous: none of its imports can wait",
        CallMode::Async => "asynchronous: one of its imports can wait",
    }
}

fn write_points(out: &mut Out, report: &HookReport) -> io::Result<()> {
    heading(out, "Serves")?;
    for point in &report.points {
        row(
            out,
            point.name(),
            words::may_answer(report, *point).join(", "),
        )?;
    }
    Ok(())
}

fn write_can(out: &mut Out, report: &HookReport) -> io::Result<()> {
    heading(out, "Can")?;
    let can = report.reach();
    for (what, list) in [
        ("see", &can.see),
        ("change", &can.change),
        ("reach", &can.reach),
        ("cost", &cost::cost(report)),
    ] {
        match list.as_slice() {
            [] => row(out, what, "nothing")?,
            list => {
                for (index, line) in list.iter().enumerate() {
                    row(
                        out,
                        if index == 0 { what } else { "" },
                        Printable::line(line),
                    )?;
                }
            }
        }
    }
    if let Some(risk) = report.exfiltration_risk() {
        print_line!(
            out,
            "  {NOTE}!{NOTE:#} {}",
            Printable::line(risk.to_string())
        )?;
    }
    print_line!(
        out,
        "  {DIM}No hook can reach other files, other servers, processes or other hooks.{DIM:#}"
    )
}

fn write_imports(out: &mut Out, report: &HookReport) -> io::Result<()> {
    heading(out, "Imports")?;
    if report.imports.is_empty() {
        print_line!(out, "  {DIM}nothing{DIM:#}")?;
    }
    for import in report.imports.iter().filter(|i| !i.inert) {
        let (mark, note) = match report.not_granted_imports.contains(&import.name) {
            true => (paint(NOTE, "!"), paint(NOTE, "not granted")),
            false => (paint(GOOD, "✓"), paint(DIM, "granted")),
        };
        print_line!(out, "  {} {} {}", mark, text::pad(&import.name, 42), note)?;
    }
    let inert_names: Vec<&str> = report
        .imports
        .iter()
        .filter(|i| i.inert)
        .map(|i| i.name.as_str())
        .collect();
    if !inert_names.is_empty() {
        for line in text::wrap(
            &printable!("inert: {}", inert_names.join(", ")),
            width().saturating_sub(4),
        ) {
            print_line!(out, "  {DIM}{}{DIM:#}", line)?;
        }
    }
    if !report.not_granted.is_empty() {
        heading(out, "Not granted")?;
        write_warnings(out, &report.not_granted)?;
    }
    Ok(())
}

/// Writes an operator's warnings, each with a mark.
pub(crate) fn write_warnings(out: &mut Out, warnings: &[String]) -> io::Result<()> {
    for warning in warnings {
        for (index, line) in text::wrap(&Printable::line(warning), width().saturating_sub(6))
            .iter()
            .enumerate()
        {
            let mark = if index == 0 { "!" } else { " " };
            print_line!(out, "  {NOTE}{}{NOTE:#} {}", mark, line)?;
        }
    }
    Ok(())
}

fn write_shared(out: &mut Out, shared: &SharedReport) -> io::Result<()> {
    heading(out, "All hooks together")?;
    row(
        out,
        "a turn",
        &printable!(
            "{} ms and {} units of fuel",
            cost::millis(shared.turn_hooks_ms),
            units::count(shared.turn_fuel)
        ),
    )?;
    row(
        out,
        "at once",
        &printable!(
            "{} calls, {} waiting, {} of memory, {} memory mappings",
            units::count(shared.concurrent_calls as u64),
            units::count(shared.queued_calls as u64),
            units::bytes(shared.engine_memory_bytes),
            units::count(shared.engine_memory_mappings)
        ),
    )?;
    row(
        out,
        "compiling",
        &printable!(
            "{} ms and {} of memory a component, which has at most {}",
            cost::millis(shared.compile_ms),
            units::bytes(shared.compile_memory_bytes),
            units::bytes(shared.component_bytes)
        ),
    )?;
    row(
        out,
        "quarantine",
        &printable!(
            "{} s after {} failures in a row",
            units::count(shared.quarantine_seconds),
            units::count(shared.quarantine_failures.into())
        ),
    )
}

fn write_limits(out: &mut Out, limits: &Limits, http: bool) -> io::Result<()> {
    heading(out, "Limits")?;
    for limit in limits.all() {
        if limit.key.starts_with("http-") && !http {
            continue;
        }
        let value = match limit.value {
            None => "none".into(),
            Some(bytes) if limit.key.ends_with("-bytes") => units::bytes(bytes),
            Some(number) => units::count(number),
        };
        row(
            out,
            limit.key,
            printable!("{} {}", text::pad(value, 11), paint(DIM, limit.description)),
        )?;
    }
    Ok(())
}
