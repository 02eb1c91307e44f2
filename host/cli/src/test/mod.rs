//! `portcullis test`: runs a hook's cases.

mod list;

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
    portcullis test --filter refuses --update")]
pub struct TestArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Replace the expected results in the case files by the actual ones. Review the changes.
    #[arg(long)]
    update: bool,
    /// Only cases whose name contains this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Print JSON: the report, with every difference.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let target = args.target.find()?;
    let sample = target.build()?;
    let on_case = |case: &CaseReport| {
        if !args.json {
            // The report at the end has the same content.
            let _ = write_case(case);
        }
    };
    let report = Suite::new(target.cases())
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
