//! The hosts that calls are made in: one for each way in which the hook was set up.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use portcullis::approval::DeferAll;
use portcullis::contract::Context;
use portcullis::json::JsonPoint;
use portcullis::limits::QuarantineOptions;
use portcullis::observer::{HookEvent, HookObserver, LogLine};
use portcullis::points::{PointId, PointVisitor};
use portcullis::recording::{Playback, RecordedCall, RecordedSetup, World};
use portcullis::secrets::{SecretError, SecretSource};
use portcullis::settings::{FILE_NAME, Settings};
use portcullis::{Call, Hooks, LoadOptions, Session, SessionOptions, Views};
use portcullis_recording::{Outcome, StoredCall};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::compare::{Compared, Now, compare};
use super::order::Unit;
use super::state::{Changed, Recorded};
use super::{ReplayError, ReplayOptions};

/// How long a call may take. Deadlines are not what is compared: the machine of today is another one.
const WALL_MS: u64 = 600_000;

/// The hosts of a thread.
pub(super) struct Hosts {
    options: ReplayOptions,
    runtime: Runtime,
    hosts: BTreeMap<String, Host>,
    /// The keys of setups, by where they are.
    keys: BTreeMap<usize, (Arc<RecordedSetup>, String)>,
}

struct Host {
    hooks: Hooks,
    playback: Playback,
    secrets: StandIns,
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

    /// Makes the calls of a unit.
    pub(super) fn play(&mut self, unit: &Unit) -> Result<Vec<Compared>, ReplayError> {
        // Which units a thread has made before must not matter.
        self.hosts.values().for_each(Host::forget);
        let mut compared = Vec::with_capacity(unit.calls.len());
        let mut recorded = Recorded::default();
        let mut playing: Option<Playing> = None;
        // What the hook remembers where calls of several setups follow each other.
        let mut before: Value = json!([]);
        for call in &unit.calls {
            let is_compared = self
                .options
                .since_ms
                .is_none_or(|since| call.at_ms >= since);
            if let Some(why) = call.cannot_be_replayed() {
                if is_compared {
                    compared.push(Compared::not_made(call, why));
                }
                continue;
            }
            let key = self.key(&call.setup);
            let host = host(&mut self.hosts, &self.options, &key, &call.setup)?;
            let is_same = playing.as_ref().is_some_and(|now| {
                now.setup == key && now.instance == call.instance.instance && now.id == call.session
            });
            if !is_same {
                if let Some(now) = playing.take() {
                    before = now.state();
                }
                playing = Some(Playing::open(host, key, call, &before));
            }
            let Some(now) = &mut playing else { continue };
            let changed = recorded.follow(&call.world, counted(&call.outcome));
            now.set(host, &call.setup.hook, changed);
            let starts_whole = now.next == Some(call.instance.call);
            now.next = now.next.and(Some(call.instance.call + 1));
            if !starts_whole {
                now.next = None;
            }
            let world = restored(&call.world, &host.secrets);
            host.playback.load(call.instance, world);
            let made = now.call(&self.runtime, host, call)?;
            if is_compared {
                compared.push(compare(call, made, !starts_whole, &self.options));
            }
        }
        Ok(compared)
    }

    /// What two setups share only if they are the same.
    fn key(&mut self, setup: &Arc<RecordedSetup>) -> String {
        let at = Arc::as_ptr(setup).addr();
        let (_, key) = self.keys.entry(at).or_insert_with(|| {
            // Another component of the same hook is made again by the same one.
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

/// The host of a setup, made when the first call needs it.
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

/// Whether what a call wrote stayed.
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
        let file = dir.path().join(format!("{}.wasm", setup.hook));
        std::fs::hard_link(&options.component, &file)
            .or_else(|_| std::fs::copy(&options.component, &file).map(drop))?;
        let text = settings(setup).map_err(&failed)?;
        let mut settings = Settings::parse(Path::new(FILE_NAME), &text).map_err(|errors| {
            failed(
                errors
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join("; "),
            )
        })?;
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
        let secrets = StandIns(Arc::new(stand_ins(&setup.of.secrets)));
        let load = LoadOptions {
            cache: options.cache.clone(),
            compiler: options.compiler.clone(),
            secrets: Some(Arc::new(secrets.clone())),
            ..LoadOptions::default()
        };
        let hooks =
            Hooks::load_with(dir.path(), &settings, &load).map_err(|e| failed(e.to_string()))?;
        Ok(Self {
            hooks,
            playback,
            secrets,
            shared: setup
                .of
                .grants
                .get("shared-state")
                .and_then(|names| serde_json::from_value(names.clone()).ok())
                .unwrap_or_default(),
            _dir: dir,
        })
    }

    /// Empties what hooks share.
    fn forget(&self) {
        let state = self.hooks.state();
        for space in &self.shared {
            for key in state.shared_all(space).keys() {
                state.remove_shared(space, key);
            }
        }
    }
}

/// A `hooks.toml` that sets the hook up as it was, but for its times.
fn settings(setup: &RecordedSetup) -> Result<String, String> {
    let mut limits = setup.of.limits.clone();
    if let Some(limits) = limits.as_object_mut() {
        if limits.get("fuel").is_some_and(Value::is_null) {
            limits.insert("fuel".into(), false.into());
        }
        for key in ["deadline-ms", "wall-ms"] {
            limits.insert(key.into(), WALL_MS.into());
        }
    }
    let mut grants = setup.of.grants.clone();
    if let Some(grants) = grants.as_object_mut() {
        grants.retain(|key, value| {
            let is_empty = value.as_array().is_some_and(Vec::is_empty);
            let is_left_out = value.is_null() || (key == "contribute" && is_empty);
            !is_left_out
        });
        for views in ["views", "answers", "read", "write"] {
            grants.remove(views);
        }
    }
    let hook = json!({
        "role": setup.role,
        "failure": setup.failure,
        "mode": setup.mode,
        "execution": "blocking",
        "isolation": setup.of.isolation,
        "limits": limits,
        "grants": grants,
        "config": setup.of.config,
    });
    let whole = json!({ "hooks": { setup.hook.as_str(): bare(hook) } });
    toml::to_string(&whole).map_err(|e| e.to_string())
}

/// A value without nulls, which TOML does not know.
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

/// Texts in the place of secrets, as long as they were.
#[derive(Clone)]
struct StandIns(Arc<BTreeMap<String, String>>);

fn stand_ins(lengths: &BTreeMap<String, usize>) -> BTreeMap<String, String> {
    let stand_in = |(name, length): (&String, &usize)| {
        let text = format!("stand-in-for-{name}-").repeat(length / 14 + 1);
        (name.clone(), text.chars().take(*length).collect())
    };
    lengths.iter().map(stand_in).collect()
}

impl SecretSource for StandIns {
    fn read(&self, name: &str) -> Result<String, SecretError> {
        let unknown = || SecretError("the recording does not name it".to_owned());
        self.0.get(name).cloned().ok_or_else(unknown)
    }
}

impl StandIns {
    /// The text with the stand-ins in the place of the names that were written for the secrets.
    fn put(&self, value: Value) -> Value {
        match value {
            _ if self.0.is_empty() => value,
            Value::String(mut text) => {
                for (name, secret) in &*self.0 {
                    let written = format!("[secret {name}]");
                    if text.contains(&written) {
                        text = text.replace(&written, secret);
                    }
                }
                Value::String(text)
            }
            Value::Array(list) => list.into_iter().map(|value| self.put(value)).collect(),
            Value::Object(map) => Value::Object(
                map.into_iter()
                    .map(|(key, value)| (key, self.put(value)))
                    .collect::<Map<_, _>>(),
            ),
            other => other,
        }
    }
}

/// A world with stand-ins for secrets.
fn restored(world: &World, secrets: &StandIns) -> World {
    if secrets.0.is_empty() {
        return world.clone();
    }
    let put = serde_json::to_value(world).map(|value| secrets.put(value));
    put.and_then(serde_json::from_value)
        .unwrap_or_else(|_| world.clone())
}

/// An open session.
struct Playing {
    session: Session,
    sink: Arc<Sink>,
    setup: String,
    id: Arc<str>,
    instance: u64,
    /// The number of the instance's next call; nothing if calls before it are missing.
    next: Option<u64>,
}

impl Playing {
    fn open(host: &Host, setup: String, call: &StoredCall, before: &Value) -> Self {
        let sink = Arc::new(Sink::default());
        let session = host.hooks.session(SessionOptions {
            sink: sink.clone(),
            approver: Arc::new(DeferAll),
            ..SessionOptions::new(call.session.to_string())
        });
        restore(&session, before);
        Self {
            session,
            sink,
            setup,
            id: call.session.clone(),
            instance: call.instance.instance,
            next: Some(0),
        }
    }

    /// What hooks remember, as JSON.
    fn state(&self) -> Value {
        serde_json::to_value(self.session.private_state()).unwrap_or_default()
    }

    /// Puts in place what others changed.
    fn set(&self, host: &Host, hook: &portcullis::HookId, changed: Vec<Changed>) {
        let mut own = Vec::new();
        for change in changed {
            match (change.space, change.value) {
                (Some(space), Some(value)) => {
                    host.hooks.state().set_shared(&space, &change.key, value)
                }
                (Some(space), None) => host.hooks.state().remove_shared(&space, &change.key),
                (None, value) => own.push((change.key, value)),
            }
        }
        if own.is_empty() {
            return;
        }
        let mut state = self.state();
        if state.get(0).is_none() {
            state = json!([{}]);
        }
        let of_all = state.get_mut(0).and_then(Value::as_object_mut);
        let Some(of_all) = of_all else { return };
        let of_hook = of_all.entry(hook.to_string()).or_insert_with(|| json!({}));
        if let Some(of_hook) = of_hook.as_object_mut() {
            for (key, value) in own {
                match value {
                    Some(value) => drop(of_hook.insert(key, json!(value))),
                    None => drop(of_hook.remove(&key)),
                }
            }
        }
        restore(&self.session, &state);
    }

    fn call(&self, runtime: &Runtime, host: &Host, call: &StoredCall) -> Result<Now, ReplayError> {
        let damaged = |source| ReplayError::Recording {
            run: call.run(),
            source,
        };
        let unknown = |what: String| damaged(portcullis_recording::RecordingError::Damaged(what));
        let point = PointId::from_name(&call.point)
            .ok_or_else(|| unknown(format!("there is no point `{}`", call.point)))?;
        let context = call.context.clone().unwrap_or_else(crate::play::context);
        let mut views = call.views().map_err(damaged)?;
        let mut subject = call.subject.clone();
        if !host.secrets.0.is_empty() {
            let with = StoredCall {
                views: call
                    .views
                    .iter()
                    .map(|(name, view)| {
                        (name.clone(), Arc::new(host.secrets.put((**view).clone())))
                    })
                    .collect(),
                ..call.clone()
            };
            views = with.views().map_err(damaged)?;
            subject = host.secrets.put(subject);
        }
        let (status, fuel) = point
            .visit(Make {
                runtime,
                session: &self.session,
                context,
                subject,
                views,
            })
            .map_err(|e| unknown(e.to_string()))?;
        let (outcome, world) = match self.sink.take() {
            Some(made) => portcullis_recording::ended(&made).map_err(damaged)?,
            // It did not start.
            None => {
                let outcome = Outcome {
                    status,
                    fuel,
                    ..Outcome::default()
                };
                (outcome, World::default())
            }
        };
        Ok(Now {
            outcome,
            world,
            missing: host.playback.take_missing(),
        })
    }
}

fn restore(session: &Session, state: &Value) {
    if let Ok(state) = serde_json::from_value(state.clone()) {
        session.restore(state);
    }
}

struct Make<'a> {
    runtime: &'a Runtime,
    session: &'a Session,
    context: Context,
    subject: Value,
    views: Views,
}

impl PointVisitor for Make<'_> {
    type Output = serde_json::Result<(Value, Option<u64>)>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        let subject: P::Subject = serde_json::from_value(self.subject)?;
        let mut call = Call::<P>::unchecked(self.context, subject, self.views);
        let verdict = self.runtime.block_on(self.session.run(&mut call));
        let run = verdict.runs.last();
        let status = run
            .map(|run| serde_json::to_value(&run.status))
            .transpose()?;
        Ok((
            status.unwrap_or_else(|| "skipped".into()),
            run.and_then(|run| run.fuel),
        ))
    }
}

/// Takes the calls that were made.
#[derive(Default)]
struct Sink(Mutex<Option<RecordedCall>>);

impl Sink {
    fn take(&self) -> Option<RecordedCall> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl HookObserver for Sink {
    fn log(&self, _: LogLine<'_>) {}

    fn event(&self, _: HookEvent) {}

    fn records_calls(&self) -> bool {
        true
    }

    fn call_ended(&self, call: RecordedCall) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(call);
    }
}
