//! `portcullis hooks inspect FILE`

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use portcullis::report::{Execution, Failure, Role, SharedReport};
use portcullis::settings::{Isolation, Settings};
use portcullis::{
    CallMode, HookReport, HooksError, Limits, LoadErrors, LoadOptions, Permission, Pin, inspect,
};

use super::described::Described;
use super::{CacheArgs, words};
use crate::terminal::progress::LoadBar;
use crate::terminal::style::{BOLD, DIM, GOOD, NOTE, paint};
use crate::terminal::{json, text, units, width};

/// Say what one hook serves, sees and may do, and what limits hold for it.
///
/// The file is held against the hooks.toml that stands beside it, if there is one. What it imports
/// and was not granted is named, not refused.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis hooks inspect hooks/path-jail.wasm --json")]
pub struct InspectArgs {
    /// The hook: a component file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let settings = settings(args)?;
    let bar = LoadBar::new();
    let report = inspect(
        &args.file,
        &settings,
        &LoadOptions {
            skip_broken: false,
            cache: args.cache.choice(),
            progress: &|progress| bar.update(progress),
            ..LoadOptions::default()
        },
    )?;
    drop(bar);
    if args.json {
        json::document(&Described::from(&report))?;
    } else {
        write(&mut anstream::stdout().lock(), &report)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn settings(args: &InspectArgs) -> Result<Settings, HooksError> {
    let dir = args.file.parent().unwrap_or(Path::new(""));
    Settings::of_dir(dir).map_err(|e| HooksError::Load(LoadErrors::from(e)))
}

fn write(out: &mut impl Write, report: &HookReport) -> io::Result<()> {
    writeln!(
        out,
        "{BOLD}{}{BOLD:#} {} {DIM}{}{DIM:#}",
        report.id, report.version, report.kind
    )?;
    for line in text::wrap(&report.description, width()) {
        writeln!(out, "{line}")?;
    }
    write_card(out, report)?;
    write_points(out, report)?;
    write_can(out, report)?;
    write_imports(out, report)?;
    write_limits(out, &report.limits, report.imports_http())?;
    write_shared(out, &report.shared)
}

fn heading(out: &mut impl Write, title: &str) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{title}{BOLD:#}")
}

fn row(out: &mut impl Write, name: &str, value: &str) -> io::Result<()> {
    const NAMES: usize = 22;
    let room = width().saturating_sub(NAMES + 2);
    for (index, line) in text::wrap(value, room).iter().enumerate() {
        let name = if index == 0 { name } else { "" };
        writeln!(out, "  {}{line}", paint(DIM, text::pad(name, NAMES)))?;
    }
    Ok(())
}

fn write_card(out: &mut impl Write, report: &HookReport) -> io::Result<()> {
    let digest = report.digest.to_string();
    let file = format!(
        "{} ({}, sha256 {}…)",
        report.file.display(),
        units::bytes(report.bytes),
        units::digest(&digest)
    );
    writeln!(out)?;
    row(out, "file", &portcullis::sanitize_for_terminal(&file))?;
    row(
        out,
        "built for",
        &format!("version {} of the contract", report.contract),
    )?;
    row(out, "pinned", pinned(report.pin))?;
    row(out, "runs", words::runs(report.enabled, report.mode))?;
    row(
        out,
        "priority",
        &format!("{} (low runs first)", report.priority),
    )?;
    if !report.after.is_empty() {
        row(out, "after", &report.after.join(", "))?;
    }
    row(out, "role", role(report.role))?;
    row(out, "if it fails", failure(report.failure))?;
    row(out, "agent waits", execution(report.execution))?;
    if !report.contributes.is_empty() {
        row(out, "contributes", &report.contributes.join(", "))?;
    }
    row(out, "instances", isolation(report.isolation))?;
    row(out, "calls", calling(report.calling))
}

fn pinned(pin: Pin) -> &'static str {
    match pin {
        Pin::NoLock => "no: there is no hooks.lock beside it",
        Pin::Pinned => "yes: it is the file that hooks.lock pins",
        Pin::Differs => {
            "NO: it is not the file that hooks.lock pins, and is refused unless hooks.toml says otherwise"
        }
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Gate => "gate: it continues or refuses, and changes nothing",
        Role::Transform => "transform: it may give every answer that it imports",
        Role::Observe => {
            "observe: it sees the final value and the verdict, always runs, and changes nothing"
        }
    }
}

fn failure(failure: Failure) -> &'static str {
    match failure {
        Failure::FailOpen => "fail-open: as if it had continued",
        Failure::FailClosed => "fail-closed: as if it had refused, naming it and the cause",
    }
}

fn execution(execution: Execution) -> &'static str {
    match execution {
        Execution::Blocking => "until it answers",
        Execution::Deadline => "until it answers or its deadline passes",
        Execution::FireAndRecord => "not at all; the run is recorded",
        Execution::Background => "not at all; the run outlives the turn",
    }
}

fn isolation(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::Session => "one for each session, thrown away after a failure",
        Isolation::Shared => "a few for all sessions, which can read what it keeps of one another",
        Isolation::Call => "one for each call; nothing is left of it",
    }
}

fn calling(calling: CallMode) -> &'static str {
    match calling {
        CallMode::Sync => "direct: nothing that it imports can wait",
        CallMode::Async => "waiting: it imports something that can wait",
    }
}

fn write_points(out: &mut impl Write, report: &HookReport) -> io::Result<()> {
    heading(out, "Serves")?;
    for point in &report.points {
        row(
            out,
            point.name(),
            &words::may_answer(report, *point).join(", "),
        )?;
    }
    Ok(())
}

fn write_can(out: &mut impl Write, report: &HookReport) -> io::Result<()> {
    heading(out, "Can")?;
    let can = report.reach();
    for (what, list) in [
        ("see", &can.see),
        ("change", &can.change),
        ("reach", &can.reach),
    ] {
        match list.as_slice() {
            [] => row(out, what, "nothing")?,
            list => {
                for (index, line) in list.iter().enumerate() {
                    row(
                        out,
                        if index == 0 { what } else { "" },
                        &portcullis::sanitize_for_terminal(line),
                    )?;
                }
            }
        }
    }
    if let Some(carry) = report.exfiltration_risk() {
        writeln!(
            out,
            "  {NOTE}!{NOTE:#} {}",
            portcullis::sanitize_for_terminal(&carry.to_string())
        )?;
    }
    writeln!(
        out,
        "  {DIM}Other files, other servers, processes and other hooks are out of every hook's reach.{DIM:#}"
    )
}

fn write_imports(out: &mut impl Write, report: &HookReport) -> io::Result<()> {
    heading(out, "Imports")?;
    if report.imports.is_empty() {
        writeln!(out, "  {DIM}nothing{DIM:#}")?;
    }
    let inert = |permission| permission == Permission::None;
    for import in report
        .imports
        .iter()
        .filter(|i| !inert(i.capability.permission))
    {
        let (mark, note) = match report.not_granted.iter().any(|n| n.contains(&import.name)) {
            true => (
                paint(NOTE, "!").to_string(),
                paint(NOTE, "not granted").to_string(),
            ),
            false => (
                paint(GOOD, "✓").to_string(),
                paint(DIM, "granted").to_string(),
            ),
        };
        writeln!(out, "  {mark} {} {note}", text::pad(&import.name, 42))?;
    }
    let inert_names: Vec<&str> = report
        .imports
        .iter()
        .filter(|i| inert(i.capability.permission))
        .map(|i| i.name.as_str())
        .collect();
    if !inert_names.is_empty() {
        for line in text::wrap(
            &format!("inert: {}", inert_names.join(", ")),
            width().saturating_sub(4),
        ) {
            writeln!(out, "  {DIM}{line}{DIM:#}")?;
        }
    }
    if !report.not_granted.is_empty() {
        heading(out, "Not granted")?;
        for missing in &report.not_granted {
            for (index, line) in text::wrap(missing, width().saturating_sub(6))
                .iter()
                .enumerate()
            {
                let mark = if index == 0 { "!" } else { " " };
                writeln!(out, "  {NOTE}{mark}{NOTE:#} {line}")?;
            }
        }
    }
    Ok(())
}

fn write_shared(out: &mut impl Write, shared: &SharedReport) -> io::Result<()> {
    heading(out, "All hooks together")?;
    row(
        out,
        "a turn",
        &format!(
            "{} ms and {} units of fuel",
            shared.turn_hooks_ms,
            units::count(shared.turn_fuel)
        ),
    )?;
    row(
        out,
        "at once",
        &format!(
            "{} calls, {} waiting, {} of memory",
            units::count(shared.concurrent_calls as u64),
            units::count(shared.queued_calls as u64),
            units::bytes(shared.engine_memory_bytes)
        ),
    )?;
    row(
        out,
        "compiling",
        &format!(
            "{} ms and {} a component",
            shared.compile_ms,
            units::bytes(shared.component_bytes)
        ),
    )?;
    row(
        out,
        "quarantine",
        &format!(
            "{} s after {} failures in a row",
            shared.quarantine_seconds, shared.quarantine_failures
        ),
    )
}

fn write_limits(out: &mut impl Write, limits: &Limits, http: bool) -> io::Result<()> {
    heading(out, "Limits")?;
    for limit in limits.all() {
        if limit.key.starts_with("http-") && !http {
            continue;
        }
        let value = match limit.value {
            None => "none".to_owned(),
            Some(bytes) if limit.key.ends_with("-bytes") => units::bytes(bytes),
            Some(number) => units::count(number),
        };
        let description = format!("{value:<11} {DIM}{}{DIM:#}", limit.description);
        row(out, limit.key, &description)?;
    }
    Ok(())
}
