//! A component under test, and its settings.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use portcullis::LoadOptions;
use portcullis::compiler::Compiler;
use portcullis::hooks::{CacheChoice, HooksError, Mode, Progress, inspect};
use portcullis::report::HookReport;
use portcullis::settings::{FILE_NAME, Grants, HookSettings, Integrity, Settings, SettingsError};
use portcullis::text::{nearest, sanitize_for_terminal};

/// The number of model tokens that a hook with all grants may use.
const TOKENS: NonZeroU64 = NonZeroU64::MIN.saturating_add(99_999);
/// The default namespace of shared state.
const NAMESPACE: &str = "test";
/// The default secret.
pub(crate) const SECRET: &str = "SECRET";

/// The options for opening a component.
pub struct SampleOptions<'a> {
    /// The directory with the `hooks.toml` to use. Default: the component's own.
    pub settings: Option<PathBuf>,
    /// Whether that `hooks.toml` is only for this hook, like that of a project. A table of another
    /// hook is then an error. Default no.
    pub only_hook: bool,
    /// The required id of the hook: the name of its project. Default: any.
    pub id: Option<String>,
    /// The cache of compiled components. Default: the user's cache directory.
    pub cache: CacheChoice,
    /// The process that compiles components. Default: this one.
    pub compiler: Compiler,
    /// Called with progress; compiling takes from 50 ms to some seconds.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

impl Default for SampleOptions<'_> {
    fn default() -> Self {
        Self {
            settings: None,
            only_hook: false,
            id: None,
            cache: CacheChoice::User,
            compiler: Compiler::default(),
            progress: &|_| {},
        }
    }
}

impl std::fmt::Debug for SampleOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SampleOptions")
            .field("settings", &self.settings)
            .field("only_hook", &self.only_hook)
            .field("id", &self.id)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}

/// The error that a component cannot be tested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The component does not load, or `hooks.toml` has a table of a hook that does not exist.
    #[error(transparent)]
    Hooks(#[from] HooksError),
    /// The id of the hook is not the name of its project.
    #[error(
        "the hook's id is `{id}`, and portcullis.toml says `name = \"{name}\"`: a project is named as the id of its hook; change one of them"
    )]
    OtherId {
        /// The hook's id.
        id: String,
        /// The name of the project.
        name: String,
    },
    /// A case has a file that the hook cannot access.
    #[error(
        "`[files]` has `{0}`, which is in no directory that the hook is granted; grant one: [grants] read = [\"DIRECTORY\"]"
    )]
    File(String),
    /// No temporary directory can be created for the component or its files.
    #[error("a temporary directory for the component cannot be created: {0}")]
    Place(#[from] std::io::Error),
    /// The runtime does not start.
    #[error("the async runtime cannot be started: {0}")]
    Runtime(#[source] std::io::Error),
}

/// A component under test.
#[derive(Debug, Clone)]
pub struct Sample {
    pub(crate) file: PathBuf,
    /// The directory that the relative paths of grants refer to.
    pub(crate) dir: PathBuf,
    pub(crate) report: HookReport,
    /// The settings, including those of this hook.
    pub(crate) settings: Settings,
    pub(crate) cache: CacheChoice,
    pub(crate) compiler: Compiler,
    /// Whether `hooks.toml` has a table for it.
    pub(crate) is_named: bool,
}

impl Sample {
    /// Opens a component. Its grants are those of `hooks.toml`. If `hooks.toml` has no table for
    /// it, its imports are granted.
    ///
    /// # Errors
    ///
    /// The file or `hooks.toml` is not valid.
    pub fn open(file: &Path, options: &SampleOptions<'_>) -> Result<Self, SampleError> {
        let beside = file.parent().unwrap_or(Path::new(""));
        let dir = options.settings.as_deref().unwrap_or(beside);
        let mut settings = Settings::of_dir(dir).map_err(HooksError::from)?;
        let loading = LoadOptions {
            cache: options.cache.clone(),
            compiler: options.compiler.clone(),
            progress: options.progress,
            ..LoadOptions::default()
        };
        let report = inspect(file, &settings, &loading)?;
        let id = report.id.as_str();
        // Checked before the settings, which may have a table with the project's name.
        if let Some(name) = options.id.as_ref().filter(|name| *name != id) {
            return Err(SampleError::OtherId {
                id: id.to_owned(),
                name: name.clone(),
            });
        }
        let unknown = unknown_hooks(&settings, id, options.only_hook);
        if !unknown.is_empty() {
            return Err(HooksError::from(unknown).into());
        }
        let said = settings.hooks.remove(id);
        let is_named = said.is_some();
        let own = alone(said.unwrap_or_else(all_grants));
        settings.hooks = [(id.to_owned(), own)].into();
        // Tested alone, and without a lock file.
        settings.scripts.clear();
        settings.integrity = Integrity::default();
        // Earlier failures have no effect on a call.
        settings.quarantine.failures = u32::MAX;
        Ok(Self {
            file: file.to_owned(),
            dir: std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned()),
            report,
            settings,
            cache: options.cache.clone(),
            compiler: options.compiler.clone(),
            is_named,
        })
    }

    /// Returns the hook's report.
    pub fn report(&self) -> &HookReport {
        &self.report
    }

    /// The name of the settings file.
    pub const SETTINGS: &str = FILE_NAME;

    /// Returns the hook's settings.
    pub(crate) fn said(&self) -> HookSettings {
        let said = self.settings.hooks.get(self.report.id.as_str());
        said.cloned().unwrap_or_default()
    }
}

/// Returns an error for each table of an unknown hook. If the file is only for this hook, all other
/// tables are such. Otherwise a table is, if its name is similar to the hook's id and the hook has
/// no table.
fn unknown_hooks(settings: &Settings, id: &str, only_hook: bool) -> Vec<SettingsError> {
    let names: Vec<&str> = match only_hook {
        true => {
            let names = settings.hooks.keys().map(String::as_str);
            names.filter(|name| *name != id).collect()
        }
        false => settings.misspelt_table(id).into_iter().collect(),
    };
    let unknown = names.into_iter().map(|name| {
        let fix = match nearest(name, std::iter::once(id)) {
            Some(id) => format!("did you mean `{id}`?"),
            None => format!("remove its table, since the project has only the hook `{id}`"),
        };
        let problem = format!("there is no hook `{}`; {fix}", sanitize_for_terminal(name));
        settings.error(&["hooks", name], problem)
    });
    unknown.collect()
}

/// Returns the settings of a hook that is alone: `after` is empty, it is enabled, and its answers
/// take effect.
fn alone(mut said: HookSettings) -> HookSettings {
    said.after = Some(Vec::new());
    said.enabled = Some(true);
    said.mode = Some(Mode::Enforce);
    // There is no store and no journal to wait for.
    (said.write_state, said.write_run) = (None, None);
    said
}

fn all_grants() -> HookSettings {
    HookSettings {
        grants: Grants {
            secrets: vec![SECRET.to_owned()],
            ..Grants::for_a_test(NAMESPACE, TOKENS)
        },
        ..HookSettings::default()
    }
}
