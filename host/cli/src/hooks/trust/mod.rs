//! `portcullis hooks trust FILE` and `portcullis hooks untrust ID`

mod arrival;
pub(crate) mod edit;
pub(crate) mod files;
mod grants;
mod plan;
pub(crate) mod show;
mod target;
mod untrust;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

pub(crate) use self::grants::Extra;
pub(crate) use self::plan::Plan;
pub(crate) use self::target::{Arrival, Target};
use super::{CacheArgs, HooksDir};
use crate::terminal::agrees;

pub(super) use untrust::{UntrustArgs, run as untrust};

/// The message when there is nobody to ask about a plan.
pub(crate) const NOTHING: &str = "nothing was written";

/// The arguments of `portcullis hooks trust`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis hooks trust hooks/word-filter.wasm\n  \
    portcullis hooks trust word-filter --hooks ./hooks --yes\n  \
    portcullis hooks trust hooks/policy-server.wasm --http 'POST https://policy.example/v1'"
)]
pub struct TrustArgs {
    /// The hook: a component file in its hooks directory, or the id of a hook in --hooks.
    #[arg(value_name = "FILE|ID")]
    hook: PathBuf,
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    extra: Extra,
    /// Write without asking.
    #[arg(long)]
    yes: bool,
    /// Print JSON: the planned grants. Nothing is written, unless --yes is given.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &TrustArgs) -> anyhow::Result<ExitCode> {
    let target = Target::find(&args.hook, &args.dir.hooks, &args.cache)?;
    let plan = Plan::of(target, &args.extra, &args.cache)?;
    if args.json {
        if args.yes {
            plan.write()?;
        }
        show::json(&plan, args.yes)?;
        return Ok(ExitCode::SUCCESS);
    }
    if plan.is_done() {
        show::unchanged(&plan)?;
        return Ok(ExitCode::SUCCESS);
    }
    show::plan(&plan)?;
    agree(&plan, "Trust", args.yes)
}

/// Writes a plan that was shown, if a person agrees to it or has agreed.
pub(crate) fn agree(plan: &Plan, verb: &str, has_agreed: bool) -> anyhow::Result<ExitCode> {
    let question = || format!("{verb} {} with this", plan.id());
    if !(has_agreed || agrees(question(), NOTHING)?) {
        show::refused()?;
        return Ok(ExitCode::FAILURE);
    }
    plan.write()?;
    show::written(plan)?;
    Ok(ExitCode::SUCCESS)
}
