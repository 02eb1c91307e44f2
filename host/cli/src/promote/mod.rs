//! `portcullis promote HOOK`

mod edit;

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use portcullis::hooks::{HooksError, Mode, Share};
use portcullis::settings::Settings;
use portcullis::text::nearest;

use crate::diff;
use crate::files::replace;
use crate::hooks::HooksDir;
use crate::hooks::trust::files::Before;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM, GOOD};
use crate::terminal::{Out, agrees};
use crate::unknown::no_such_in;

/// Let a hook's answers take effect, in all sessions or a share of them, or take that back.
///
/// It writes `mode` and `share` in the hook's table of hooks.toml, and changes nothing else there.
/// The change is shown first. Without a terminal nothing is written, unless --yes is given. Hosts
/// that watch the directory apply it at once.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis promote word-filter --share 0.1\n  portcullis promote word-filter\n  portcullis promote word-filter --audit --yes"
)]
pub struct PromoteArgs {
    /// The hook's id.
    #[arg(value_name = "HOOK")]
    id: String,
    #[command(flatten)]
    dir: HooksDir,
    /// The share of sessions in which the hook's answers take effect: more than 0, at most 1. In the others it runs in
    /// audit mode. Which sessions these are follows from their ids. Default: all sessions.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    share: Option<Share>,
    /// Audit mode in all sessions: answers are recorded, and have no effect.
    #[arg(long, conflicts_with = "share")]
    audit: bool,
    /// Write without asking.
    #[arg(long)]
    yes: bool,
}

fn share(text: &str) -> Result<Share, String> {
    let number: f64 = text.parse().map_err(|_| "is not a number".to_owned())?;
    Share::try_from(number).map_err(|error| error.to_string())
}

/// Runs the command.
pub fn run(args: &PromoteArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    if !dir.is_dir() {
        bail!(
            "there is no hooks directory {}; name the one that the hook is in with --hooks",
            dir.display()
        );
    }
    let before = Before::of(dir)?;
    let path = before.settings_file();
    let parse = |text: &str| Settings::parse(&path, text).map_err(HooksError::from);
    let settings = parse(&before.settings)?;
    // An omitted share is all sessions.
    let share = args.share.filter(|share| share.get() < 1.0);
    let mode = match args.audit {
        true => Mode::Audit,
        false => Mode::Enforce,
    };
    if current(&settings, &args.id) == Some((mode, share)) {
        let out = &mut Out::stdout();
        print_line!(
            out,
            "{} {}; nothing was written",
            args.id,
            state(mode, share)
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(text) = edit::set(&before.settings, &args.id, mode, share)? else {
        let named = settings.hooks.keys().chain(settings.scripts.keys());
        let named: Vec<&str> = named.map(String::as_str).collect();
        let missing = no_such_in(path.display(), "hook", &args.id, &named);
        match nearest(&args.id, named.iter().copied()) {
            Some(_) => bail!("{missing}"),
            None => bail!(
                "{missing}; a hook that is not named there is named with `portcullis hooks trust FILE`"
            ),
        }
    };
    parse(&text)?;
    diff::print(&path, &before.settings, &text)?;
    let mut out = Out::stdout();
    print_line!(out, "{DIM}{} then {}{DIM:#}", args.id, state(mode, share))?;
    if !(args.yes || agrees(format!("Write {}", path.display()), "nothing was written")?) {
        print_line!(out, "Nothing was written.")?;
        return Ok(ExitCode::FAILURE);
    }
    before.ensure_unchanged()?;
    replace(&path, &text)?;
    print_line!(
        out,
        "{GOOD}✓{GOOD:#} {BOLD}{}{BOLD:#} {}",
        args.id,
        state(mode, share)
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the mode and the share of a hook that the settings name.
fn current(settings: &Settings, id: &str) -> Option<(Mode, Option<Share>)> {
    let hook = settings.hooks.get(id);
    let hook = hook.map(|hook| (hook.mode.unwrap_or_default(), hook.share));
    let script = settings.scripts.get(id);
    hook.or(script.map(|script| (script.mode, script.share)))
}

fn state(mode: Mode, share: Option<Share>) -> String {
    match (mode, share) {
        (Mode::Audit, _) => "runs in audit mode in all sessions".to_owned(),
        (Mode::Enforce, None) => "takes effect in all sessions".to_owned(),
        (Mode::Enforce, Some(share)) => {
            format!("takes effect in {share} of sessions, and runs in audit mode in the others")
        }
    }
}
