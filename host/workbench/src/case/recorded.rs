//! A case from a recorded call.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use portcullis::Views;
use portcullis::capabilities::View;
use portcullis::json::{JsonError, JsonPoint, to_json, views_to_json};
use portcullis::points::{PointId, PointVisitor};
use portcullis::recording::{TapedInterface, World, WorldCall, WorldRequest};
use portcullis::text::sanitize_for_terminal;
use portcullis_recording::{StoredCall, StoredKind, within};
use serde_json::{Map, Value, json};

use super::bare;
use super::expected::{Expected, expected};
use super::state_before::{Before, Key, before};
use super::visible::visible;
use crate::play::texts;

/// The error that a call cannot be converted to a case.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordedCaseError {
    /// The call is not recorded completely, or is damaged.
    #[error("the call {run} makes no case: {why}")]
    Incomplete {
        /// Its run.
        run: String,
        /// The reason.
        why: String,
    },
    /// A value of the call does not fit the point in this version.
    #[error(
        "the call {run} does not fit its point as it is in this version: {why}; choose a later run, since \
         another version may have recorded this one, or it is damaged"
    )]
    Value {
        /// Its run.
        run: String,
        /// The part that does not fit.
        why: String,
    },
}

/// Returns the text of a case file that makes this call: its input, its views, and the results of
/// its host calls. The expected result is the recorded one. A comment names the parts that are
/// missing in the recording.
///
/// # Errors
///
/// The call is not recorded completely, or does not fit its point.
pub fn of_recorded(call: &StoredCall) -> Result<String, RecordedCaseError> {
    let incomplete = |why| RecordedCaseError::Incomplete {
        run: call.run(),
        why,
    };
    if let Some(why) = call.cannot_be_replayed() {
        return Err(incomplete(why));
    }
    let wrong = |e: &dyn std::fmt::Display| RecordedCaseError::Value {
        run: call.run(),
        why: e.to_string(),
    };
    let point = PointId::from_name(&call.point)
        .ok_or_else(|| wrong(&format!("there is no point `{}`", call.point)))?;
    let views = call.views().map_err(|e| incomplete(e.to_string()))?;
    let input = point
        .visit(Input(call.subject.clone()))
        .map_err(|e| wrong(&e))?;
    let mut case = Map::new();
    case.insert(
        "about".into(),
        format!("The recorded call {} of `{}`.", call.run(), call.setup.hook).into(),
    );
    case.insert("point".into(), call.point.as_str().into());
    if let Some(context) = &call.context {
        case.insert("context".into(), to_json(context).map_err(|e| wrong(&e))?);
    }
    insert(&mut case, "input", input);
    insert(
        &mut case,
        "views",
        seen(call, &views).map_err(|e| wrong(&e))?,
    );
    insert(&mut case, "config", call.setup.of.config.clone());
    insert(&mut case, "grants", grants(&call.setup.of.grants));
    let secrets = call
        .setup
        .of
        .grants
        .get("secrets")
        .and_then(Value::as_array);
    let secrets = secrets.into_iter().flatten().filter_map(Value::as_str);
    let secrets: Map<String, Value> = secrets
        .map(|name| (name.to_owned(), format!("the secret {name}").into()))
        .collect();
    insert(&mut case, "secrets", secrets.into());
    let hidden = world(&mut case, &call.world);
    let (files, left_out) = files(call);
    insert(&mut case, "files", texts(files));
    let Expected {
        table,
        left_out: not_expected,
    } = expected(call, point);
    insert(&mut case, "expect", table.into());
    let case = bare(Value::Object(case)).unwrap_or_default();
    let text = toml::to_string(&case).map_err(|e| wrong(&e))?;
    // A reader must see the complete input, and a terminal must not interpret it.
    let mut text = visible(&text).map_err(|e| wrong(&e))?;
    if let Some(now) = call.world.wall.first() {
        // A root key is before the first table.
        text = format!("now = {}\n{text}", moment(*now));
    }
    for key in not_expected {
        let mut note = format!("# The recording does not have `{key}` of the result.\n");
        // A key of an existing table is added by hand.
        if !key.contains('.') {
            note.push_str(&format!(
                "# To expect it, add `{key} = \"\"` to [expect]; `portcullis test --update` then replaces it by the actual one.\n"
            ));
        }
        text.insert_str(0, &note);
    }
    for (space, key) in hidden {
        let table = match space {
            Some(space) => format!("shared.{space}"),
            None => "state".to_owned(),
        };
        let [table, key] = [table, key].map(|text| sanitize_for_terminal(&text));
        text.insert_str(
            0,
            &format!("# The recording does not have the value of `{key}` in the state. Write it into [{table}].\n"),
        );
    }
    if !left_out.is_empty() {
        let paths = left_out.iter().map(|path| sanitize_for_terminal(path));
        let paths: Vec<String> = paths.map(|path| format!("\"{path}\"")).collect();
        text = format!(
            "# Links and empty directories cannot be written into a case. Left out: {}\n{text}",
            paths.join(", ")
        );
    }
    Ok(text)
}

/// Returns the files of its directories by their paths, and the entries that are not files and
/// cannot be in a case.
fn files(call: &StoredCall) -> (BTreeMap<String, Vec<u8>>, Vec<String>) {
    let (mut files, mut left_out) = (BTreeMap::new(), Vec::new());
    for directory in &call.directories {
        for (path, entry) in &*directory.before {
            let at = within(&directory.guest, path);
            match &entry.kind {
                StoredKind::File(name) => {
                    let content = call.contents.get(name);
                    files.insert(
                        at,
                        content.map(|content| content.to_vec()).unwrap_or_default(),
                    );
                }
                StoredKind::Link(_) => left_out.push(at),
                // A directory with entries is created for them, and a granted one always exists.
                StoredKind::Directory => {
                    let inner = format!("{path}/");
                    let is_empty = !directory
                        .before
                        .keys()
                        .any(|other| other.starts_with(&inner));
                    if is_empty && !path.is_empty() {
                        left_out.push(at);
                    }
                }
            }
        }
    }
    (files, left_out)
}

struct Input(Value);

impl PointVisitor for Input {
    type Output = Result<Value, String>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        let subject: P::Subject = serde_json::from_value(self.0).map_err(|e| e.to_string())?;
        to_json(P::input(&subject)).map_err(|e| e.to_string())
    }
}

/// Returns the recorded views. The chain's decision cannot be written into a case.
fn seen(call: &StoredCall, views: &Views) -> Result<Value, JsonError> {
    let kept = View::ALL.into_iter();
    let kept: Vec<View> = kept
        .filter(|view| *view != View::Verdict && call.views.contains_key(view.name()))
        .collect();
    views_to_json(&kept, views)
}

fn insert(case: &mut Map<String, Value>, key: &str, value: Value) {
    let is_empty = match &value {
        Value::Object(map) => map.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Null => true,
        _ => false,
    };
    if !is_empty {
        case.insert(key.to_owned(), value);
    }
}

/// Returns the grants, without those that grant nothing.
fn grants(grants: &Value) -> Value {
    let Value::Object(grants) = grants else {
        return Value::Null;
    };
    let grants = grants.iter().filter(|(_, value)| match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(list) => !list.is_empty(),
        _ => true,
    });
    Value::Object(
        grants
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
    )
}

/// Adds the state before the call, the model's answers, and the servers' answers. Returns the keys
/// of the state whose values the recording does not have.
fn world(case: &mut Map<String, Value>, world: &World) -> BTreeSet<Key> {
    let Before { values, hidden } = before(world);
    let (mut own, mut shared) = (BTreeMap::new(), BTreeMap::<String, BTreeMap<_, _>>::new());
    for ((space, key), value) in values {
        match space {
            None => drop(own.insert(key, value)),
            Some(space) => drop(shared.entry(space).or_default().insert(key, value)),
        }
    }
    insert(case, "state", texts(own));
    let shared: Map<String, Value> = shared
        .into_iter()
        .map(|(space, values)| (space, texts(values)))
        .collect();
    insert(case, "shared", shared.into());
    let is_answer = |call: &&WorldCall| {
        TapedInterface::of(&call.interface) == Some(TapedInterface::Model)
            && call.function == "complete"
    };
    let returned = |call: &WorldCall| {
        call.returned
            .as_ref()
            .and_then(|list| list.get(0))
            .map(answer)
    };
    let model: Vec<Value> = world
        .calls
        .iter()
        .filter(is_answer)
        .filter_map(returned)
        .collect();
    insert(case, "model", model.into());
    let requests: Vec<Value> = world.requests.iter().map(entry).collect();
    if requests.len() > 1 {
        case.insert("http-in-order".into(), true.into());
    }
    insert(case, "http", requests.into());
    hidden
}

fn answer(returned: &Value) -> Value {
    match returned
        .get("Ok")
        .and_then(|completion| completion.get("text"))
    {
        Some(text) => text.clone(),
        None => {
            let error = returned.get("Err").and_then(Value::as_object);
            let error = error.and_then(|error| error.values().next()?.as_str());
            json!({ "error": error.unwrap_or("it failed") })
        }
    }
}

fn entry(request: &WorldRequest) -> Value {
    let mut entry = Map::new();
    entry.insert("method".into(), request.method.as_str().into());
    entry.insert("url".into(), request.url.as_str().into());
    entry.insert("times".into(), 1.into());
    if let Some(body) = &request.body.text {
        entry.insert("sent".into(), json!({ "body": body }));
    }
    match (&request.response, &request.failure) {
        (Some(response), _) => {
            entry.insert("status".into(), response.status.into());
            let own = ["content-length", "transfer-encoding", "connection", "date"];
            let headers = response.headers.iter();
            let headers: Map<String, Value> = headers
                .filter(|(name, _)| !own.contains(&name.as_str()))
                .map(|(name, value)| (name.clone(), value.as_str().into()))
                .collect();
            insert(&mut entry, "headers", headers.into());
            if let Some(body) = &response.body.text {
                entry.insert("body".into(), body.as_str().into());
            }
        }
        (None, Some(failure)) => drop(entry.insert("error".into(), failure.as_str().into())),
        (None, None) => drop(entry.insert("error".into(), "http-response-timeout".into())),
    }
    Value::Object(entry)
}

/// Returns a time since 1970 in TOML's form, in UTC.
fn moment(since: Duration) -> String {
    let (days, of_day) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = super::moment::date(days);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    let nanos = since.subsec_nanos();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanos:09}Z")
}
