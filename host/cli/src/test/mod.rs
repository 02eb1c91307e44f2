//! `portcullis test`: a hook's cases.

mod list;

use std::process::ExitCode;

use clap::Args;
use portcullis_workbench::{CaseReport, Suite};

pub use list::{write_case, write_sum};

use crate::subject::TargetArgs;
use crate::terminal::json;

/// Run a hook's cases: what it is given at a point, and what must come of it.
///
/// Each case is a TOML file, and is run in a host of its own: the real loader, chain and limits. Time
/// and random numbers are the same in every run. docs/cases.md tells how a case is written. Exit code
/// 0: all is as expected; 1: some is not.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis test\n  \
    portcullis test --component hooks/word-filter.wasm --cases tests\n  \
    portcullis test --filter refuses --update")]
pub struct TestArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Write what comes into the cases, in the place of what was expected. Look at it first.
    #[arg(long)]
    update: bool,
    /// Only cases in whose name this stands.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Print JSON: the report, with what came and was not expected.
    #[arg(long)]
    json: bool,
}

/// Does what was asked for.
pub fn run(args: &TestArgs) -> anyhow::Result<ExitCode> {
    let target = args.target.find()?;
    let specimen = target.build()?;
    let told = |case: &CaseReport| {
        if !args.json {
            // The report that comes at the end says the same.
            let _ = write_case(case);
        }
    };
    let report = Suite::new(target.cases())
        .filter(args.filter.clone())
        .update(args.update)
        .told(&told)
        .run(&specimen)?;
    match args.json {
        true => json::document(&report)?,
        false => write_sum(&report)?,
    }
    Ok(match report.passed() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
