//! `portcullis conform`: checks of a hook's reliability.

mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use portcullis_project::Project;
use portcullis_workbench::conform::{ConformReport, conform};
use serde::Serialize;

use crate::hooks::CacheArgs;
use crate::subject::{build, note_if_outdated, open, settings, settings_of, unwrapped};
use crate::terminal::format::printable;
use crate::terminal::json;
use crate::terminal::progress::Waiting;

/// Try a hook with many inputs, and check its failure policy.
///
/// The hook is called at every point that it serves: with ordinary input, every case of every
/// variant, empty values, huge texts, unusual characters, the largest numbers and 10,000 messages;
/// twice in a session, in consecutive sessions, and in two hosts. Then its limits are made so small
/// that it must fail, and the result is checked against its failure policy. Its configuration and
/// grants are those of hooks.toml in its directory; if hooks.toml does not name the hook, its
/// imports are granted. The inputs are generated from the contract; test cases are not used. The
/// report says `too fast` if all calls ended before the host noticed that their deadline had
/// passed: the result of a missed deadline was then not tried. A trap, an answer that its role
/// forbids, and an error or a limit with ordinary input are errors; an error or a limit with
/// extreme input alone is a note. An answer that the hook may give and that no input led to is
/// named as not reached: a test case tries it. Of a directory, a component that does not load is an
/// error, and the others are tried nevertheless. Exit code 0: no errors; 1: errors.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis conform\n  portcullis conform hooks/word-filter.wasm\n  \
    portcullis conform hooks --json"
)]
pub struct ConformArgs {
    /// A component, a directory of them, or a hook's project, which is built first [default: the project here].
    #[arg(value_name = "FILE|DIR")]
    what: Option<PathBuf>,
    /// Try this component, as `portcullis test` does.
    #[arg(long, value_name = "FILE", conflicts_with = "what")]
    component: Option<PathBuf>,
    /// The directory whose hooks.toml has the hooks' settings [default: the project, else the
    /// component's own].
    #[arg(long, value_name = "DIR")]
    settings: Option<PathBuf>,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print JSON: a list of reports, one for each component; one that does not load has only `file` and `error`.
    #[arg(long)]
    json: bool,
}

/// A component that does not load, as JSON.
#[derive(Debug, Serialize)]
struct Unloaded {
    file: PathBuf,
    /// The cause, and the fix.
    error: String,
}

/// A component's report or error, as JSON.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Listed<'a> {
    Report(&'a ConformReport),
    Unloaded(&'a Unloaded),
}

/// Runs the command.
pub fn run(args: &ConformArgs) -> anyhow::Result<ExitCode> {
    let mut reports: Vec<ConformReport> = Vec::new();
    let mut unloaded: Vec<Unloaded> = Vec::new();
    let Subjects { files, settings } = match &args.component {
        Some(file) => Subjects::one(file),
        None => subjects(args.what.as_deref())?,
    };
    let settings = args.settings.as_ref().or(settings.as_ref());
    let is_one = files.len() == 1;
    for file in files {
        note_if_outdated(&file)?;
        let opened = open(&file, settings.map(PathBuf::as_path), &args.cache.choice());
        let sample = match opened {
            Ok(sample) => sample,
            Err(error) if is_one => return Err(error),
            // The others are still tried.
            Err(error) => {
                if !args.json {
                    crate::failure::report(&error);
                }
                unloaded.push(Unloaded {
                    file,
                    error: format!("{error:#}"),
                });
                continue;
            }
        };
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
        true => {
            let reports = reports.iter().map(Listed::Report);
            let unloaded = unloaded.iter().map(Listed::Unloaded);
            json::document(&reports.chain(unloaded).collect::<Vec<_>>())?;
        }
        false => table::write_sum(&reports, unloaded.len())?,
    }
    Ok(
        match unloaded.is_empty() && reports.iter().all(ConformReport::conforms) {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        },
    )
}

/// The components to try.
struct Subjects {
    files: Vec<PathBuf>,
    /// The settings directory, if it is not each component's own.
    settings: Option<PathBuf>,
}

impl Subjects {
    fn one(component: &Path) -> Self {
        Self {
            files: vec![component.to_owned()],
            settings: settings_of(component),
        }
    }
}

/// Returns a component, the components of a directory, or the component of a project. By default
/// the project is found as in other commands.
fn subjects(what: Option<&Path>) -> anyhow::Result<Subjects> {
    let dir = what.unwrap_or(Path::new("."));
    if !dir.is_dir() {
        return Ok(Subjects::one(dir));
    }
    let files = files(dir)?;
    if !files.is_empty() {
        return Ok(Subjects {
            files,
            settings: None,
        });
    }
    let project = match what {
        Some(dir) => Project::read(dir),
        None => Project::find(dir),
    };
    let project = project.with_context(|| {
        printable!(
            "there is no component in {}, and no project; name a `.wasm` file, a directory with some, or a project",
            dir.display()
        )
    })?;
    Ok(Subjects {
        files: vec![build(&project, true)?],
        settings: settings(project.dir()),
    })
}

/// Returns the components in a directory.
fn files(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(dir).with_context(|| printable!("{} cannot be read", dir.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "wasm") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
