//! Checks of a hook's configuration against the schema that the hook provides.

mod path;
mod values;

use std::path::Path;

use serde_json::{Map, Value};

use self::path::{keys_of, path};
use super::{LoadError, LoadFault, LoadedHook, Stage, trust};
use crate::contract::text::{nearest, sanitize_for_terminal};
use crate::sandbox::info;
use crate::settings::{MOST_TOLD, Settings, SettingsError};
use portcullis_schema::{self as schema, Fault, Misfit, Schema, SchemaError, Wrong};

pub(crate) use self::values::wrong_values;

/// The schema of a hook's configuration. The hook may be untrusted.
#[derive(Debug)]
pub(crate) struct ConfigSchema {
    value: Value,
    schema: Schema,
}

impl ConfigSchema {
    pub(super) fn parse(text: &str) -> Result<Self, LoadFault> {
        let parsed = schema::read(text).and_then(|value| {
            let schema = Schema::of(&value)?;
            Ok(Self { value, schema })
        });
        parsed.map_err(|error| LoadFault::ConfigSchema(sanitize_for_terminal(&unusable(error))))
    }

    /// Returns the known keys at a part of the schema that refuses others.
    fn keys_beside(&self, part: &str) -> Vec<&str> {
        let (above, _) = part.rsplit_once('/').unwrap_or_default();
        let keys = self.value.pointer(above);
        let keys = keys.and_then(|schema| schema.get("properties")?.as_object());
        let keys = keys.into_iter().flat_map(|keys| keys.keys());
        keys.map(String::as_str).collect()
    }

    /// Returns the schema as JSON.
    pub(crate) fn as_json(&self) -> &Value {
        &self.value
    }
}

/// Returns the reason why a schema cannot be used.
fn unusable(error: SchemaError) -> String {
    match error {
        SchemaError::NotJson(why) => format!("it is not JSON: {why}"),
        SchemaError::NotASchema(why) => format!("it is not a JSON schema: {why}"),
        SchemaError::TooComplex(why) => why,
    }
}

/// Returns the errors in a hook's configuration in `hooks.toml`.
pub(crate) fn faults(file: &Path, hook: &LoadedHook, settings: &Settings) -> Vec<LoadError> {
    let id = &hook.descriptor.id;
    let given = settings.of_component(id).config.clone();
    let section = ["hooks", id, "config"];
    let Some(config) = &hook.config else {
        return match given.is_empty() || info::reads_config(&hook.component.info.imports) {
            true => Vec::new(),
            false => {
                let problem = format!("the hook `{id}` reads no configuration; remove the table");
                vec![settings.error(&section, shown(&problem)).into()]
            }
        };
    };
    let table = Value::Object(given);
    let Err(misfit) = config.schema.check(&table, MOST_TOLD) else {
        return Vec::new();
    };
    if table.as_object().is_some_and(Map::is_empty) {
        let fault = not_configured(file, id, &misfit, settings);
        return vec![LoadError::new(file, Stage::Resolve, fault)];
    }
    let about = |problem: &str| {
        let problem = format!("the configuration of `{id}` does not fit: {problem}");
        settings.error(&section, shown(&problem))
    };
    let mut errors = match misfit {
        Misfit::TooMuchWork => vec![about("it takes too much work to check; make it smaller")],
        Misfit::Unexplained => vec![about("to find out why would take too much work")],
        Misfit::Wrong(wrong) => {
            let errors = wrong.into_iter().flat_map(|wrong| match wrong {
                // The whole table is wrong, not a key.
                Wrong {
                    at,
                    fault: Fault::Other(words),
                } if at.is_empty() => vec![about(&words)],
                wrong => explained(config, &table, &section, wrong, settings),
            });
            errors.collect()
        }
    };
    errors.sort_by_key(|error| error.line);
    errors.into_iter().map(LoadError::from).collect()
}

/// Returns the fault of a hook that requires a configuration and has none. There is no line to
/// report.
fn not_configured(file: &Path, id: &str, misfit: &Misfit, settings: &Settings) -> LoadFault {
    let wrong = match misfit {
        Misfit::Wrong(wrong) => wrong.as_slice(),
        Misfit::TooMuchWork | Misfit::Unexplained => &[],
    };
    let keys = wrong.iter().filter_map(|wrong| match &wrong.fault {
        Fault::Missing(key) => Some(format!("`{key}`")),
        _ => None,
    });
    let needs = match shown(&keys.collect::<Vec<_>>().join(", ")) {
        keys if keys.is_empty() => "a configuration that fits its schema".to_owned(),
        keys => format!("a configuration with {keys}"),
    };
    // A table for the hook would name it, and so remove the limits of unnamed hooks.
    match settings.caps(id) {
        true => trust::unnamed(file, id, format!("it requires {needs}"), settings),
        false => LoadFault::NotConfigured {
            id: id.to_owned(),
            needs,
        },
    }
}

/// Returns an error for each wrong key, with its line.
fn explained(
    config: &ConfigSchema,
    table: &Value,
    section: &[&str],
    wrong: Wrong,
    settings: &Settings,
) -> Vec<SettingsError> {
    let within: Vec<String> = keys_of(&wrong.at);
    let within: Vec<&str> = within.iter().map(String::as_str).collect();
    let here = [section, &within].concat();
    match wrong.fault {
        Fault::Unknown { keys, schema } => keys
            .iter()
            .map(|key| {
                let known = config.keys_beside(&schema);
                let hint = match (nearest(key, known.iter().copied()), known.as_slice()) {
                    (Some(near), _) => format!("; did you mean `{near}`?"),
                    (None, []) => String::new(),
                    (None, known) => format!("; the hook knows: {}", known.join(", ")),
                };
                let problem = format!("unknown key `{}`{}", key, hint);
                settings.error(&[&here[..], &[key]].concat(), shown(&problem))
            })
            .collect(),
        Fault::Missing(key) => {
            let key = path("config", table, &[&within[..], &[&key]].concat());
            let problem = format!("`{key}` is missing, which the hook requires");
            vec![settings.error(&here, shown(&problem))]
        }
        Fault::Other(words) => {
            let name = shown(&path("config", table, &within));
            vec![settings.error(&here, shown(&words)).named(name)]
        }
    }
}

/// Returns a problem in a form that is safe to show, since the schema's text is untrusted.
fn shown(problem: &str) -> String {
    const MOST: usize = 500;
    let problem = sanitize_for_terminal(problem);
    match problem.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", problem.get(..end).unwrap_or_default()),
        None => problem,
    }
}
