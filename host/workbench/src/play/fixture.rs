//! A host with only the component, set up for one run.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::DeferAll;
use portcullis::compiler::Compiler;
use portcullis::contract::ExecutionPolicy;
use portcullis::hooks::CacheChoice;
use portcullis::limits::Deterministic;
use portcullis::secrets::{SecretError, SecretSource};
use portcullis::settings::{Grants, Isolation, LimitOverrides, Settings};
use portcullis::state::PrivateState;
use portcullis::{Hooks, LoadOptions, Session, SessionOptions};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::Record;
use super::model::{ModelAnswer, ScriptedModel};
use crate::sample::{SECRET, Sample, SampleError};

/// The default value of a secret.
const ANY_SECRET: &str = "a-secret-of-no-worth";
/// How long a detached run may take to end.
const DRAIN: Duration = Duration::from_secs(10);

/// How a component is set up for one run. The default of each field is as in `hooks.toml`.
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
    /// How the chain waits for it.
    pub execution: Option<ExecutionPolicy>,
    /// Its state in the session.
    pub state: BTreeMap<String, Vec<u8>>,
    /// The content of shared namespaces.
    pub shared: BTreeMap<String, BTreeMap<String, Vec<u8>>>,
    /// Its secrets.
    pub secrets: BTreeMap<String, String>,
    /// What the agent's model answers to its prompts, in this order.
    pub model: Vec<ModelAnswer>,
    /// Its clocks and random numbers. Default: the machine's.
    pub deterministic: Option<Deterministic>,
    /// Where compiled components are kept. Default: as the sample was opened.
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
}

/// A hooks directory with only the component, and its settings.
pub(crate) struct Place {
    dir: TempDir,
    settings: Settings,
    secrets: BTreeMap<String, String>,
    compiler: Compiler,
    pub(crate) id: String,
}

impl Place {
    pub(crate) fn new(sample: &Sample, setup: &Setup) -> Result<Self, SampleError> {
        let settings = settings(sample, setup);
        if sample.confined {
            confine(&settings, &setup.secrets)?;
        }
        let dir = tempfile::tempdir()?;
        let name = sample.file.file_name().unwrap_or_default();
        let place = dir.path().join(name);
        // A copy, where no link can be made.
        std::fs::hard_link(&sample.file, &place)
            .or_else(|_| std::fs::copy(&sample.file, &place).map(drop))?;
        Ok(Self {
            dir,
            settings,
            secrets: setup.secrets.clone(),
            compiler: sample.compiler.clone(),
            id: sample.report.id.to_string(),
        })
    }

    /// Loads it, as [`Hooks::load`] does.
    pub(crate) fn load(&self, cache: &CacheChoice) -> Result<Hooks, SampleError> {
        let secrets = Given {
            secrets: self.secrets.clone(),
            others: self.settings.clone(),
        };
        let options = LoadOptions {
            cache: cache.clone(),
            compiler: self.compiler.clone(),
            secrets: Some(Arc::new(secrets)),
            ..LoadOptions::default()
        };
        Ok(Hooks::load_with(self.dir.path(), &self.settings, &options)?)
    }

    /// The namespaces that the hook may share.
    pub(super) fn namespaces(&self) -> &[String] {
        let said = self.settings.hooks.get(&self.id);
        said.map_or(&[], |said| &said.grants.shared_state)
    }
}

/// The runtime for calls.
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
    /// It does not load as it is set up.
    pub fn new(sample: &Sample, setup: &Setup) -> Result<Self, SampleError> {
        let place = Place::new(sample, setup)?;
        let hooks = place.load(setup.cache.as_ref().unwrap_or(&sample.cache))?;
        for (namespace, values) in &setup.shared {
            for (key, value) in values {
                hooks.state().set_shared(namespace, key, value.clone());
            }
        }
        let record = Arc::new(Record::default());
        let session = open(&hooks, &place.id, setup, &record);
        Ok(Self {
            hooks,
            session,
            record,
            runtime: runtime()?,
            place,
        })
    }

    /// Closes the session and opens another: new instances, and state as it is set up.
    pub fn reopen(&mut self, setup: &Setup) {
        self.session = open(&self.hooks, &self.place.id, setup, &self.record);
    }

    /// Waits for what runs in the background.
    pub(super) fn drain(&self) {
        self.runtime.block_on(self.hooks.drain(DRAIN));
    }

    /// The hook's state in the session.
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
    let mut session = hooks.session(SessionOptions {
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
    if setup.execution.is_some() {
        said.execution = setup.execution;
    }
    settings.hooks = [(sample.report.id.to_string(), said)].into();
    settings
}

/// Refuses grants of what is outside of the test.
fn confine(settings: &Settings, given: &BTreeMap<String, String>) -> Result<(), SampleError> {
    let is_outside = |name: &String| name != SECRET && !given.contains_key(name);
    let granted = settings.hooks.values().map(|said| &said.grants);
    let reached = granted.flat_map(|grants| {
        [
            ("http", !grants.http.is_empty()),
            ("secrets", grants.secrets.iter().any(is_outside)),
            ("read", !grants.read.is_empty()),
            ("write", !grants.write.is_empty()),
        ]
    });
    let reached: Vec<&str> = reached
        .filter(|(_, is)| *is)
        .map(|(name, _)| name)
        .collect();
    match reached.is_empty() {
        true => Ok(()),
        false => Err(SampleError::Confined(reached)),
    }
}

/// Grants what the setup contains.
fn add<'a>(granted: &mut Vec<String>, names: impl Iterator<Item = &'a String>) {
    for name in names {
        if !granted.contains(name) {
            granted.push(name.clone());
        }
    }
}

/// The secrets that are given, and those of `hooks.toml`.
struct Given {
    secrets: BTreeMap<String, String>,
    others: Settings,
}

impl SecretSource for Given {
    fn read(&self, name: &str) -> Result<String, SecretError> {
        match self.secrets.get(name) {
            Some(secret) => Ok(secret.clone()),
            None if name == SECRET => Ok(ANY_SECRET.to_owned()),
            None => self.others.read(name),
        }
    }
}
