//! `portcullis build`: builds a component from a project.

mod shown;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use portcullis_project::{Options, Project};
use portcullis_workbench::SampleError;
use serde::Serialize;

pub use shown::Shown;

use crate::hooks::CacheArgs;
use crate::subject;
use crate::terminal::Out;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, DIM};
use crate::terminal::{json, units};

/// Build a project to a component.
///
/// The command is the same for every language. The component is also compiled and kept in the cache, so that commands
/// that run it start at once. Missing packages of pip and npm are installed for your user
/// only; for other missing tools, the error names the command that installs them.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis build\n  portcullis build ./word-filter -o hooks/word-filter.wasm"
)]
pub struct BuildArgs {
    /// The project, or a directory in it.
    #[arg(default_value = ".", value_name = "DIR")]
    dir: PathBuf,

    /// The path of the component. Default: `dist/NAME.wasm` in the project.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Install nothing and do not use the network.
    #[arg(long)]
    offline: bool,

    #[command(flatten)]
    cache: CacheArgs,

    /// Print JSON: the component, its bytes, and how long it took.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Built {
    name: String,
    language: &'static str,
    component: PathBuf,
    bytes: u64,
    millis: u128,
}

/// Runs the command.
pub fn run(args: BuildArgs) -> anyhow::Result<ExitCode> {
    let project = Project::find(&args.dir)?;
    let options = Options {
        offline: args.offline,
        output: args.output,
        ..Options::default()
    };
    let began = Instant::now();
    let shown = Shown::new(&project);
    let component = project.build_with(&options, &mut |progress| shown.update(progress))?;
    drop(shown);
    compile(&project, &component, &args.cache)?;
    let built = Built {
        name: project.name().to_owned(),
        language: project.language().name(),
        bytes: component.metadata()?.len(),
        millis: began.elapsed().as_millis(),
        component,
    };
    if args.json {
        json::document(&built)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::stdout();
    print_line!(
        out,
        "{BOLD}{}{BOLD:#}  {} {DIM}in {:.1} s{DIM:#}",
        built.component.display(),
        units::bytes(built.bytes),
        began.elapsed().as_secs_f64()
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Compiles the component with the project's settings, and checks the defaults and examples of its
/// configuration. A cache, if there is one, keeps the compiled code. A component that does not load
/// is an error only if its id differs from the project's: otherwise the settings may be at fault.
fn compile(project: &Project, component: &Path, cache: &CacheArgs) -> anyhow::Result<()> {
    let settings = subject::settings(project.dir());
    match subject::open_built(project, component, settings.as_deref(), &cache.choice()) {
        Ok(sample) => subject::check_values(sample.report()),
        Err(why) if has_other_id(&why) => Err(why),
        Err(why) => {
            let mut err = Out::stderr();
            print_line!(
                err,
                "{BOLD}note{BOLD:#}: the component is built, but does not load: {}",
                format!("{why:#}")
            )?;
            Ok(())
        }
    }
}

/// Returns whether the hook's id differs from the project's name.
fn has_other_id(why: &anyhow::Error) -> bool {
    matches!(
        why.downcast_ref::<SampleError>(),
        Some(SampleError::OtherId { .. })
    )
}
