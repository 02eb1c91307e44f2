//! `portcullis check`: everything that is wrong with an agent.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use portcullis::settings::SettingsError;
use portcullis_agent_file::{AgentFile, FILE_NAME};

use crate::agent_file::AgentArg;
use crate::hooks::{CacheArgs, Keeps, Problem, problems};
use crate::store;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, ERROR, GOOD};
use crate::terminal::{Out, json, units};

/// Find everything that is wrong with agent.toml and with the hooks that it names.
///
/// The file is read, and its keys, files, programs and names are checked; the hooks of the agent and of
/// its sub-agents are checked as `portcullis hooks check` does. Every fault is reported, with its key and
/// line. No MCP server is started and no store is opened. Exit code 0: the agent starts; 1: it does not.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis check\n  portcullis check --agent agent.toml --json"
)]
pub struct CheckArgs {
    #[command(flatten)]
    agent: AgentArg,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON: a list of problems, empty if there are none.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let path = args.agent.path().with_context(|| {
        format!("there is no {FILE_NAME} here; make one with `portcullis init`, or name one with --agent")
    })?;
    let problems = match AgentFile::load(&path) {
        Ok(file) => of_agent(&file, &args.cache)?,
        Err(errors) => errors.iter().map(Problem::from).collect(),
    };
    match args.json {
        true => json::document(&problems)?,
        false => write(&path, &problems)?,
    }
    Ok(match problems.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// The faults of the file, and the problems of all its hooks.
fn of_agent(file: &AgentFile, cache: &CacheArgs) -> anyhow::Result<Vec<Problem>> {
    let faults: Vec<SettingsError> = file.faults();
    let mut found: Vec<Problem> = faults.iter().map(Problem::from).collect();
    let cache = cache.or(file.hooks.cache_choice());
    let store = store::may_open(file);
    let agent = Keeps {
        store,
        journal: store && file.stores.journal,
    };
    for dir in file.hook_dirs() {
        // One that is not there is a fault of the file.
        if dir.is_dir() {
            found.extend(problems(agent, &dir, &cache)?);
        }
    }
    Ok(found)
}

fn write(path: &Path, problems: &[Problem]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    if problems.is_empty() {
        print_line!(
            out,
            "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} and its hooks",
            path.display()
        )?;
        return Ok(());
    }
    let count = units::plural(problems.len(), "problem");
    print_line!(
        out,
        "{ERROR}{}{ERROR:#} in {} and its hooks",
        count,
        path.display()
    )?;
    for problem in problems {
        problem.write(&mut out)?;
    }
    Ok(())
}
