//! A host with only the component, set up for one run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::DeferAll;
use portcullis::capabilities::HttpRule;
use portcullis::compiler::Compiler;
use portcullis::contract::ExecutionPolicy;
use portcullis::hooks::{CacheChoice, HooksError, LoadErrors};
use portcullis::http::HttpServers;
use portcullis::limits::Deterministic;
use portcullis::secrets::{SecretError, SecretSource, Secrets};
use portcullis::settings::{Grants, Isolation, LimitOverrides, Settings};
use portcullis::state::PrivateState;
use portcullis::{Hooks, LoadOptions, Session, SessionOptions};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::Record;
use super::files::{self, Files};
use super::http::{HttpScript, ScriptedServers};
use super::model::{ModelAnswer, ScriptedModel};
use crate::sample::{SECRET, Sample, SampleError};

/// The default value of a secret.
const ANY_SECRET: &str = "a-secret-of-no-worth";
/// The time limit for detached runs to end.
const DRAIN: Duration = Duration::from_secs(10);

/// The setup of a component for one run. Unset fields have the values of `hooks.toml`.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Its configuration.
    pub config: Option<Map<String, Value>>,
    /// Its grants.
    pub grants: Option<Grants>,
    /// Its limits.
    pub limits: Option<LimitOverrides>,
    /// Its isolation.
    pub isolation: Option<Isolation>,
    /// Whether the chain waits for it.
    pub execution: Option<ExecutionPolicy>,
    /// Its state in the session.
    pub state: BTreeMap<String, Vec<u8>>,
    /// The content of shared namespaces.
    pub shared: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
    /// Its secrets.
    pub secrets: BTreeMap<String, String>,
    /// The answers of the agent's model to the hook's prompts, in this order.
    pub model: Vec<ModelAnswer>,
    /// The servers' answers, if the hook is [sealed](Self::sealed).
    pub http: HttpScript,
    /// The files of directories that it is granted, by their paths, if it is [sealed](Self::sealed).
    pub files: BTreeMap<String, Vec<u8>>,
    /// Whether the hook reaches only what is set up: [`Setup::http`] answers its requests, its
    /// secrets are [`Setup::secrets`], and its files are [`Setup::files`]. Default no: requests are
    /// sent to the network, secrets are those of `hooks.toml`, and files are those on the disk.
    pub sealed: bool,
    /// Whether the hook's calls of the host are traced. Default no.
    pub trace: bool,
    /// Its clocks and random numbers. Default: the machine's.
    pub deterministic: Option<Deterministic>,
    /// The cache of compiled components. Default: that of the sample.
    pub cache: Option<CacheChoice>,
    /// The session's id. Default: `test`.
    pub session: Option<String>,
}

/// A host with only the component.
pub struct Fixture {
    pub(super) hooks: Hooks,
    pub(super) session: Session,
    pub(super) record: Arc<Record>,
    pub(super) runtime: Runtime,
    pub(super) place: Place,
    /// The servers that answer its requests, if it is sealed.
    pub(super) servers: Option<Arc<ScriptedServers>>,
}

/// A hooks directory with only the component, and its settings.
pub(crate) struct Place {
    dir: TempDir,
    /// Its files, if it is sealed.
    pub(super) files: Option<Files>,
    settings: Settings,
    secrets: Given,
    compiler: Compiler,
    pub(crate) id: String,
    /// The component's own file.
    component: PathBuf,
}

impl Place {
    pub(crate) fn new(sample: &Sample, setup: &Setup) -> Result<Self, SampleError> {
        let mut settings = settings(sample, setup);
        let dir = tempfile::tempdir()?;
        let name = sample.file.file_name().unwrap_or_default();
        let place = dir.path().join(name);
        // A copy, if no link can be created.
        std::fs::hard_link(&sample.file, &place)
            .or_else(|_| std::fs::copy(&sample.file, &place).map(drop))?;
        let (files, directories) = directories(sample, setup, &settings)?;
        settings.engine.directories = directories;
        Ok(Self {
            dir,
            files,
            settings,
            secrets: Given {
                secrets: setup.secrets.clone(),
                others: (!setup.sealed).then(|| sample.settings.clone()),
            },
            compiler: sample.compiler.clone(),
            id: sample.report.id.to_string(),
            component: sample.file.clone(),
        })
    }

    /// Loads the component, as [`Hooks::load`] does.
    pub(crate) fn load(&self, cache: &CacheChoice) -> Result<Hooks, SampleError> {
        let options = LoadOptions {
            cache: cache.clone(),
            compiler: self.compiler.clone(),
            secrets: Some(Arc::new(self.secrets.clone())),
            ..LoadOptions::default()
        };
        let loaded = Hooks::load_with(self.dir.path(), &self.settings, &options);
        Ok(loaded.map_err(|error| self.told(error))?)
    }

    /// Returns the error with the component's own file in place of the copy.
    fn told(&self, mut error: HooksError) -> HooksError {
        if let HooksError::Load(LoadErrors(errors)) = &mut error {
            for error in errors {
                if error.file.starts_with(self.dir.path()) {
                    error.file.clone_from(&self.component);
                }
            }
        }
        error
    }

    /// Returns the namespaces that the hook may share.
    pub(super) fn namespaces(&self) -> &[String] {
        let said = self.settings.hooks.get(&self.id);
        said.map_or(&[], |said| &said.grants.shared_state)
    }
}

/// Returns the runtime for calls.
pub(crate) fn runtime() -> Result<Runtime, SampleError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(SampleError::Runtime)
}

impl std::fmt::Debug for Fixture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fixture")
            .field("id", &self.place.id)
            .finish_non_exhaustive()
    }
}

impl Fixture {
    /// Loads the component, as [`Hooks::load`] does, and opens a session.
    ///
    /// # Errors
    ///
    /// The component does not load with this setup.
    pub fn new(sample: &Sample, setup: &Setup) -> Result<Self, SampleError> {
        let mut place = Place::new(sample, setup)?;
        let record = Arc::new(Record::traced(setup.trace));
        let servers = setup.sealed.then(|| {
            Arc::new(ScriptedServers::new(
                setup.http.clone(),
                Secrets::of(setup.secrets.clone()),
                record.clone(),
            ))
        });
        place.settings.engine.http = servers.clone().map(|servers| HttpServers(servers));
        let hooks = place.load(setup.cache.as_ref().unwrap_or(&sample.cache))?;
        for (namespace, values) in &setup.shared {
            for (key, value) in values {
                hooks.state().set_shared(namespace, key, value.clone());
            }
        }
        let session = open(&hooks, &place.id, setup, &record);
        Ok(Self {
            hooks,
            session,
            record,
            runtime: runtime()?,
            place,
            servers,
        })
    }

    /// Returns the differences from the setup.
    pub(super) fn problems(&self) -> Vec<String> {
        let mut problems = self.record.take_problems();
        if let Some(servers) = &self.servers {
            problems.extend(servers.take_problems());
        }
        problems
    }

    /// Closes the session and opens another, with new instances and the state of the setup.
    pub fn reopen(&mut self, setup: &Setup) {
        self.session = open(&self.hooks, &self.place.id, setup, &self.record);
    }

    /// Waits for background work.
    pub(super) fn drain(&self) {
        self.runtime.block_on(self.hooks.drain(DRAIN));
    }

    /// Returns the setup's secrets, to remove them from printed texts.
    pub(super) fn redact(&self) -> Secrets {
        Secrets::of(self.place.secrets.secrets.clone())
    }

    /// Returns the hook's state in the session.
    pub(super) fn state(&self) -> BTreeMap<String, Vec<u8>> {
        // The field is private, and the type is transparent in JSON.
        let written = serde_json::to_value(self.session.private_state()).unwrap_or_default();
        let hook = written
            .get(0)
            .and_then(|all| all.get(&self.place.id))
            .cloned();
        hook.and_then(|hook| serde_json::from_value(hook).ok())
            .unwrap_or_default()
    }
}

pub(crate) fn open(hooks: &Hooks, id: &str, setup: &Setup, record: &Arc<Record>) -> Session {
    let name = setup.session.clone().unwrap_or_else(|| "test".into());
    let session = hooks.session(SessionOptions {
        sink: record.clone(),
        approver: Arc::new(DeferAll),
        model: Arc::new(ScriptedModel::new(&setup.model, record.clone())),
        ..SessionOptions::new(name)
    });
    if !setup.state.is_empty() {
        let written = json!([{ id: setup.state }]);
        let state: Vec<PrivateState> = serde_json::from_value(written).unwrap_or_default();
        session.restore(state);
    }
    session
}

fn settings(sample: &Sample, setup: &Setup) -> Settings {
    let mut settings = sample.settings.clone();
    settings.engine.deterministic = setup.deterministic;
    let mut said = sample.said();
    if let Some(config) = &setup.config {
        said.config = config.clone();
    }
    if let Some(limits) = &setup.limits {
        said.limits = limits.clone();
    }
    if let Some(grants) = &setup.grants {
        said.grants = grants.clone();
    }
    if setup.isolation.is_some() {
        said.isolation = setup.isolation;
    }
    let grants = &mut said.grants;
    add(&mut grants.shared_state, setup.shared.keys());
    add(&mut grants.secrets, setup.secrets.keys());
    if grants.http.is_empty() {
        match (setup.sealed, sample.is_named) {
            (true, _) => grants.http = servers(&setup.http),
            // The hook loads, but reaches no server.
            (false, false) => grants.http = servers(&HttpScript::default()),
            (false, true) => {}
        }
    }
    if setup.sealed && grants.read.is_empty() && grants.write.is_empty() {
        grants.read = files::above(setup.files.keys());
    }
    if setup.execution.is_some() {
        said.execution = setup.execution;
    }
    settings.hooks = [(sample.report.id.to_string(), said)].into();
    settings
}

/// Returns the paths of the granted directories: those of a case, or else the original ones,
/// because the component is loaded from another directory.
fn directories(
    sample: &Sample,
    setup: &Setup,
    settings: &Settings,
) -> Result<(Option<Files>, BTreeMap<String, PathBuf>), SampleError> {
    let mut granted = settings.hooks.values().map(|said| &said.grants);
    if !setup.sealed {
        let paths = granted.flat_map(|grants| grants.read.iter().chain(&grants.write));
        let own = paths.map(|path| (path.clone(), sample.dir.join(path)));
        return Ok((None, own.collect()));
    }
    let grants = granted.next().cloned().unwrap_or_default();
    let files = Files::new(&grants, &setup.files)?;
    let directories = files.directories();
    Ok((Some(files), directories))
}

/// Adds the names in the setup to the grants.
fn add<'a>(granted: &mut Vec<String>, names: impl Iterator<Item = &'a String>) {
    for name in names {
        if !granted.contains(name) {
            granted.push(name.clone());
        }
    }
}

/// Returns rules for the servers of a script, with all methods. Without servers, returns a rule for
/// a server that is not reached, so that the hook loads.
fn servers(script: &HttpScript) -> Vec<HttpRule> {
    const ALL: &str = "GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS";
    let urls = script.entries.iter().map(|entry| entry.url.0.as_str());
    let origins: BTreeSet<&str> = urls.filter_map(crate::case::origin).collect();
    let rules = |origins: &mut dyn Iterator<Item = &str>| -> Vec<HttpRule> {
        origins
            .filter_map(|origin| format!("{ALL} {origin}").parse().ok())
            .collect()
    };
    match origins.is_empty() {
        true => rules(&mut ["https://no-entry.invalid"].into_iter()),
        false => rules(&mut origins.into_iter()),
    }
}

/// The given secrets and, unless the hook is sealed, those of `hooks.toml`.
#[derive(Clone)]
struct Given {
    secrets: BTreeMap<String, String>,
    others: Option<Settings>,
}

impl SecretSource for Given {
    fn read(&self, name: &str) -> Result<String, SecretError> {
        match self.secrets.get(name) {
            Some(secret) => Ok(secret.clone()),
            None if name == SECRET => Ok(ANY_SECRET.to_owned()),
            None => match &self.others {
                Some(others) => others.read(name),
                None => Err(SecretError(format!(
                    "the case does not name it, and real ones are not read; write it: [secrets] {name} = \"any text\""
                ))),
            },
        }
    }
}
