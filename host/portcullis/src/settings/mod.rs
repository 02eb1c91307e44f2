//! The operator's settings, from `hooks.toml`.
//!
//! The file is optional and is in the hooks directory. Every key in it is checked: an unknown key,
//! an unknown hook or a bad value is an error with file, line and the nearest valid name.

mod check;
mod config;
mod file;
mod http;
mod integrity;
mod left_out;
mod misfit;
mod partial;
mod places;
mod recording;
mod schema;
mod script;
mod secrets;
mod source;
mod steps;
mod telemetry;
mod trust;
mod unnamed;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::chain::quarantine::QuarantineOptions;
use crate::contract::{ExecutionPolicy, FailurePolicy, HookRole};
use crate::model::hook::Mode;
use crate::model::limits::{Limits, TurnLimits};
use crate::model::points::AnswerKind;
use crate::model::prompt::Policies;
use crate::model::regular_file;
use crate::model::share::Share;
use crate::model::view::View;
use crate::sandbox::engine::EngineOptions;

pub use crate::model::isolation::Isolation;
pub use crate::model::limits::LimitOverrides;
pub use crate::model::state::WriteState;
pub use crate::model::write_run::WriteRun;
pub use crate::sandbox::capabilities::Grants;
pub use http::HttpSettings;
pub use integrity::{Integrity, LockRule, OnMismatch};
pub use partial::PartialSettings;
pub use recording::RecordingTable;
pub(crate) use schema::{part_of, schema_with, subschemas};
pub use schema::{schema, schema_of};
pub use script::ScriptSettings;
pub use secrets::SecretPlace;
pub(crate) use source::MOST_TOLD;
pub use source::{SettingsError, TomlSource};
pub use telemetry::TelemetryTable;
pub use trust::{Requirement, SignerIdentity, SourceTrust, Trust, is_loopback, plain_source};
pub use unnamed::{Unnamed, UnnamedRule};

/// The name of the settings file.
pub const FILE_NAME: &str = "hooks.toml";

/// The most bytes of the file: enough for the settings of thousands of hooks.
const LARGEST: u64 = 1 << 20;

/// The operator's settings.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The options of the engine.
    pub engine: EngineOptions,
    /// The budget of all components in one turn of a session.
    pub turn: TurnLimits,
    /// The options for quarantine: a component that keeps failing is not called for a while.
    pub quarantine: QuarantineOptions,
    /// The rules for loading files of the hooks directory.
    pub integrity: Integrity,
    /// The requirements for fetched components.
    pub trust: Trust,
    /// Settings for recording calls in programs that serve the directory. Default: calls are not
    /// recorded.
    pub recording: Option<RecordingTable>,
    /// The file with the alerts of programs that serve the directory. Default: none.
    pub alerts_file: Option<PathBuf>,
    /// The telemetry destination of programs that serve the directory. Default: none, unless the
    /// environment specifies one.
    pub telemetry: Option<TelemetryTable>,
    /// Settings for the requests of all hooks.
    pub http: HttpSettings,
    /// Settings for hooks that have none of their own.
    pub defaults: Defaults,
    /// The maximum permissions of a component that `hooks` does not name.
    pub unnamed: Unnamed,
    /// The settings of single hooks, by id.
    pub hooks: BTreeMap<String, HookSettings>,
    /// The hooks that are commands, by id.
    pub scripts: BTreeMap<String, ScriptSettings>,
    /// The locations of secrets, by name.
    pub secrets: BTreeMap<String, SecretPlace>,
    pub(crate) source: TomlSource,
}

/// Settings for hooks that have none of their own.
#[derive(Debug, Clone)]
pub struct Defaults {
    /// The limits.
    pub limits: Limits,
    /// The views that hooks may import. Default: all. A hook sees only the views that it imports.
    pub views: Vec<View>,
    /// The answers that hooks may import, except contributions. Default: all.
    pub answers: Vec<AnswerKind>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            views: View::ALL.to_vec(),
            answers: AnswerKind::ALL.to_vec(),
        }
    }
}

/// The settings of one hook. A missing setting takes its value from the hook's descriptor, or the
/// default.
#[derive(Debug, Clone, Default)]
pub struct HookSettings {
    /// Whether the hook is enabled. Default yes.
    pub enabled: Option<bool>,
    /// The priority; low runs first.
    pub priority: Option<i32>,
    /// The hooks that run before this one, in place of those that the author declares.
    pub after: Option<Vec<String>>,
    /// The role, which limits the answers.
    pub role: Option<HookRole>,
    /// The failure policy.
    pub failure: Option<FailurePolicy>,
    /// The execution policy: how the agent waits for the hook.
    pub execution: Option<ExecutionPolicy>,
    /// The lifetime of the hook's instances. Default: the session.
    pub isolation: Option<Isolation>,
    /// The time at which the hook's own state is written to the host's store. Default: after the
    /// answer.
    pub write_state: Option<WriteState>,
    /// The time at which the start of a run is written to the journal. Default: before the answer
    /// counts for an audit that fails closed, if there is a journal; after the answer for other
    /// hooks.
    pub write_run: Option<WriteRun>,
    /// The mode: whether the hook's answers count. Default: they do.
    pub mode: Option<Mode>,
    /// The share of sessions in which the hook's answers count. In the others, the hook runs in
    /// audit mode. Default: all.
    pub share: Option<Share>,
    /// The effect of the hook's policies on earlier policies of the same domain. Default: they
    /// narrow them.
    pub policies: Policies,
    /// The hook's limits that differ from the defaults.
    pub limits: LimitOverrides,
    /// The grants.
    pub grants: Grants,
    /// The configuration.
    pub config: serde_json::Map<String, serde_json::Value>,
}

/// Reads the text of a settings file: a regular file of at most `most` bytes. Links are followed.
///
/// # Errors
///
/// Returns an error if the file cannot be read, is not a regular file, is too large, or is not
/// UTF-8.
pub fn read_text(path: &Path, most: u64) -> std::io::Result<String> {
    regular_file::read_text(path, most)
}

impl Settings {
    /// Reads the settings of a hooks directory, or returns the defaults if it has none.
    ///
    /// # Errors
    ///
    /// Returns all errors in the file, not only the first.
    pub fn of_dir(dir: &Path) -> Result<Self, Vec<SettingsError>> {
        Self::of_dir_partly(dir).whole()
    }

    fn of_dir_partly(dir: &Path) -> PartialSettings {
        let path = dir.join(FILE_NAME);
        let (settings, errors) = match regular_file::read_text(&path, LARGEST) {
            Ok(text) => return Self::parse_partly(&path, &text),
            // A missing file is read as an empty one, so that errors contain its path.
            Err(e) if e.kind() == ErrorKind::NotFound && !dir.is_file() => {
                return Self::parse_partly(&path, "");
            }
            Err(_) if dir.is_file() => (Self::default(), vec![not_a_directory(dir)]),
            Err(e) => {
                let problem = format!("cannot be read: {e}; put the settings there as a text file");
                let error = SettingsError::of_file(&path, problem);
                (Self::left_out(TomlSource::unread(&path)), vec![error])
            }
        };
        PartialSettings { settings, errors }
    }

    /// Creates an error about the value at a path of keys. List entries have their index, counted
    /// from 0.
    pub fn error(&self, keys: &[&str], problem: String) -> SettingsError {
        self.source.error(keys, problem)
    }

    /// Reads settings from text. Errors show `path` as its file.
    ///
    /// # Errors
    ///
    /// Returns all errors in the text, not only the first.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Vec<SettingsError>> {
        Self::parse_partly(path, text).whole()
    }

    fn parse_partly(path: &Path, text: &str) -> PartialSettings {
        let source = TomlSource::new(path, text);
        let (file, mut errors) = source.read_partly();
        let settings = match file {
            Some(file) => {
                let (settings, wrong) = check::settings(file, source);
                // An error of a value may follow from an entry that could not be read.
                let own = wrong
                    .into_iter()
                    .filter(|error| !settings.source.follows(error));
                errors.extend(own);
                errors.sort_by_key(|error| error.line);
                settings
            }
            None => Self::left_out(source),
        };
        let errors = settings.source.capped(errors);
        PartialSettings { settings, errors }
    }

    /// Returns the defaults, in place of a file that could not be read.
    fn left_out(source: TomlSource) -> Self {
        Self {
            source,
            ..Self::default()
        }
    }

    /// Returns whether the grants of the component with this id are known: no part of them was left
    /// out.
    pub(crate) fn knows_grants(&self, id: &str) -> bool {
        let of_all = ["unnamed", "defaults"];
        let lacks = |keys: &[&str]| self.source.lacks(keys);
        !lacks(&["hooks", id, "grants"]) && !of_all.iter().any(|table| lacks(&[table]))
    }
}

/// Creates the error for a file, such as a hook or `hooks.toml`, that is given in place of a hooks
/// directory.
pub fn not_a_directory(file: &Path) -> SettingsError {
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    let parent = parent.unwrap_or(Path::new("."));
    let problem = format!(
        "is a file, and a hooks directory is meant; name the directory that it is in: {}",
        parent.display()
    );
    SettingsError::of_file(file, problem)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_from_a_regular_file_of_some_size_and_nothing_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE_NAME);
        let wrong = |said: &str| {
            let errors = Settings::of_dir(dir.path()).expect_err(said);
            let error = errors[0].to_string();
            assert!(error.contains(said) && error.contains(FILE_NAME), "{error}");
        };
        assert!(Settings::of_dir(dir.path()).is_ok());
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        wrong("not a regular file");
        for device in ["/dev/zero", "/dev/null"] {
            std::fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink(device, &path).unwrap();
            wrong("not a regular file");
        }
        std::fs::remove_file(&path).unwrap();
        std::fs::File::create(&path)
            .unwrap()
            .set_len(5 << 30)
            .unwrap();
        wrong("the limit of 1048576 bytes");
        std::fs::write(&path, b"\xff").unwrap();
        wrong("not UTF-8");
        // An operator may keep the file elsewhere: a link is followed.
        std::fs::remove_file(&path).unwrap();
        std::fs::write(dir.path().join("elsewhere"), "[turn]\nfuel = 7\n").unwrap();
        std::os::unix::fs::symlink("elsewhere", &path).unwrap();
        assert_eq!(Settings::of_dir(dir.path()).unwrap().turn.fuel, 7);
    }
}
