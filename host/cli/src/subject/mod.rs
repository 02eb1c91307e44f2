//! The hook that a command works on: a project, or a built component.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis::compiler::Compiler;
use portcullis::hooks::CacheChoice;
use portcullis::report::HookReport;
use portcullis_project::{Options, Project, ProjectError};
use portcullis_workbench::{Sample, SampleOptions};

use crate::build::Shown;
use crate::hooks::CacheArgs;
use crate::terminal::Out;
use crate::terminal::format::print_line;
use crate::terminal::progress::LoadBar;
use crate::terminal::style::BOLD;

/// The hook.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The hook's project; it is built first.
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    /// Use this component, and build nothing.
    #[arg(long, value_name = "FILE")]
    pub component: Option<PathBuf>,
    /// The directory with the cases [default: `tests` in the project].
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// The directory whose hooks.toml has the hook's settings [default: the project, else the
    /// component's own].
    #[arg(long, value_name = "DIR")]
    pub settings: Option<PathBuf>,
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// A hook that was found.
#[derive(Debug)]
pub struct Target {
    from: From,
    cases: PathBuf,
    settings: Option<PathBuf>,
    cache: CacheChoice,
}

/// The source of the component.
#[derive(Debug)]
enum From {
    Component(PathBuf),
    Project(Box<Project>),
}

impl TargetArgs {
    /// Finds the hook.
    pub fn find(&self) -> anyhow::Result<Target> {
        let from = match &self.component {
            Some(component) => From::Component(component.clone()),
            None => From::Project(Box::new(self.project()?)),
        };
        let (dir, cases) = match &from {
            From::Component(_) => (self.dir.clone(), self.dir.join("tests")),
            From::Project(project) => (project.dir().to_owned(), project.cases_dir()),
        };
        let beside = match &from {
            From::Component(component) => settings_of(component),
            From::Project(_) => None,
        };
        let own = settings(&dir).or(beside);
        Ok(Target {
            from,
            cases: self.cases.clone().unwrap_or(cases),
            settings: self.settings.clone().or(own),
            cache: self.cache.choice(),
        })
    }

    /// Returns the project. If it exists and is faulty, the error describes the fault.
    fn project(&self) -> anyhow::Result<Project> {
        let found = Project::find(&self.dir);
        let is_missing = matches!(found, Err(ProjectError::NotFound(_))) || !self.dir.exists();
        match is_missing {
            true => found.context(
                "there is nothing to build; name a project, or a built component with --component FILE",
            ),
            false => Ok(found?),
        }
    }
}

impl Target {
    /// Returns the directory with the cases.
    pub fn cases(&self) -> &Path {
        &self.cases
    }

    /// Returns the paths to watch for changes.
    pub fn sources(&self) -> Vec<PathBuf> {
        let (source, beside) = match &self.from {
            From::Component(file) => (file.clone(), file.parent().unwrap_or(Path::new(""))),
            From::Project(project) => (project.dir().to_owned(), project.dir()),
        };
        let settings = self.settings.as_deref().unwrap_or(beside);
        let settings = settings.join(Sample::SETTINGS);
        vec![source, self.cases.clone(), settings]
    }

    /// Builds the hook, unless the component is up to date with its sources, and opens the
    /// component.
    pub fn build(&self) -> anyhow::Result<Sample> {
        self.built(true)
    }

    /// Builds the hook from its sources, even if the component is up to date, and opens the
    /// component.
    pub fn build_anew(&self) -> anyhow::Result<Sample> {
        self.built(false)
    }

    fn built(&self, keeps: bool) -> anyhow::Result<Sample> {
        let component = match &self.from {
            From::Component(file) => {
                note_if_outdated(file)?;
                file.clone()
            }
            From::Project(project) => build(project, keeps)?,
        };
        let (settings, cache) = (self.settings.as_deref(), &self.cache);
        match &self.from {
            From::Component(_) => open(&component, settings, cache),
            From::Project(project) => {
                let sample = open_built(project, &component, settings, cache)?;
                check_values(sample.report())?;
                Ok(sample)
            }
        }
    }
}

/// Builds a project, unless `keeps` and the component is up to date with its sources. Returns the
/// component's path.
pub fn build(project: &Project, keeps: bool) -> anyhow::Result<PathBuf> {
    let shown = Shown::new(project);
    let options = Options {
        keeps,
        ..Options::default()
    };
    Ok(project.build_with(&options, &mut |progress| shown.update(progress))?)
}

/// Refuses defaults and examples of a hook's configuration that the hook's own schema refuses: an operator would copy them.
pub fn check_values(report: &HookReport) -> anyhow::Result<()> {
    let wrong = report.wrong_values();
    if wrong.is_empty() {
        return Ok(());
    }
    bail!(
        "what the hook `{}` gives as a default or an example of its configuration does not fit the schema of the configuration; change the value or the schema:\n  {}",
        report.id,
        wrong.join("\n  ")
    )
}

/// Returns the project whose component this file is.
fn project_of(component: &Path) -> Option<Project> {
    let file = component.canonicalize().ok()?;
    let project = Project::find(file.parent()?).ok()?;
    (file == project.component()).then_some(project)
}

/// Warns that a project's component was built from other sources than the current ones, if this is
/// known. The current sources may not even compile.
pub fn note_if_outdated(component: &Path) -> io::Result<()> {
    if !project_of(component).is_some_and(|project| project.is_outdated()) {
        return Ok(());
    }
    print_line!(
        Out::stderr(),
        "{BOLD}note{BOLD:#}: {} is older than its sources; `portcullis build` makes it anew",
        component.display()
    )
}

/// Returns a component's settings directory: the project that it is built from, or else its own
/// directory.
pub fn settings_dir(component: &Path) -> PathBuf {
    let beside = match component.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    Project::dir_of_output(beside).unwrap_or_else(|| beside.to_owned())
}

/// Returns the directory of a component's settings, if it has some.
pub fn settings_of(component: &Path) -> Option<PathBuf> {
    settings(&settings_dir(component))
}

/// Returns the directory, if it has settings.
pub fn settings(dir: &Path) -> Option<PathBuf> {
    let has = dir.join(Sample::SETTINGS).exists();
    has.then(|| dir.to_owned())
}

/// Opens a component and shows progress while it compiles.
pub fn open(
    component: &Path,
    settings: Option<&Path>,
    cache: &CacheChoice,
) -> anyhow::Result<Sample> {
    opened(component, settings, cache, crate::compiler::child(), None)
}

/// Opens a component that was built from a project, whose name must be the hook's id.
pub fn open_built(
    project: &Project,
    component: &Path,
    settings: Option<&Path>,
    cache: &CacheChoice,
) -> anyhow::Result<Sample> {
    let compiler = crate::compiler::child_for_project();
    opened(component, settings, cache, compiler, Some(project.name()))
}

fn opened(
    component: &Path,
    settings: Option<&Path>,
    cache: &CacheChoice,
    compiler: Compiler,
    id: Option<&str>,
) -> anyhow::Result<Sample> {
    is_no_directory(component)?;
    let bar = LoadBar::hidden();
    let sample = Sample::open(
        component,
        &SampleOptions {
            settings: settings.map(Path::to_owned),
            only_hook: settings.is_some_and(|dir| Project::read(dir).is_ok()),
            id: id.map(str::to_owned),
            cache: cache.clone(),
            compiler,
            progress: &|progress| bar.update(progress),
        },
    );
    sample.map_err(unwrapped)
}

/// Refuses a directory in place of a component.
pub fn is_no_directory(component: &Path) -> anyhow::Result<()> {
    if component.is_dir() {
        bail!(
            "{} is a directory, and a component is meant; name a `.wasm` file, such as one in it",
            component.display()
        );
    }
    Ok(())
}

/// Returns the error to report. An error of loading is reported in its own form.
pub fn unwrapped(error: portcullis_workbench::SampleError) -> anyhow::Error {
    match error {
        portcullis_workbench::SampleError::Hooks(error) => error.into(),
        other => other.into(),
    }
}
