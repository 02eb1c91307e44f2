//! `portcullis add SOURCE`

use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use portcullis_registry::Source;
use serde::Serialize;

use super::fetch::{self, Checked, Known};
use super::origin;
use crate::hooks::described::Described;
use crate::hooks::trust::{Arrival, Extra, Plan, Target, agree, files, show};
use crate::hooks::{CacheArgs, HooksDir};
use crate::terminal::{Out, json};

/// Fetch a hook, show its views, answers, reach and cost, ask, and put it into the hooks directory.
///
/// The hook is an artifact in an OCI registry, a file on a server or a file. Its digests are
/// checked, and its signature as [trust] in hooks.toml requires it. Then it is shown as by
/// `portcullis hooks trust`. If you agree, the hook is named in hooks.toml and pinned in
/// hooks.lock, with its source and its signer. If you do not agree, or anything fails, nothing is
/// written. Without a terminal nothing is written, unless --yes is given. Exit code 0: the hook was
/// added, or could be, with --json; 1: it was not.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis add oci://ghcr.io/acme/word-filter:1.2 --key acme.pub\n  \
    portcullis add https://example.com/word-filter.wasm --digest sha256:…\n  \
    portcullis add ./word-filter.wasm --hooks ./hooks"
)]
pub struct AddArgs {
    /// The hook: oci://HOST/REPOSITORY:TAG, https://… or a file.
    #[arg(value_name = "SOURCE")]
    source: Source,
    #[command(flatten)]
    known: Known,
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    extra: Extra,
    /// Write without asking.
    #[arg(long)]
    yes: bool,
    /// Print JSON: the source, the component and the planned grants. Nothing is written, unless
    /// --yes is given.
    #[arg(long)]
    json: bool,
}

/// The result, for machines.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Added<'a> {
    origin: portcullis::lock::Origin,
    #[serde(flatten)]
    described: Described<'a>,
    /// The lines that are new in `hooks.toml`.
    lines: Vec<&'a str>,
    /// Whether it was written.
    written: bool,
}

/// Runs the command.
pub fn run(args: &AddArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    if let Source::File(file) = &args.source {
        is_elsewhere(file, dir)?;
    }
    let settings = files::settings(dir)?;
    let source = fetch::absolute(&args.source)?;
    let known = &args.known;
    let checked = fetch::fetch(&source, &settings.trust, known.key.as_deref(), known.digest)?;
    let plan = planned(args, &checked)?;
    if args.json {
        if args.yes {
            plan.write()?;
        }
        json::document(&Added {
            origin: checked.origin(),
            described: Described::from(&plan.report),
            lines: plan.lines(),
            written: args.yes,
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    if plan.is_done() {
        show::unchanged(&plan)?;
        return Ok(ExitCode::SUCCESS);
    }
    origin::write(&mut Out::stdout(), &checked)?;
    show::plan(&plan)?;
    agree(&plan, "Add", args.yes)
}

/// Refuses a file that is in the hooks directory already: it would be its own source.
fn is_elsewhere(file: &Path, dir: &Path) -> anyhow::Result<()> {
    let (Ok(found), Ok(hooks)) = (file.canonicalize(), dir.canonicalize()) else {
        return Ok(());
    };
    if found.parent() == Some(hooks.as_path()) {
        bail!(
            "{} is in the hooks directory already; to name and pin it: portcullis hooks trust {}",
            file.display(),
            dir.join(found.file_name().unwrap_or_default()).display()
        );
    }
    Ok(())
}

fn planned(args: &AddArgs, checked: &Checked) -> anyhow::Result<Plan> {
    let arrival = Arrival::stage(checked.fetched.bytes.clone(), checked.origin(), None)?;
    let target = Target::arriving(arrival, &args.dir.hooks, None, &args.cache)?;
    Plan::of(target, &args.extra, &args.cache)
}
