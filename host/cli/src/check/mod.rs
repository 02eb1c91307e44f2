//! `portcullis check`: everything that is wrong with an agent.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use portcullis_agent_file::{AgentFile, FILE_NAME};

use crate::agent_file::AgentArg;
use crate::hooks::{CacheArgs, Keeps, Level, Problem, check_for, problems};
use crate::store;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, ERROR, GOOD};
use crate::terminal::{Out, json, units};

/// Find every fault in agent.toml and in the hooks that it names.
///
/// The file is read, and its keys, files, programs and names are checked; the hooks of the agent
/// and of its sub-agents are checked as `portcullis hooks check` does. Every fault is reported,
/// with its key and line, in one go. So are patterns of tool names that match nothing, and names
/// that could not be checked: those of the tools of MCP servers, and of tools that hooks
/// contribute. Faults that may follow from a key that could not be read are left out. No store is
/// opened, and no MCP server is started without --connect. Exit code 0: the agent starts; 1: it
/// does not.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis check\n  portcullis check --agent agent.toml --json\n  portcullis check --connect"
)]
pub struct CheckArgs {
    #[command(flatten)]
    agent: AgentArg,
    #[command(flatten)]
    cache: CacheArgs,
    /// Start the MCP servers, and check the names of their tools too.
    #[arg(long)]
    connect: bool,
    /// Print JSON: a list of problems, empty if there are none. A problem with a `level`, `warning`
    /// or `unchecked`, does not prevent a start.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let path = args.agent.path().with_context(|| {
        format!("there is no {FILE_NAME} here; make one with `portcullis init`, or name one with --agent")
    })?;
    let (file, errors) = AgentFile::load_partly(&path);
    let mut problems: Vec<Problem> = errors.iter().map(Problem::from).collect();
    let has_hooks = file.as_ref().is_none_or(|file| file.hooks.enabled);
    if let Some(file) = file {
        problems.extend(of_file(&file, args, errors.is_empty())?);
        problems.sort_by_key(Problem::line);
        problems.extend(of_hooks(&file, args)?);
    }
    match args.json {
        true => json::document(&problems)?,
        false => write(&path, has_hooks, &problems)?,
    }
    Ok(match problems.iter().any(Problem::is_fault) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// Returns the file's faults, and problems with tool names.
fn of_file(file: &AgentFile, args: &CheckArgs, is_whole: bool) -> anyhow::Result<Vec<Problem>> {
    let faults = file.faults();
    // A server is not started for a file that has faults.
    let mut names = match args.connect && is_whole && faults.is_empty() {
        true => crate::runtime::start()?.block_on(file.tool_names_of_servers()),
        false => file.tool_names(None),
    };
    if !faults.is_empty() {
        // `faults` has these faults already.
        names.faults.clear();
    }
    let mut found: Vec<Problem> = faults
        .iter()
        .chain(&names.faults)
        .map(Problem::from)
        .collect();
    for (errors, level) in [
        (&names.warnings, Level::Warning),
        (&names.unchecked, Level::Unchecked),
    ] {
        found.extend(
            errors
                .iter()
                .map(|error| Problem::from(error).at_level(level)),
        );
    }
    Ok(found)
}

/// Returns the problems of all hooks.
fn of_hooks(file: &AgentFile, args: &CheckArgs) -> anyhow::Result<Vec<Problem>> {
    let mut found = Vec::new();
    let cache = args.cache.or(file.hooks.cache_choice());
    let store = store::may_open(file);
    let agent = Keeps {
        store,
        journal: store && file.stores.journal,
    };
    let mut hooks = Vec::new();
    for dir in file.hook_dirs() {
        // A missing directory is a fault of the file.
        let checked = match dir.is_dir() {
            true => check_for(agent, &dir, &cache)?,
            false => continue,
        };
        found.extend(problems(&dir, &checked));
        hooks.push(checked.hooks);
    }
    // If hooks do not load, their names are not all known.
    if let Some(hooks) = hooks.into_iter().collect::<Option<Vec<_>>>() {
        let warnings = file.alert_warnings(&hooks);
        found.extend(
            warnings
                .iter()
                .map(|error| Problem::from(error).at_level(Level::Warning)),
        );
    }
    Ok(found)
}

fn write(path: &Path, has_hooks: bool, problems: &[Problem]) -> anyhow::Result<()> {
    let mut out = Out::stdout();
    let and = match has_hooks {
        true => "and its hooks",
        false => "without hooks: `hooks.enabled = false`",
    };
    let faults = problems.iter().filter(|problem| problem.is_fault()).count();
    if faults == 0 {
        print_line!(
            out,
            "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {}",
            path.display(),
            and
        )?;
    } else {
        print_line!(
            out,
            "{ERROR}{}{ERROR:#} in {} {}",
            units::plural(faults, "problem"),
            path.display(),
            and
        )?;
    }
    for problem in problems {
        problem.write(&mut out)?;
    }
    Ok(())
}
