//! A component that is to be tried, and what the operator says of it.

use std::path::{Path, PathBuf};

use portcullis::settings::{FILE_NAME, HookSettings, Integrity, Settings};
use portcullis::{
    CacheChoice, HookReport, HooksError, LoadErrors, LoadOptions, Mode, Progress, inspect, prompt,
};

/// The namespace of shared state that a hook has of which nothing is said.
const NAMESPACE: &str = "test";
/// The secret that a hook has of which nothing is said.
pub(crate) const SECRET: &str = "SECRET";

/// How a component is opened.
pub struct SampleOptions<'a> {
    /// The directory whose `hooks.toml` speaks of the hook. Default: the component's own.
    pub settings: Option<PathBuf>,
    /// Where compiled components are kept. Default: the user's cache directory.
    pub cache: CacheChoice,
    /// Called with progress; compiling takes from 50 ms to some seconds.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

impl Default for SampleOptions<'_> {
    fn default() -> Self {
        Self {
            settings: None,
            cache: CacheChoice::User,
            progress: &|_| {},
        }
    }
}

impl std::fmt::Debug for SampleOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SampleOptions")
            .field("settings", &self.settings)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}

/// A component cannot be tried.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// It does not load.
    #[error(transparent)]
    Hooks(#[from] HooksError),
    /// There is no place for it.
    #[error("a temporary directory for the component cannot be created: {0}")]
    Place(#[from] std::io::Error),
    /// Nothing can be run.
    #[error("the async runtime cannot be started: {0}")]
    Runtime(#[source] std::io::Error),
}

/// A component that is to be tried.
#[derive(Debug, Clone)]
pub struct Sample {
    pub(crate) file: PathBuf,
    pub(crate) report: HookReport,
    /// What holds for all hooks, and for this one.
    pub(crate) settings: Settings,
    pub(crate) cache: CacheChoice,
}

impl Sample {
    /// Looks at a component. It is granted what `hooks.toml` says; where that says nothing of it, what
    /// it asks for.
    ///
    /// # Errors
    ///
    /// What is wrong with the file or with `hooks.toml`.
    pub fn open(file: &Path, options: &SampleOptions<'_>) -> Result<Self, SampleError> {
        let beside = file.parent().unwrap_or(Path::new(""));
        let dir = options.settings.as_deref().unwrap_or(beside);
        let wrong = |e| SampleError::Hooks(HooksError::Load(LoadErrors::from(e)));
        let mut settings = Settings::of_dir(dir).map_err(wrong)?;
        let loading = LoadOptions {
            cache: options.cache.clone(),
            progress: options.progress,
            ..LoadOptions::default()
        };
        let report = inspect(file, &settings, &loading)?;
        let id = report.id.as_str();
        let said = settings.hooks.remove(id);
        let own = alone(said.unwrap_or_else(all_grants), dir);
        settings.hooks = [(id.to_owned(), own)].into();
        // It is tried alone, and under no lock.
        settings.scripts.clear();
        settings.integrity = Integrity::default();
        // Every call counts for itself, however many failed before.
        settings.quarantine.failures = u32::MAX;
        Ok(Self {
            file: file.to_owned(),
            report,
            settings,
            cache: options.cache.clone(),
        })
    }

    /// What there is to say of it.
    pub fn report(&self) -> &HookReport {
        &self.report
    }

    /// The name of the file that speaks of hooks.
    pub const SETTINGS: &str = FILE_NAME;

    /// What is said of it.
    pub(crate) fn said(&self) -> HookSettings {
        let said = self.settings.hooks.get(self.report.id.as_str());
        said.cloned().unwrap_or_default()
    }
}

/// What is said of a hook that is alone: the hooks that it runs after are not there, it runs, and
/// its answers count.
fn alone(mut said: HookSettings, dir: &Path) -> HookSettings {
    said.after = Some(Vec::new());
    said.enabled = Some(true);
    said.mode = Some(Mode::Enforce);
    // It is tried elsewhere, and directories are named from where it was.
    let dir = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    for path in said.grants.read.iter_mut().chain(&mut said.grants.write) {
        *path = dir.join(&*path).display().to_string();
    }
    said
}

fn all_grants() -> HookSettings {
    let mut said = HookSettings::default();
    said.grants.state = true;
    said.grants.events = true;
    said.grants.shared_state = vec![NAMESPACE.to_owned()];
    said.grants.secrets = vec![SECRET.to_owned()];
    said.grants.contribute = Some(prompt::KINDS.to_vec());
    said
}
