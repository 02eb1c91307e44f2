//! The setup of a hook in a case.

use std::collections::BTreeMap;
use std::time::Duration;

use portcullis::limits::Deterministic;
use portcullis::settings::{HookSettings, Settings};
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item};

use super::source::Source;
use super::{CaseError, http, moment};
use crate::play::{ModelAnswer, Setup};

/// Reads the setup. Faults are added to the errors.
pub(super) fn setup(source: &Source, errors: &mut Vec<CaseError>) -> Setup {
    let mut said = settings(source, errors);
    let mut table = |key| {
        source.table(key).unwrap_or_else(|error| {
            errors.push(error);
            Map::new()
        })
    };
    let config = source.item("config").is_some().then(|| table("config"));
    let state = bytes(table("state"));
    let files = bytes(table("files"));
    let (shared, secrets) = (table("shared"), table("secrets"));
    let shared = shared
        .into_iter()
        .filter_map(|(namespace, values)| match values {
            Value::Object(values) => Some((namespace, bytes(values))),
            _ => {
                let problem = format!("must be a table; write [shared.{namespace}]");
                errors.push(source.error(&["shared", &namespace], problem));
                None
            }
        })
        .collect();
    let secrets = secrets
        .into_iter()
        .filter_map(|(name, value)| match value {
            Value::String(secret) => Some((name, secret)),
            _ => {
                errors.push(source.error(&["secrets", &name], "must be a text".into()));
                None
            }
        })
        .collect();
    Setup {
        config,
        grants: source
            .item("grants")
            .map(|_| std::mem::take(&mut said.grants)),
        limits: source
            .item("limits")
            .map(|_| std::mem::take(&mut said.limits)),
        state,
        shared,
        secrets,
        model: model(source, errors),
        http: http::http(source, errors),
        files,
        sealed: true,
        deterministic: Some(Deterministic {
            now: now(source, errors),
            seed: seed(source, errors),
        }),
        ..Setup::default()
    }
}

/// Converts values of state: a text to its bytes, a list of small numbers to bytes, and any other
/// value to JSON text.
pub(super) fn bytes(values: Map<String, Value>) -> BTreeMap<String, Vec<u8>> {
    let bytes = values.into_iter().map(|(key, value)| {
        let small = |n: &Value| n.as_u64().and_then(|n| u8::try_from(n).ok());
        let bytes = match &value {
            Value::String(text) => text.clone().into_bytes(),
            Value::Array(list) => match list.iter().map(small).collect() {
                Some(bytes) => bytes,
                None => value.to_string().into_bytes(),
            },
            value => value.to_string().into_bytes(),
        };
        (key, bytes)
    });
    bytes.collect()
}

/// Reads grants and limits. Their form and their parser are those of `hooks.toml`.
fn settings(source: &Source, errors: &mut Vec<CaseError>) -> HookSettings {
    const HOOK: &str = "case";
    let mut written = HookSettings::default();
    for key in ["grants", "limits"] {
        let Some(item) = source.item(key) else {
            continue;
        };
        let mut document = DocumentMut::new();
        let mut hook = toml_edit::Table::new();
        hook.insert(key, item.clone());
        let mut hooks = toml_edit::Table::new();
        hooks.insert(HOOK, Item::Table(hook));
        document.insert("hooks", Item::Table(hooks));
        match Settings::parse(source.path(), &document.to_string()) {
            Ok(mut settings) => {
                let said = settings.hooks.remove(HOOK).unwrap_or_default();
                match key {
                    "grants" => written.grants = said.grants,
                    _ => written.limits = said.limits,
                }
            }
            Err(wrong) => {
                // Without `hooks.case`.
                errors.extend(wrong.into_iter().map(|error| {
                    let keys = error.keys.iter().skip(2).map(String::as_str);
                    let keys: Vec<&str> = keys.collect();
                    let keys = if keys.is_empty() { &[key][..] } else { &keys };
                    source.error(keys, error.unnamed_problem().to_owned())
                }));
            }
        }
    }
    written
}

/// Reads the model's answers: texts, and errors of the provider.
fn model(source: &Source, errors: &mut Vec<CaseError>) -> Vec<ModelAnswer> {
    let answers = match source.value("model") {
        None => return Vec::new(),
        Some(Value::Array(answers)) => answers,
        Some(_) => {
            let problem =
                "must be a list of answers; write model = [\"yes\", { error = \"overloaded\" }]";
            errors.push(source.error(&["model"], problem.into()));
            return Vec::new();
        }
    };
    let answers = answers.into_iter().enumerate();
    let answers = answers.filter_map(|(index, value)| {
        let read = answer(value);
        if read.is_none() {
            let problem = "must be a text, or an error such as { error = \"overloaded\" }";
            errors.push(source.error(&["model", &index.to_string()], problem.into()));
        }
        read
    });
    answers.collect()
}

fn answer(value: Value) -> Option<ModelAnswer> {
    match value {
        Value::String(text) => Some(ModelAnswer::Text(text)),
        Value::Object(mut table) if table.len() == 1 => match table.remove("error") {
            Some(Value::String(message)) => Some(ModelAnswer::Error(message)),
            _ => None,
        },
        _ => None,
    }
}

fn now(source: &Source, errors: &mut Vec<CaseError>) -> Duration {
    let Some(item) = source.item("now") else {
        return moment::DEFAULT;
    };
    let at = item.as_datetime().and_then(moment::since_1970);
    at.unwrap_or_else(|| {
        let problem = match item.is_str() {
            true => "is a text, and a time is meant; write it without quotes: now = 2026-01-01T00:00:00Z",
            false => "must be a time not before 1970; write now = 2026-01-01T00:00:00Z",
        };
        errors.push(source.error(&["now"], problem.into()));
        moment::DEFAULT
    })
}

fn seed(source: &Source, errors: &mut Vec<CaseError>) -> u64 {
    let Some(item) = source.item("seed") else {
        return 0;
    };
    let seed = item.as_integer().and_then(|seed| u64::try_from(seed).ok());
    seed.unwrap_or_else(|| {
        let problem = "must be a whole number, 0 or more; write seed = 1";
        errors.push(source.error(&["seed"], problem.into()));
        0
    })
}
