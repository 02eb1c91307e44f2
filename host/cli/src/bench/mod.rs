//! `portcullis bench`: a hook's cost.

mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis_workbench::bench::{BenchError, BenchOptions, Measured, Trial, measure};
use portcullis_workbench::case::Case;
use portcullis_workbench::{Sample, Suite};

use crate::hooks::CacheArgs;
use crate::subject::{TargetArgs, open, settings_of, unwrapped};
use crate::terminal::format::printable;
use crate::terminal::json;
use crate::terminal::progress::Waiting;

/// Measure a hook's cost: to load, to start, to call, to keep.
///
/// A call is the hook's first test case, or generated input at its first point. It runs through the
/// real chain with the real limits, alternating with a native hook in an equal chain, for
/// comparison. Warm calls are in one session: if the hook's state leads to another outcome, the
/// output reports it. Several components make a table.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis bench\n  \
    portcullis bench hooks/rust.wasm hooks/python.wasm --json\n  \
    portcullis bench --component hooks/word-filter.wasm --case refuses")]
pub struct BenchArgs {
    /// The hook's project, or components [default: the project here].
    #[arg(value_name = "DIR|FILE")]
    what: Vec<PathBuf>,
    /// Use this component, and build nothing.
    #[arg(long, value_name = "FILE", conflicts_with = "what")]
    component: Option<PathBuf>,
    /// The directory with the cases [default: `tests` in the project].
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Call it with the first case whose name contains this.
    #[arg(long, value_name = "TEXT", conflicts_with = "case")]
    filter: Option<String>,
    /// Call it with the case of this name.
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
    /// The directory whose hooks.toml has the hooks' settings [default: the project, else the
    /// component's own].
    #[arg(long, value_name = "DIR")]
    settings: Option<PathBuf>,
    /// The number of warm calls.
    #[arg(long, value_name = "N", default_value_t = BenchOptions::default().calls,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(20..=1_000_000))]
    calls: usize,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON: a list with the measurements of each hook, times in nanoseconds.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let rows = hooks(args)?
        .iter()
        .map(|(sample, trial)| row(sample, trial, args.calls))
        .collect::<anyhow::Result<Vec<Measured>>>()?;
    match args.json {
        true => json::document(&rows)?,
        false => table::write(&rows)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the hooks, each with its calls.
fn hooks(args: &BenchArgs) -> anyhow::Result<Vec<(Sample, Trial)>> {
    let files: Vec<&PathBuf> = args.what.iter().filter(|path| path.is_file()).collect();
    if !files.is_empty() && files.len() < args.what.len() {
        bail!("name either one project or components, not both");
    }
    if files.is_empty() {
        let dir = match args.what.as_slice() {
            [] => PathBuf::from("."),
            [dir] => dir.clone(),
            _ => bail!("name one project, or components that exist"),
        };
        let target = TargetArgs {
            dir,
            component: args.component.clone(),
            cases: args.cases.clone(),
            settings: args.settings.clone(),
            cache: args.cache.clone(),
        };
        let target = target.find()?;
        let sample = target.build()?;
        let trial = trial(&sample, target.cases(), args)?;
        return Ok(vec![(sample, trial)]);
    }
    files
        .into_iter()
        .map(|file| {
            let settings = args.settings.clone().or_else(|| settings_of(file));
            let sample = open(file, settings.as_deref(), &args.cache.choice())?;
            let cases = args.cases.as_deref().unwrap_or(Path::new("tests"));
            let trial = match wants_case(args) {
                true => trial(&sample, cases, args)?,
                false => Trial::generated(&sample)?,
            };
            Ok((sample, trial))
        })
        .collect()
}

fn wants_case(args: &BenchArgs) -> bool {
    args.cases.is_some() || args.case.is_some() || args.filter.is_some()
}

/// Returns the first case, if there is one; generated input if no case is asked for.
fn trial(sample: &Sample, cases: &Path, args: &BenchArgs) -> anyhow::Result<Trial> {
    let suite = Suite::new(cases)
        .filter(args.filter.clone())
        .case(args.case.clone());
    let file = match suite.files() {
        Ok(files) => files.into_iter().next(),
        Err(_) if !wants_case(args) => None,
        Err(error) => return Err(error.into()),
    };
    let Some(file) = file else {
        return Ok(Trial::generated(sample)?);
    };
    let case = Case::read(&file).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow::anyhow!(errors.join("\n"))
    })?;
    Ok(Trial::of_case(sample, case)?)
}

fn row(sample: &Sample, trial: &Trial, calls: usize) -> anyhow::Result<Measured> {
    let id = &sample.report().id;
    let waiting = Waiting::new(printable!("measuring {}", id));
    let progress = |what: &'static str| waiting.set_words(printable!("measuring {}: {}", id, what));
    let options = BenchOptions { calls };
    let measured = measure(sample, trial, options, &progress).map_err(|error| match error {
        BenchError::Sample(error) => unwrapped(error),
        other => other.into(),
    });
    measured.with_context(|| printable!("`{}` cannot be measured", id))
}
