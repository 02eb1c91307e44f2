//! `portcullis import`: command hooks of Claude Code as script hooks.

mod found;
mod write;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use portcullis_dialects::Dialect;

use self::found::Found;
use crate::files;
use crate::hooks::HooksDir;
use crate::hooks::trust::files::is_no_output;
use crate::install::{PlaceArgs, write as write_agreed};
use crate::terminal::Out;
use crate::terminal::format::print_line;
use crate::terminal::style::{DIM, NOTE};

/// Enter the command hooks of Claude Code's settings into hooks.toml, as script hooks.
///
/// The commands stay as they are: `portcullis script` sends them the events that they expect, and
/// reads their answers. They run in the chains of the hooks directory, in any agent that uses it.
/// Hooks that cannot be imported are named with the reason. The changes are shown as a diff.
/// Without a terminal nothing is written, unless --yes is given. The settings of Claude Code stay
/// as they are.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis import claude --hooks ./hooks\n  \
    portcullis import claude --from ~/.claude/settings.json --hooks ./hooks --yes"
)]
pub struct ImportArgs {
    /// The agent: claude.
    #[arg(value_name = "AGENT", value_parser = ["claude"])]
    agent: String,
    #[command(flatten)]
    place: PlaceArgs,
    /// The settings, in place of the project's or the user's.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["project", "user"])]
    from: Option<PathBuf>,
    #[command(flatten)]
    hooks: HooksDir,
    /// Write without asking.
    #[arg(long)]
    yes: bool,
}

/// Runs the command.
pub fn run(args: &ImportArgs) -> anyhow::Result<ExitCode> {
    let from = match &args.from {
        Some(from) => from.clone(),
        None => args.place.file(Dialect::Claude)?,
    };
    let found = Found::read(&from)?;
    let left = found.left.iter().cloned();
    let noted = found.hooks.iter();
    let noted =
        noted.filter_map(|hook| Some((hook.place.clone(), hook.matches_no_built_in_tool()?)));
    for (place, why) in left.chain(noted) {
        print_line!(
            Out::stderr(),
            "{NOTE}!{NOTE:#} {} {DIM}{}{DIM:#}",
            place,
            why
        )?;
    }
    is_no_output(&args.hooks.hooks)?;
    let path = args.hooks.hooks.join(portcullis::settings::FILE_NAME);
    let before = files::text(&path)?;
    let after = write::with(&before, &found.hooks)?;
    if after == before {
        print_line!(Out::stdout(), "nothing to import from {}", from.display())?;
        return Ok(ExitCode::SUCCESS);
    }
    write_agreed(&path, &before, Some(&after), args.yes)
}
