//! The hook that a command of the workbench is about: a project, or a component that is built already.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use portcullis::CacheChoice;
use portcullis_project::Project;
use portcullis_workbench::{Specimen, SpecimenOptions};

use crate::build::Shown;
use crate::hooks::CacheArgs;
use crate::terminal::progress::LoadBar;

/// The hook.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The hook's project; it is built first.
    #[arg(value_name = "DIR", default_value = ".")]
    pub dir: PathBuf,
    /// Take this component, and build nothing.
    #[arg(long, value_name = "FILE")]
    pub component: Option<PathBuf>,
    /// The directory with the cases [default: `tests` in the project].
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// The directory whose hooks.toml says what the hook may do [default: the project, else the
    /// component's own].
    #[arg(long, value_name = "DIR")]
    pub settings: Option<PathBuf>,
    #[command(flatten)]
    pub cache: CacheArgs,
}

/// The hook, as it is found.
#[derive(Debug)]
pub struct Target {
    from: From,
    cases: PathBuf,
    settings: Option<PathBuf>,
    cache: CacheChoice,
}

/// What it is made from.
#[derive(Debug)]
enum From {
    Component(PathBuf),
    Project(Project),
}

impl TargetArgs {
    /// Finds it.
    pub fn find(&self) -> anyhow::Result<Target> {
        let from = match &self.component {
            Some(component) => From::Component(component.clone()),
            None => From::Project(Project::find(&self.dir).context(
                "there is nothing to build; name a project, or a built component with --component FILE",
            )?),
        };
        let (dir, cases) = match &from {
            From::Component(_) => (self.dir.clone(), self.dir.join("tests")),
            From::Project(project) => (project.dir().to_owned(), project.cases_dir()),
        };
        let said = dir.join(Specimen::SETTINGS).exists();
        Ok(Target {
            from,
            cases: self.cases.clone().unwrap_or(cases),
            settings: self.settings.clone().or_else(|| said.then_some(dir)),
            cache: self.cache.choice(),
        })
    }
}

impl Target {
    /// The directory with the cases.
    pub fn cases(&self) -> &Path {
        &self.cases
    }

    /// What must be watched to know that it is another one.
    pub fn sources(&self) -> Vec<PathBuf> {
        let (source, beside) = match &self.from {
            From::Component(file) => (file.clone(), file.parent().unwrap_or(Path::new(""))),
            From::Project(project) => (project.dir().to_owned(), project.dir()),
        };
        let settings = self.settings.as_deref().unwrap_or(beside);
        let settings = settings.join(Specimen::SETTINGS);
        vec![source, self.cases.clone(), settings]
    }

    /// Builds it, if it has to be built, and looks at it.
    pub fn build(&self) -> anyhow::Result<Specimen> {
        let component = match &self.from {
            From::Component(file) => file.clone(),
            From::Project(project) => {
                let shown = Shown::new(project);
                project.build(&mut |progress| shown.update(progress))?
            }
        };
        open(&component, self.settings.as_deref(), &self.cache)
    }
}

/// Looks at a component, showing that it is compiled.
pub fn open(
    component: &Path,
    settings: Option<&Path>,
    cache: &CacheChoice,
) -> anyhow::Result<Specimen> {
    let bar = LoadBar::new();
    let specimen = Specimen::open(
        component,
        &SpecimenOptions {
            settings: settings.map(Path::to_owned),
            cache: cache.clone(),
            progress: &|progress| bar.update(progress),
        },
    );
    specimen.map_err(unwrapped)
}

/// The errors of loading have a form of their own on the terminal.
pub fn unwrapped(error: portcullis_workbench::SpecimenError) -> anyhow::Error {
    match error {
        portcullis_workbench::SpecimenError::Hooks(error) => error.into(),
        other => other.into(),
    }
}
