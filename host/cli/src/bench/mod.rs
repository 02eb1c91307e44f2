//! `portcullis bench`: what hooks cost.

mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis_workbench::bench::{BenchError, BenchOptions, Measured, Trial, measure};
use portcullis_workbench::case::Case;
use portcullis_workbench::{Specimen, Suite};

use crate::hooks::CacheArgs;
use crate::subject::{TargetArgs, open, unwrapped};
use crate::terminal::json;
use crate::terminal::progress::Waiting;

/// Measure what a hook costs: to load, to start, to call, to keep.
///
/// A call is the hook's first case, or made-up input at its first point. It goes through the real chain
/// under the real limits, in turn with a native hook in a chain of the same sort, so that the two can be
/// compared. Several components make a table.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis bench\n  \
    portcullis bench hooks/rust.wasm hooks/python.wasm --json\n  \
    portcullis bench --component hooks/word-filter.wasm --case refuses")]
pub struct BenchArgs {
    /// The hook's project, or components [default: the project here].
    #[arg(value_name = "DIR|FILE")]
    what: Vec<PathBuf>,
    /// Take this component, and build nothing.
    #[arg(long, value_name = "FILE", conflicts_with = "what")]
    component: Option<PathBuf>,
    /// The directory with the cases [default: `tests` in the project].
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Call it with the first case in whose name this stands.
    #[arg(long, value_name = "TEXT")]
    case: Option<String>,
    /// The directory whose hooks.toml says what the hooks may do [default: the project, else the
    /// component's own].
    #[arg(long, value_name = "DIR")]
    settings: Option<PathBuf>,
    /// How many warm calls.
    #[arg(long, value_name = "N", default_value_t = BenchOptions::default().calls,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(20..=1_000_000))]
    calls: usize,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON: a list with what was measured of each, times in nanoseconds.
    #[arg(long)]
    json: bool,
}

/// Does what was asked for.
pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let rows = hooks(args)?
        .iter()
        .map(|(specimen, trial)| row(specimen, trial, args.calls))
        .collect::<anyhow::Result<Vec<Measured>>>()?;
    match args.json {
        true => json::document(&rows)?,
        false => table::write(&rows)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The hooks, and what they are called with.
fn hooks(args: &BenchArgs) -> anyhow::Result<Vec<(Specimen, Trial)>> {
    let files: Vec<&PathBuf> = args.what.iter().filter(|path| path.is_file()).collect();
    if !files.is_empty() && files.len() < args.what.len() {
        bail!("name either one project or components, not both");
    }
    if files.is_empty() {
        let dir = match args.what.as_slice() {
            [] => PathBuf::from("."),
            [dir] => dir.clone(),
            _ => bail!("name one project, or components that are there"),
        };
        let target = TargetArgs {
            dir,
            component: args.component.clone(),
            cases: args.cases.clone(),
            settings: args.settings.clone(),
            cache: args.cache.clone(),
        };
        let target = target.find()?;
        let specimen = target.build()?;
        let trial = trial(&specimen, target.cases(), args)?;
        return Ok(vec![(specimen, trial)]);
    }
    files
        .into_iter()
        .map(|file| {
            let specimen = open(file, args.settings.as_deref(), &args.cache.choice())?;
            let cases = args.cases.as_deref().unwrap_or(Path::new("tests"));
            let trial = match args.cases.is_some() || args.case.is_some() {
                true => trial(&specimen, cases, args)?,
                false => Trial::made_up(&specimen)?,
            };
            Ok((specimen, trial))
        })
        .collect()
}

/// The first case, where there are any; made-up input where nobody asks for a case.
fn trial(specimen: &Specimen, cases: &Path, args: &BenchArgs) -> anyhow::Result<Trial> {
    let wanted = args.case.is_some() || args.cases.is_some();
    let files = Suite::new(cases).filter(args.case.clone()).files();
    let file = match files {
        Ok(files) => files.into_iter().next(),
        Err(_) if !wanted => None,
        Err(error) => return Err(error.into()),
    };
    let Some(file) = file else {
        return Ok(Trial::made_up(specimen)?);
    };
    let case = Case::read(&file).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow::anyhow!(errors.join("\n"))
    })?;
    Ok(Trial::of_case(specimen, case)?)
}

fn row(specimen: &Specimen, trial: &Trial, calls: usize) -> anyhow::Result<Measured> {
    let id = &specimen.report().id;
    let waiting = Waiting::new(format!("measuring {id}"));
    let told = |what: &'static str| waiting.says(format!("measuring {id}: {what}"));
    let options = BenchOptions { calls };
    let measured = measure(specimen, trial, options, &told).map_err(|error| match error {
        BenchError::Specimen(error) => unwrapped(error),
        other => other.into(),
    });
    measured.with_context(|| format!("`{id}` cannot be measured"))
}
