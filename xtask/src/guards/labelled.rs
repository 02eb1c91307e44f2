//! The labelled lines of a guard.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::{Error, Result};

/// A line: an input, and whether the guard must catch it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// A text, or an object of what `call.toml` names.
    pub input: Value,
    /// Whether the guard must catch it.
    pub catch: bool,
    /// Why, in a few words.
    pub why: String,
}

/// The lines of a half.
pub fn lines(dir: &Path, half: &str) -> Result<Vec<Line>> {
    let path = dir.join("labelled").join(format!("{half}.jsonl"));
    let text = fs::read_to_string(&path).map_err(|cause| Error::file("read", &path, &cause))?;
    let lines = text.lines().enumerate().map(|(at, line)| {
        let wrong = |cause| Error::new(format!("{}:{}: {cause}", path.display(), at + 1));
        serde_json::from_str(line).map_err(wrong)
    });
    lines.collect()
}

/// The call in which a line's input is put.
pub struct Template(toml::Value);

impl Template {
    /// The guard's `labelled/call.toml`.
    pub fn read(dir: &Path) -> Result<Self> {
        let path = dir.join("labelled/call.toml");
        let text = fs::read_to_string(&path).map_err(|cause| Error::file("read", &path, &cause))?;
        let template = toml::from_str(&text)
            .map_err(|cause| Error::new(format!("{}: {cause}", path.display())))?;
        Ok(Self(template))
    }

    /// The text of a line's case. It expects that the guard does nothing, so that it needs no other expectation to run.
    pub fn case(&self, line: &Line) -> Result<String> {
        let mut case = put(&self.0, &line.input)?;
        if let toml::Value::Table(case) = &mut case {
            let expect = [("outcome".to_owned(), toml::Value::from("continue"))];
            case.insert(
                "expect".to_owned(),
                toml::Value::Table(expect.into_iter().collect()),
            );
        }
        toml::to_string(&case).map_err(|cause| Error::new(format!("{}: {cause}", line.input)))
    }
}

/// The template with the input in place of `"$input"`, and its members in place of `"$NAME"`.
fn put(template: &toml::Value, input: &Value) -> Result<toml::Value> {
    let written = |value: &Value| {
        toml::Value::try_from(value).map_err(|cause| Error::new(format!("{input}: {cause}")))
    };
    Ok(match template {
        toml::Value::String(text) => match text.strip_prefix('$') {
            Some("input") => written(input)?,
            Some(name) => match input.get(name) {
                Some(member) => written(member)?,
                None => return Err(Error::new(format!("{input} has no `{name}`"))),
            },
            None => template.clone(),
        },
        toml::Value::Array(values) => {
            let values: Result<Vec<_>> = values.iter().map(|value| put(value, input)).collect();
            values?.into()
        }
        toml::Value::Table(members) => {
            let put = |(name, value): (&String, _)| Ok((name.clone(), put(value, input)?));
            toml::Value::Table(members.iter().map(put).collect::<Result<_>>()?)
        }
        other => other.clone(),
    })
}
