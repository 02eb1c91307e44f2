//! Checking texts against schemas.

use guards_common::names;
use jsonschema::Validator;
use portcullis_sdk::{Error, HookResult};
use serde_json::Value;

use crate::config::Config;

/// The schemas of the operator's table.
#[derive(Debug)]
pub struct Schemas {
    answer: Option<Schema>,
    tools: Vec<(String, Schema)>,
    retries: u32,
    fenced: bool,
}

/// A schema.
#[derive(Debug)]
pub struct Schema(Validator);

impl Schemas {
    /// Compiles the schemas.
    pub fn new(config: Config) -> HookResult<Self> {
        let tool = |(name, schema): (String, Value)| {
            let compiled = Schema::new(&format!("tools.{name}"), schema)?;
            Ok((name, compiled))
        };
        Ok(Self {
            answer: config
                .answer
                .map(|schema| Schema::new("answer", schema))
                .transpose()?,
            tools: config
                .tools
                .into_iter()
                .map(tool)
                .collect::<HookResult<_>>()?,
            retries: config.retries,
            fenced: config.fenced,
        })
    }

    /// Returns the maximum number of times that the model is asked again.
    pub fn retries(&self) -> u32 {
        self.retries
    }

    /// Returns the answer without a code block around it, or the reason why it does not fit.
    pub fn answer<'a>(&self, text: &'a str) -> Result<&'a str, String> {
        let Some(schema) = &self.answer else {
            return Ok(text);
        };
        let json = if self.fenced { unfenced(text) } else { text };
        schema.check(json).map(|()| json)
    }

    /// Returns the schema of a tool's output.
    pub fn of_tool(&self, tool: &str) -> Option<&Schema> {
        self.tools
            .iter()
            .find(|(name, _)| names::fits(name, tool))
            .map(|(_, schema)| schema)
    }
}

impl Schema {
    fn new(key: &str, schema: Value) -> HookResult<Self> {
        let fault = |why: &dyn std::fmt::Display| Error::bad_config(format_args!("`{key}`: {why}"));
        let schema = match schema {
            Value::String(text) => serde_json::from_str(&text).map_err(|why| fault(&why))?,
            schema => schema,
        };
        jsonschema::validator_for(&schema)
            .map(Self)
            .map_err(|why| fault(&why))
    }

    /// Checks a text. The error has the path to the value that does not fit, and the reason.
    pub fn check(&self, text: &str) -> Result<(), String> {
        let value: Value =
            serde_json::from_str(text.trim()).map_err(|why| format!("it is no JSON ({why})"))?;
        self.0.validate(&value).map_err(|fault| {
            let path = fault.instance_path().to_string();
            match path.as_str() {
                "" => fault.to_string(),
                path => format!("at `{path}`: {fault}"),
            }
        })
    }
}

/// Returns the content of the text's code block if the whole text is one, or else the text.
fn unfenced(text: &str) -> &str {
    let inner = text
        .trim()
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    inner
        .and_then(|rest| rest.split_once('\n'))
        .map_or(text, |(_, json)| json.trim())
}

#[cfg(test)]
mod tests {
    use super::Schemas;
    use crate::config::Config;
    use serde_json::json;

    fn schemas() -> Schemas {
        let answer = Some(
            json!({ "type": "object", "required": ["title"], "properties": { "title": { "type": "string" } } }),
        );
        Schemas::new(Config {
            answer,
            ..Config::default()
        })
        .expect("a schema")
    }

    #[test]
    fn answers_fit_or_say_why() {
        let schemas = schemas();
        assert_eq!(schemas.answer(r#"{"title": "x"}"#), Ok(r#"{"title": "x"}"#));
        assert_eq!(
            schemas.answer("```json\n{\"title\": \"x\"}\n```"),
            Ok(r#"{"title": "x"}"#)
        );
        let fault = |text| schemas.answer(text).expect_err("it does not fit");
        assert!(fault("hello").starts_with("it is no JSON"));
        assert!(fault("{}").contains("title"));
        assert!(fault(r#"{"title": 1}"#).starts_with("at `/title`: "));
    }

    #[test]
    fn a_wrong_schema_is_named() {
        let answer = Some(json!({ "type": "objct" }));
        let fault = Schemas::new(Config {
            answer,
            ..Config::default()
        })
        .expect_err("it is wrong");
        assert!(fault.to_string().contains("`answer`"), "{fault}");
    }
}
