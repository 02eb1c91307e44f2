//! One call of any point.

use futures::future::LocalBoxFuture;
use portcullis::contract;
use portcullis::json::{JsonError, JsonPoint, from_json, to_json};
use portcullis::points::{Order, OutcomeKind, Payload, Point, PointId, PointVisitor};
use portcullis::prompt::{Contributed, Prompt, SideOutput};
use portcullis::trace::TraceEvent;
use portcullis::verdict::{HookRun, RunStatus};
use portcullis::{Call, Decision, HookId, NativeHook, Views};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Fixture, Got, Outcome, Trace};
use crate::case;

pub use portcullis::contract::Context;

/// The id of the hook that answers before the one under test.
const BEFORE: &str = "before";

/// The input of a hook.
#[derive(Debug, Clone)]
pub struct Given<'a> {
    /// The place in the agent's life.
    pub context: Context,
    /// The point's record, in the JSON form.
    pub input: &'a Value,
    /// The data that imports return.
    pub views: &'a Views,
    /// Another hook's earlier answer, in the JSON form.
    pub before: Option<&'a Value>,
}

/// Returns the default context: the first step of the first turn.
pub fn context() -> Context {
    Context {
        session_id: "test".into(),
        agent: "test".into(),
        turn: 1,
        step: 1,
    }
}

/// Calls the hook, through its chain.
///
/// # Errors
///
/// The input, or the answer of the other hook, does not fit the point.
pub fn play(fixture: &mut Fixture, point: PointId, given: &Given<'_>) -> Result<Got, JsonError> {
    point.visit(Play { fixture, given })
}

struct Play<'a> {
    fixture: &'a mut Fixture,
    given: &'a Given<'a>,
}

impl PointVisitor for Play<'_> {
    type Output = Result<Got, JsonError>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        let Self { fixture, given } = self;
        let input: P::Input = from_json(given.input.clone()).map_err(|e| within("input", e))?;
        if let Some(before) = given.before {
            let outcome: P::Outcome = from_json(before.clone()).map_err(|e| within("before", e))?;
            let hook = first::<P>(outcome);
            // The id is unused: the chain has one other hook.
            let _ = fixture.session.add(hook);
        }
        let mut call =
            Call::<P>::unchecked(given.context.clone(), input.into(), given.views.clone());
        let before = fixture
            .record
            .is_traced()
            .then(|| shown(&P::payload(&call)));
        fixture.record.begin();
        let session = &fixture.session;
        let run: LocalBoxFuture<'_, Ran> = Box::pin(async {
            let verdict = session.run(&mut call).await;
            Ran {
                taken: taken(verdict.decision),
                runs: verdict.runs,
                side_outputs: verdict.side_outputs,
            }
        });
        let ran = fixture.runtime.block_on(run);
        fixture.drain();
        let after = After {
            payload: P::payload(&call),
            prompt: &call.views.prompt,
        };
        Ok(got(fixture, ran, &after, before))
    }
}

/// The runs of a chain at any point.
struct Ran {
    taken: Option<Taken>,
    runs: Vec<HookRun>,
    side_outputs: Vec<Contributed<SideOutput>>,
}

/// A hook's decision, as JSON.
struct Taken {
    by: HookId,
    key: &'static str,
    value: Option<Value>,
}

/// The call after the hooks have run.
struct After<'a> {
    payload: Payload<'a>,
    prompt: &'a Prompt,
}

fn taken<P: JsonPoint>(decision: Decision<P>) -> Option<Taken> {
    let (by, key, value) = match decision {
        Decision::Rejected { by, rejection } => (by, "rejection", to_json(&rejection)),
        Decision::Answered { by, answer } => (by, "value", to_json(&answer)),
        Decision::Stopped { by, stop } => (by, "stop", to_json(&stop)),
        Decision::Pending(pending) => (pending.first.by, "ask", to_json(&pending.first.ask)),
        Decision::Passed | Decision::Failed(_) => return None,
    };
    let value = value.ok();
    Some(Taken { by, key, value })
}

fn shown(payload: &Payload<'_>) -> Value {
    to_json(payload).unwrap_or_default()
}

fn within(key: &str, mut error: JsonError) -> JsonError {
    error.path.insert_str(0, key);
    error.path.insert(0, '/');
    error
}

/// Returns a hook that answers this before all others.
fn first<P: Point>(outcome: P::Outcome) -> NativeHook {
    let priority = match P::INFO.order {
        Order::Forward => i32::MIN,
        Order::Reverse => i32::MAX,
    };
    let all = portcullis::prompt::KINDS;
    NativeHook::new(BEFORE)
        .priority(priority)
        .contributes(all)
        .on::<P>(move |_| Ok(outcome.clone()))
}

fn got(fixture: &Fixture, ran: Ran, after: &After<'_>, before: Option<Value>) -> Got {
    let later = fixture.record.take_later();
    let side_outputs = ran
        .side_outputs
        .into_iter()
        .chain(fixture.record.take_side_outputs());
    let side_outputs: Vec<_> = side_outputs
        .filter(|aside| aside.by.as_str() == fixture.place.id)
        .collect();
    let own = |run: &&HookRun| run.hook.as_str() == fixture.place.id;
    let run = later.iter().rfind(own).or(ran.runs.iter().rfind(own));
    let mut fields = Map::new();
    let outcome = match run.map(|run| &run.status) {
        Some(RunStatus::Completed { outcome, .. }) => {
            let taken = ran.taken.as_ref();
            said(&mut fields, fixture, after, taken, *outcome, &side_outputs);
            Outcome::Answered(*outcome)
        }
        Some(RunStatus::Failed {
            cause,
            message,
            fatal,
        }) => {
            put(&mut fields, "cause", cause.code());
            put(&mut fields, "message", message);
            fields.insert("continues".into(), (!fatal).into());
            Outcome::Failed(*cause)
        }
        Some(RunStatus::NotApplied { .. }) => Outcome::NotApplied,
        Some(RunStatus::Skipped | RunStatus::Backgrounded) | None => Outcome::Skipped,
    };
    put(&mut fields, "outcome", outcome.name());
    put(&mut fields, "state", &texts(fixture.state()));
    let shared: Map<String, Value> = fixture
        .place
        .namespaces()
        .iter()
        .map(|name| (name, fixture.hooks.state().shared_all(name)))
        .filter(|(_, values)| !values.is_empty())
        .map(|(name, values)| (name.clone(), texts(values)))
        .collect();
    put(&mut fields, "shared", &shared);
    put(&mut fields, "agent-state-edit", &edits(&side_outputs));
    put(&mut fields, "logs", &fixture.record.take_logs());
    put(&mut fields, "prompts", &fixture.record.take_prompts());
    if let Some(files) = &fixture.place.files {
        let written = fixture.redact().redact_json(texts(files.written()));
        put(&mut fields, "files", &written);
    }
    if let Some(servers) = &fixture.servers {
        put(&mut fields, "http", &servers.take_requests());
    }
    put(&mut fields, "events", &fixture.record.take_events());
    let problems = fixture.problems();
    let events = fixture.record.take_trace().zip(before);
    let trace = events.map(|(events, before)| trace(fixture, events, &fields, before, after));
    Got {
        outcome,
        fields,
        problems,
        trace,
        took: run.map(|run| run.latency).unwrap_or_default(),
        fuel: run.and_then(|run| run.fuel),
    }
}

fn trace(
    fixture: &Fixture,
    events: Vec<TraceEvent>,
    fields: &Map<String, Value>,
    before: Value,
    after: &After<'_>,
) -> Trace {
    let redact = fixture.redact();
    let verdict = case::verdict(fields).into_iter();
    let after = redact.redact_json(shown(&after.payload));
    Trace {
        events,
        verdict: verdict
            .map(|(key, value)| (key, redact.redact_json(value)))
            .collect(),
        changes: case::changes(&redact.redact_json(before), &after),
    }
}

/// Adds the content of the answer that the chain applied, and the hook's contributions.
fn said(
    fields: &mut Map<String, Value>,
    fixture: &Fixture,
    after: &After<'_>,
    taken: Option<&Taken>,
    outcome: OutcomeKind,
    side_outputs: &[Contributed<SideOutput>],
) {
    if let Some(taken) = taken.filter(|taken| taken.by.as_str() == fixture.place.id)
        && let Some(value) = &taken.value
    {
        put(fields, taken.key, value);
    }
    if matches!(outcome, OutcomeKind::Transform | OutcomeKind::Replace)
        && !fields.contains_key("value")
    {
        put(fields, "value", &after.payload);
    }
    put(
        fields,
        "contributed",
        &contributed(after.prompt, side_outputs, &fixture.place.id),
    );
}

/// Returns the hook's contributions, by kind.
fn contributed(prompt: &Prompt, side_outputs: &[Contributed<SideOutput>], id: &str) -> Value {
    fn of<T: Serialize>(list: &[Contributed<T>], id: &str) -> Vec<Value> {
        list.iter()
            .filter(|item| item.by.as_str() == id)
            .filter_map(|item| to_json(&item.value).ok())
            .collect()
    }
    let (mut notes, mut jobs) = (Vec::new(), Vec::new());
    for aside in side_outputs {
        match &aside.value {
            SideOutput::Note(note) => notes.extend(to_json(note)),
            SideOutput::Job(job) => jobs.extend(to_json(job)),
            SideOutput::StateEdits(_) => {}
        }
    }
    let mut kinds = Map::new();
    for (kind, list) in [
        (contract::ContributionKind::Policy, of(&prompt.policies, id)),
        (contract::ContributionKind::Context, of(&prompt.items, id)),
        (
            contract::ContributionKind::Section,
            of(&prompt.sections, id),
        ),
        (contract::ContributionKind::Tools, of(&prompt.bundles, id)),
        (contract::ContributionKind::Note, notes),
        (contract::ContributionKind::Job, jobs),
    ] {
        if !list.is_empty() {
            kinds.insert(portcullis::prompt::kind_name(kind).into(), list.into());
        }
    }
    kinds.into()
}

/// Returns the hook's changes of the agent's state: the keys that it sets, and those that it
/// removes.
fn edits(side_outputs: &[Contributed<SideOutput>]) -> Map<String, Value> {
    let (mut set, mut removed) = (Map::new(), Vec::new());
    for output in side_outputs {
        let SideOutput::StateEdits(edits) = &output.value else {
            continue;
        };
        for (key, value) in edits {
            match value {
                Some(value) => drop(set.insert(key.clone(), value.clone())),
                None => removed.push(Value::from(key.as_str())),
            }
        }
    }
    let mut edits = Map::new();
    if !set.is_empty() {
        edits.insert("set".into(), set.into());
    }
    if !removed.is_empty() {
        edits.insert("remove".into(), removed.into());
    }
    edits
}

/// Inserts a value, unless it is empty.
fn put<T: Serialize + ?Sized>(fields: &mut Map<String, Value>, key: &str, value: &T) {
    // JSON can express every value that a chain accepts.
    if let Some(value) = to_json(value).ok().and_then(crate::case::bare) {
        fields.insert(key.into(), value);
    }
}

/// Converts state to JSON: text to text, other values to their bytes.
pub(crate) fn texts(values: std::collections::BTreeMap<String, Vec<u8>>) -> Value {
    let texts = values.into_iter().map(|(key, bytes)| {
        let value = match String::from_utf8(bytes) {
            Ok(text) => json!(text),
            Err(e) => json!(e.into_bytes()),
        };
        (key, value)
    });
    Value::Object(texts.collect())
}
