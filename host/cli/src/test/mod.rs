//! `portcullis test`: runs a hook's cases.

mod list;
mod trace;

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use portcullis_workbench::{CaseReport, Suite};

pub use list::{write_case, write_sum};

use crate::subject::TargetArgs;
use crate::terminal::json;

/// Run a hook's test cases.
///
/// Each case is a TOML file with an input and the expected result. It runs in its own host, with the real
/// loader, chain and limits. Time and random numbers are the same in every run. docs/cases.md describes
/// the files. Exit code 0: all results are as expected; 1: some are not.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis test\n  \
    portcullis test --component hooks/word-filter.wasm --cases tests\n  \
    portcullis test --filter refuses --update\n  \
    portcullis test --case refuses --trace")]
pub struct TestArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Replace the expected results in the case files by the actual ones. Review the changes.
    #[arg(long)]
    update: bool,
    /// Only cases whose name contains this.
    #[arg(long, value_name = "TEXT", conflicts_with = "case")]
    filter: Option<String>,
    #[command(flatten)]
    which: CaseArgs,
    /// Print the JSON schema of a case's file, and run nothing. Editors complete and check cases by it if
    /// their first line names it: `#:schema ../case.schema.json`.
    #[arg(long)]
    schema: bool,
    /// Print JSON: the report, with every difference, and with --trace every call.
    #[arg(long)]
    json: bool,
}

/// The cases, and the detail of their output.
#[derive(Debug, Clone, Args)]
pub struct CaseArgs {
    /// Only the case of this name.
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
    /// Show every host call of the hook: function, arguments, answer, time and fuel in between, its
    /// log and the changes in its answer. Values of secrets are not shown.
    #[arg(long)]
    trace: bool,
}

impl CaseArgs {
    /// Returns the cases of a directory, restricted to these.
    pub fn suite(&self, dir: &Path) -> Suite<'static> {
        Suite::new(dir).case(self.case.clone()).trace(self.trace)
    }
}

/// Runs the command.
pub fn run(args: &TestArgs) -> anyhow::Result<ExitCode> {
    if args.schema {
        json::document(&crate::case_schema())?;
        return Ok(ExitCode::SUCCESS);
    }
    let target = args.target.find()?;
    let sample = target.build()?;
    let on_case = |case: &CaseReport| {
        if !args.json {
            // The report at the end has the same content.
            let _ = write_case(case);
        }
    };
    let report = args
        .which
        .suite(target.cases())
        .filter(args.filter.clone())
        .update(args.update)
        .on_case(&on_case)
        .run(&sample)?;
    match args.json {
        true => json::document(&report)?,
        false => write_sum(&report)?,
    }
    Ok(match report.passed() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
