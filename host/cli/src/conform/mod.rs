//! `portcullis conform`: whether a hook is reliable.

mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis_workbench::conform::{ConformReport, conform};

use crate::hooks::CacheArgs;
use crate::subject::{open, unwrapped};
use crate::terminal::format::printable;
use crate::terminal::json;
use crate::terminal::progress::Waiting;

/// Try a hook with many inputs, and check its failure policy.
///
/// The hook is called at every point that it serves: with ordinary input, every case of every variant,
/// empty values, huge texts, unusual characters, the largest numbers and 10,000 messages; twice in a
/// session, in consecutive sessions, and in two hosts. Then its limits are made so small that it must
/// fail, and the result is checked against its failure policy. Its configuration and grants are those of
/// hooks.toml in its directory; if that does not name the hook, it is granted what it imports. A trap, an
/// answer that its role forbids, and an error or a limit that everyday input leads to are errors; one that
/// only extreme input leads to is a note. Exit code 0: no errors; 1: errors.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis conform hooks/word-filter.wasm\n  \
    portcullis conform hooks --json"
)]
pub struct ConformArgs {
    /// A component, or a directory of them.
    #[arg(value_name = "FILE|DIR")]
    what: PathBuf,
    /// The directory whose hooks.toml says what the hooks may do [default: the component's own].
    #[arg(long, value_name = "DIR")]
    settings: Option<PathBuf>,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON: a list of reports, one for each component.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &ConformArgs) -> anyhow::Result<ExitCode> {
    let mut reports: Vec<ConformReport> = Vec::new();
    for file in files(&args.what)? {
        let sample = open(&file, args.settings.as_deref(), &args.cache.choice())?;
        let id = &sample.report().id;
        let waiting = Waiting::new(printable!("trying {}", id));
        let report = conform(&sample, &|point| {
            waiting.set_words(printable!("trying {} at {}", id, point))
        });
        drop(waiting);
        let report = report.map_err(unwrapped)?;
        if !args.json {
            table::write(&report)?;
        }
        reports.push(report);
    }
    match args.json {
        true => json::document(&reports)?,
        false => table::write_sum(&reports)?,
    }
    Ok(match reports.iter().all(ConformReport::conforms) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// The components.
fn files(what: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !what.is_dir() {
        return Ok(vec![what.to_owned()]);
    }
    let entries =
        std::fs::read_dir(what).with_context(|| printable!("{} cannot be read", what.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "wasm") {
            files.push(path);
        }
    }
    if files.is_empty() {
        bail!(
            "there is no component in {}; name a `.wasm` file, or a directory with some",
            what.display()
        );
    }
    files.sort();
    Ok(files)
}
