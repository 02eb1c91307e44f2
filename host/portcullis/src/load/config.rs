//! A hook's configuration, checked against the schema that the hook gives of it.

use std::path::Path;

use serde_json::Value;

use super::{LoadError, LoadFault, LoadedHook, Stage};
use crate::contract::text::{nearest, sanitize_for_terminal};
use crate::model::schema::{Fault, Misfit, Schema, SchemaError, Wrong};
use crate::settings::{MOST_TOLD, Settings, SettingsError};

/// The schema of a hook's configuration. The hook may be a stranger's.
#[derive(Debug)]
pub(crate) struct ConfigSchema {
    value: Value,
    schema: Schema,
}

impl ConfigSchema {
    pub(super) fn parse(text: &str) -> Result<Self, LoadFault> {
        let schema = Schema::parse(text).map_err(|error| {
            let why = match error {
                SchemaError::NotJson(why) => format!("it is not JSON: {why}"),
                SchemaError::NotASchema(why) => format!("it is not a JSON schema: {why}"),
                SchemaError::TooComplex(why) => why,
            };
            LoadFault::ConfigSchema(sanitize_for_terminal(&why))
        })?;
        Ok(Self {
            value: serde_json::from_str(text).unwrap_or_default(),
            schema,
        })
    }

    /// The keys that are known where a part of the schema refuses others.
    fn keys_beside(&self, part: &str) -> Vec<&str> {
        let (above, _) = part.rsplit_once('/').unwrap_or_default();
        let keys = self.value.pointer(above);
        let keys = keys.and_then(|schema| schema.get("properties")?.as_object());
        let keys = keys.into_iter().flat_map(|keys| keys.keys());
        keys.map(String::as_str).collect()
    }

    /// The schema as JSON.
    pub(crate) fn as_json(&self) -> &Value {
        &self.value
    }
}

/// What is wrong with a hook's table in `hooks.toml`.
pub(crate) fn wrong(file: &Path, hook: &LoadedHook, settings: &Settings) -> Vec<LoadError> {
    let Some(config) = &hook.config else {
        return Vec::new();
    };
    let id = &hook.descriptor.id;
    let table = settings.of_component(id).config.clone();
    let is_empty = table.is_empty();
    let table = Value::Object(table);
    let Err(misfit) = config.schema.check(&table, MOST_TOLD) else {
        return Vec::new();
    };
    let section = ["hooks", id, "config"];
    let about =
        |problem| settings.error(&section, format!("the configuration of `{id}` {problem}"));
    // There is no line to name.
    if is_empty && let Some(keys) = required(&misfit) {
        let id = id.clone();
        let fault = LoadFault::NotConfigured { id, keys };
        return vec![LoadError::new(file, Stage::Resolve, fault)];
    }
    let mut errors = match misfit {
        Misfit::TooMuchWork => vec![about("takes too much work to check; make it smaller")],
        Misfit::Unexplained => vec![about("does not fit the schema that the hook gives of it")],
        Misfit::Wrong(wrong) => {
            let errors = wrong.into_iter();
            errors
                .flat_map(|wrong| explained(config, &section, wrong, settings))
                .collect()
        }
    };
    errors.sort_by_key(|error| error.line);
    errors.into_iter().map(LoadError::from).collect()
}

/// The keys that an empty table lacks.
fn required(misfit: &Misfit) -> Option<String> {
    let Misfit::Wrong(wrong) = misfit else {
        return None;
    };
    let keys = wrong.iter().filter_map(|wrong| match &wrong.fault {
        Fault::Missing(key) => Some(format!("`{key}`")),
        _ => None,
    });
    let keys: Vec<String> = keys.collect();
    (!keys.is_empty()).then(|| shown(&keys.join(", ")))
}

/// An error for each key that is wrong, at its line.
fn explained(
    config: &ConfigSchema,
    section: &[&str],
    wrong: Wrong,
    settings: &Settings,
) -> Vec<SettingsError> {
    let within: Vec<String> = pointed_at(&wrong.at);
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
            let problem = format!(
                "`{}` is missing, which the hook requires",
                path(&within, &key)
            );
            vec![settings.error(&here, shown(&problem))]
        }
        Fault::Other(words) => {
            let key = within.split_last();
            let place = key.map(|(key, above)| format!("`{}`: ", path(above, key)));
            let problem = format!("{}{words}", place.unwrap_or_default());
            vec![settings.error(&here, shown(&problem))]
        }
    }
}

/// The keys of a JSON pointer.
fn pointed_at(pointer: &str) -> Vec<String> {
    let keys = pointer.split('/').skip(1);
    keys.map(|key| key.replace("~1", "/").replace("~0", "~"))
        .collect()
}

/// A key as it is written behind `config`: `words[1].text`.
fn path(above: &[&str], key: &str) -> String {
    let keys = above.iter().copied().chain([key]);
    let mut path = String::from("config");
    for key in keys {
        match key.parse::<usize>() {
            Ok(index) => path.push_str(&format!("[{index}]")),
            Err(_) => {
                path.push('.');
                path.push_str(key);
            }
        }
    }
    path
}

/// A problem as it can be shown: a stranger wrote the schema's words.
fn shown(problem: &str) -> String {
    const MOST: usize = 500;
    let problem = sanitize_for_terminal(problem);
    match problem.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", problem.get(..end).unwrap_or_default()),
        None => problem,
    }
}
