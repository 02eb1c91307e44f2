//! The hosts of replayed calls: one for each setup of the hook.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use portcullis::hooks::{HooksError, LoadError, LoadErrors, LoadFault};
use portcullis::limits::QuarantineOptions;
use portcullis::recording::{InstanceCall, Playback, RecordedSetup};
use portcullis::settings::{FILE_NAME, Settings};
use portcullis::{Hooks, LoadOptions};
use portcullis_recording::{Outcome, StoredCall};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::compare::{Compared, cause, compare};
use super::directories::{Directories, LeftBehind};
use super::order::Unit;
use super::playing::Playing;
use super::secrets::StandIns;
use super::state::Recorded;
use super::{ReplayError, ReplayOptions};

/// The wall time limit of a call, if its own limit was lower. Deadlines are not compared, because
/// the machine is another one; but a call that loops must end.
const WALL_MS: u64 = 60_000;

/// The hosts of a thread.
pub(super) struct Hosts {
    options: ReplayOptions,
    runtime: Runtime,
    hosts: BTreeMap<String, Host>,
    /// The keys of setups, by their addresses.
    keys: BTreeMap<usize, (Arc<RecordedSetup>, String)>,
}

pub(super) struct Host {
    pub(super) hooks: Hooks,
    pub(super) playback: Playback,
    pub(super) secrets: StandIns,
    directories: Directories,
    /// The namespaces that the hook shares.
    shared: Vec<String>,
    _dir: TempDir,
}

impl Hosts {
    pub(super) fn new(options: &ReplayOptions) -> Result<Self, ReplayError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        Ok(Self {
            options: options.clone(),
            runtime,
            hosts: BTreeMap::new(),
            keys: BTreeMap::new(),
        })
    }

    /// Replays the calls of a unit.
    pub(super) fn play(&mut self, unit: &Unit) -> Result<Vec<Compared>, ReplayError> {
        // The result must not depend on the earlier units of a thread.
        self.hosts.values().for_each(Host::forget);
        let mut compared = Vec::with_capacity(unit.calls.len());
        let mut recorded = Recorded::default();
        // One open session for each recorded instance that has more calls.
        let mut playing: BTreeMap<u64, Playing> = BTreeMap::new();
        let instances = unit.calls.iter().map(|call| call.instance.instance);
        let last_calls: BTreeMap<u64, usize> = instances.zip(0..).collect();
        // The private state, by session opening. The state of the last call's opening is in the
        // open session of its instance.
        let mut remembered: BTreeMap<u64, Value> = BTreeMap::new();
        let mut last: Option<(u64, u64)> = None;
        // The recorded directory entries after the last call, and the host that replayed the call.
        let mut left: Option<(String, LeftBehind)> = None;
        for (index, call) in unit.calls.iter().enumerate() {
            let is_compared = self
                .options
                .since_ms
                .is_none_or(|since| call.at_ms >= since);
            if let Some(why) = why_not(call) {
                if is_compared {
                    compared.push(Compared::not_made(call, why));
                }
                left = None;
                continue;
            }
            let key = self.key(&call.setup);
            let host = host(&mut self.hosts, &self.options, &key, &call.setup)?;
            let InstanceCall {
                instance, opening, ..
            } = call.instance;
            let is_open = playing.get(&instance).is_some_and(|now| now.setup == key);
            if !is_open || last != Some((instance, opening)) {
                if let Some((instance, opening)) = last
                    && let Some(now) = playing.get(&instance)
                {
                    remembered.insert(opening, now.state());
                }
                last = Some((instance, opening));
                playing.retain(|of, _| last_calls.get(of).is_some_and(|last| *last >= index));
                if !is_open {
                    playing.insert(instance, Playing::open(host, key, call));
                }
                if let Some(now) = playing.get(&instance) {
                    now.remember(&self.options.id, remembered.get(&opening));
                }
            }
            let Some(now) = playing.get_mut(&instance) else {
                continue;
            };
            let world = host.secrets.restored(&call.world);
            let (changed, written) = recorded.follow(opening, &world);
            now.set(host, &self.options.id, changed);
            let starts_whole = now.next == Some(call.instance.call);
            now.next = now.next.and(Some(call.instance.call + 1));
            if !starts_whole {
                now.next = None;
            }
            if !call.directories.is_empty() {
                let before = left.take().filter(|(of, _)| *of == now.setup);
                let before = before.map(|(_, left)| left).unwrap_or_default();
                if let Err(error) = host.directories.prepare(call, &before, &host.secrets) {
                    now.next = None;
                    if is_compared {
                        let why = format!("its directories cannot be made: {error}");
                        compared.push(Compared::not_made(call, why));
                    }
                    continue;
                }
                left = Some((now.setup.clone(), LeftBehind::of(call)));
            }
            host.playback.load(call.instance, world);
            match now.call(&self.runtime, host, call) {
                Ok(made) => {
                    if counted(&call.outcome) {
                        recorded.wrote(written);
                    }
                    if is_compared {
                        compared.push(compare(call, made, !starts_whole, &self.options));
                    }
                }
                Err(why) => {
                    now.next = None;
                    left = None;
                    if is_compared {
                        compared.push(Compared::not_made(call, why));
                    }
                }
            }
        }
        Ok(compared)
    }

    /// Returns a key that two setups share only if they are the same.
    fn key(&mut self, setup: &Arc<RecordedSetup>) -> String {
        let at = Arc::as_ptr(setup).addr();
        let (_, key) = self.keys.entry(at).or_insert_with(|| {
            // Another component of the same hook is replayed by the same one.
            let of = RecordedSetup {
                component: None,
                ..(**setup).clone()
            };
            let key = serde_json::to_string(&of).unwrap_or_default();
            (setup.clone(), key)
        });
        key.clone()
    }
}

/// Returns the reason that a call is not replayed, if there is one.
fn why_not(call: &StoredCall) -> Option<String> {
    let ended_late = || {
        let why = "it ended at a deadline, which depends on the machine";
        (cause(&call.outcome) == Some("deadline")).then(|| why.to_owned())
    };
    call.cannot_be_replayed().or_else(ended_late)
}

/// Returns the host of a setup, created for its first call.
fn host<'a>(
    hosts: &'a mut BTreeMap<String, Host>,
    options: &ReplayOptions,
    key: &str,
    setup: &RecordedSetup,
) -> Result<&'a Host, ReplayError> {
    if !hosts.contains_key(key) {
        hosts.insert(key.to_owned(), Host::load(setup, options)?);
    }
    hosts.get(key).ok_or(ReplayError::Nothing)
}

/// Returns whether the writes of a call took effect.
fn counted(outcome: &Outcome) -> bool {
    outcome.status.get("completed").is_some()
}

impl Host {
    fn load(setup: &RecordedSetup, options: &ReplayOptions) -> Result<Self, ReplayError> {
        let failed = |cause: String| ReplayError::Load {
            component: options.component.display().to_string(),
            hook: setup.hook.to_string(),
            cause,
        };
        let dir = tempfile::tempdir()?;
        let file = dir.path().join(format!("{}.wasm", options.id));
        std::fs::hard_link(&options.component, &file)
            .or_else(|_| std::fs::copy(&options.component, &file).map(drop))?;
        let text = settings(setup, options).map_err(&failed)?;
        let causes = |errors: &LoadErrors| causes(errors, options);
        let mut settings = Settings::parse(Path::new(FILE_NAME), &text)
            .map_err(|errors| failed(causes(&LoadErrors::from(errors))))?;
        let playback = Playback::default();
        settings.engine.playback = Some(playback.clone());
        settings.defaults.views = portcullis::capabilities::View::ALL.to_vec();
        settings.defaults.answers = portcullis::points::AnswerKind::ALL.to_vec();
        settings.quarantine = QuarantineOptions {
            failures: u32::MAX,
            ..settings.quarantine
        };
        settings.turn.hooks = Duration::from_secs(86_400 * 365);
        settings.turn.fuel = u64::MAX;
        let secrets = StandIns::new(&setup.of.secrets);
        let directories = Directories::new(granted(setup).into_iter())
            .map_err(|error| failed(format!("its directories cannot be made: {error}")))?;
        settings.engine.directories = directories.places();
        let load = LoadOptions {
            cache: options.cache.clone(),
            compiler: options.compiler.clone(),
            secrets: Some(Arc::new(secrets.clone())),
            ..LoadOptions::default()
        };
        let hooks = Hooks::load_with(dir.path(), &settings, &load).map_err(|error| {
            failed(match error {
                HooksError::Load(errors) => causes(&errors),
                other => other.to_string(),
            })
        })?;
        Ok(Self {
            hooks,
            playback,
            secrets,
            directories,
            shared: setup
                .of
                .grants
                .get("shared-state")
                .and_then(|names| serde_json::from_value(names.clone()).ok())
                .unwrap_or_default(),
            _dir: dir,
        })
    }

    /// Empties the shared state.
    fn forget(&self) {
        let state = self.hooks.state();
        for space in &self.shared {
            for key in state.shared_all(space).keys() {
                state.remove_shared(space, key);
            }
        }
    }
}

/// Returns the directories that a hook was granted, by its names for them.
fn granted(setup: &RecordedSetup) -> Vec<&str> {
    let grants = ["read", "write"].into_iter();
    let lists = grants.filter_map(|key| setup.of.grants.get(key)?.as_array());
    lists.flatten().filter_map(Value::as_str).collect()
}

/// Returns the errors without positions and fixes, which are about files of the replay. A value of
/// the settings is named by its keys.
fn causes(LoadErrors(errors): &LoadErrors, options: &ReplayOptions) -> String {
    let is_of_config = |keys: &[String]| keys.first().is_some_and(|key| key == "config");
    let cause = |error: &LoadError| match &error.fault {
        LoadFault::Settings(error) => match error.keys.get(2..) {
            Some(keys) if !keys.is_empty() => {
                let whose = match is_of_config(keys) && options.config.is_some() {
                    true => "the given",
                    false => "its recorded",
                };
                format!("{whose} `{}`: {}", keys.join("."), error.unnamed_problem())
            }
            _ => error.problem.clone(),
        },
        fault => {
            let text = fault.to_string();
            // The fix is for `hooks.toml`.
            match text.split_once("; ") {
                Some((cause, _)) => cause.to_owned(),
                None => text,
            }
        }
    };
    let mut causes: Vec<String> = errors.iter().map(cause).collect();
    let is_config = |error: &LoadError| match &error.fault {
        LoadFault::Settings(error) => error.keys.get(2..).is_some_and(is_of_config),
        _ => false,
    };
    if options.config.is_none() && errors.iter().any(is_config) {
        causes.push("give it a configuration of its own with --config FILE".to_owned());
    }
    causes.join("; ")
}

/// Returns a `hooks.toml` with the recorded setup, except for its time limits, and for its
/// configuration if another one is given.
fn settings(setup: &RecordedSetup, options: &ReplayOptions) -> Result<String, String> {
    let mut limits = setup.of.limits.clone();
    if let Some(limits) = limits.as_object_mut() {
        if limits.get("fuel").is_some_and(Value::is_null) {
            limits.insert("fuel".into(), false.into());
        }
        for key in ["deadline-ms", "wall-ms"] {
            let allowed = limits.get(key).and_then(Value::as_u64).unwrap_or_default();
            limits.insert(key.into(), WALL_MS.max(allowed).into());
        }
    }
    let mut grants = setup.of.grants.clone();
    if let Some(grants) = grants.as_object_mut() {
        grants.retain(|key, value| {
            let is_empty = value.as_array().is_some_and(Vec::is_empty);
            let is_left_out = value.is_null() || (key == "contribute" && is_empty);
            !is_left_out
        });
        for views in ["views", "answers"] {
            grants.remove(views);
        }
        if !setup.of.files {
            // The entries were not recorded, because the hook cannot access them. Empty directories
            // would be different results.
            for directories in ["read", "write"] {
                grants.remove(directories);
            }
        }
    }
    let config = match &options.config {
        Some(config) => Value::Object(config.clone()),
        None if options.reads_config => setup.of.config.clone(),
        None => Value::Object(Map::new()),
    };
    let isolation = match setup.of.isolation.as_str() {
        // A session is opened for each instance.
        Some("shared") => Value::from("session"),
        _ => setup.of.isolation.clone(),
    };
    let hook = json!({
        "role": setup.role,
        "failure": setup.failure,
        "mode": setup.mode,
        "execution": "blocking",
        "isolation": isolation,
        "limits": limits,
        "grants": grants,
        "config": config,
    });
    let whole = json!({ "hooks": { options.id.as_str(): bare(hook) } });
    toml::to_string(&whole).map_err(|e| e.to_string())
}

/// Returns a value without nulls, which TOML does not have.
fn bare(value: Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(
            map.into_iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| (key, bare(value)))
                .collect(),
        ),
        Value::Array(list) => list.into_iter().map(bare).collect(),
        other => other,
    }
}
