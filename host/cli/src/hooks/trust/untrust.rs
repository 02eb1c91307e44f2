//! `portcullis hooks untrust ID`

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis::hooks::HooksError;
use portcullis::settings::{FILE_NAME, Settings};

use super::{edit, files};
use crate::hooks::HooksDir;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD};
use crate::terminal::{Out, Printable};

/// The arguments of `portcullis hooks untrust`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis hooks untrust word-filter --hooks ./hooks")]
pub struct UntrustArgs {
    /// The hook's id.
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    dir: HooksDir,
}

pub fn run(args: &UntrustArgs) -> anyhow::Result<ExitCode> {
    let path = args.dir.hooks.join(FILE_NAME);
    let settings = files::settings(&args.dir.hooks)?;
    if !settings.hooks.contains_key(&args.id) {
        let ids = settings.hooks.keys().map(String::as_str);
        let hint = match portcullis::text::nearest(&args.id, ids) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        bail!("{} does not name `{}`{hint}", path.display(), args.id);
    }
    let text = std::fs::read_to_string(&path);
    let text = text.with_context(|| format!("{} cannot be read", path.display()))?;
    let Some((rest, removed)) = edit::unnamed(&text, &args.id)? else {
        bail!("{} was changed meanwhile; try again", path.display());
    };
    let rest_is_valid = Settings::parse(&path, &rest);
    rest_is_valid.map_err(HooksError::from)?;
    crate::files::replace(&path, &rest)?;
    let mut out = Out::stdout();
    print_line!(
        out,
        "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {DIM}is no longer named in {}. Removed:{DIM:#}",
        args.id,
        path.display()
    )?;
    for line in removed.lines().filter(|line| !line.is_empty()) {
        print_line!(out, "  {}", Printable::line(line))?;
    }
    Ok(ExitCode::SUCCESS)
}
