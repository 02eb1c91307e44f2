//! `portcullis hooks schema`

use std::process::ExitCode;

use clap::Args;
use portcullis::LoadOptions;
use portcullis::hooks::schema;
use portcullis::settings::Settings;

use super::{CacheArgs, HooksDir};
use crate::terminal::json;
use crate::terminal::progress::LoadBar;

/// The arguments of `portcullis hooks schema`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  portcullis hooks schema --hooks ./hooks > hooks/hooks.schema.json"
)]
pub struct SchemaArgs {
    #[command(flatten)]
    dir: HooksDir,
    #[command(flatten)]
    cache: CacheArgs,
}

pub(super) fn run(args: &SchemaArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.dir.hooks;
    // Settings with errors are ignored, since the schema helps to correct them.
    let settings = Settings::of_dir(dir).unwrap_or_default();
    let bar = LoadBar::hidden();
    let options = LoadOptions {
        cache: args.cache.choice(),
        compiler: crate::compiler::child(),
        progress: &|progress| bar.update(progress),
        ..LoadOptions::default()
    };
    let schema = schema(dir, &settings, &options)?;
    drop(bar);
    json::document(&schema)?;
    Ok(ExitCode::SUCCESS)
}
