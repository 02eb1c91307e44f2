//! The format of a script.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de};

use super::{ScriptError, ScriptedResponse};

/// The name of the provider of a script without a list of providers.
const ONLY_NAME: &str = "scripted";

/// A script: a scripted model's responses, in JSON. It has either `providers`, or `responses` and
/// optionally `model`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Script of a scripted model")]
pub(super) struct File {
    /// The providers, in order: the first is called first, and hooks can switch to the others.
    #[serde(default, deserialize_with = "unique")]
    providers: Option<Vec<FileProvider>>,
    /// The name of the only provider's model. Default: `scripted`.
    #[serde(default)]
    model: Option<String>,
    /// The responses of the only provider, which is called `scripted`: one for each model call.
    #[serde(default, deserialize_with = "some_checked")]
    responses: Option<Vec<ScriptedResponse>>,
}

/// A provider of a script.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FileProvider {
    /// Its name, as hooks see it.
    pub(super) name: String,
    /// The name of its model. Default: `scripted`.
    #[serde(default)]
    pub(super) model: Option<String>,
    /// Its responses: one for each model call.
    #[serde(deserialize_with = "checked")]
    pub(super) responses: Vec<ScriptedResponse>,
}

impl File {
    pub(super) fn parse(text: &str) -> Result<Self, ScriptError> {
        serde_json::from_str(text).map_err(|error| ScriptError::of_json(&error))
    }

    /// Returns the providers, in order.
    pub(super) fn providers(self) -> Result<Vec<FileProvider>, ScriptError> {
        match (self.providers, self.responses) {
            (Some(providers), None) if self.model.is_none() => Ok(providers),
            (None, Some(responses)) => Ok(vec![FileProvider {
                name: ONLY_NAME.into(),
                model: self.model,
                responses,
            }]),
            _ => Err(ScriptError::of_text(
                "it needs either `providers`, each with its `responses`, or `responses` and perhaps \
                 `model` alone; write one of the two",
            )),
        }
    }
}

/// A response whose values are consistent. Its error has its line.
struct Checked(ScriptedResponse);

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let response = ScriptedResponse::deserialize(deserializer)?;
        match response.check() {
            Ok(()) => Ok(Self(response)),
            Err(what) => Err(de::Error::custom(format!("the response {what}"))),
        }
    }
}

fn checked<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ScriptedResponse>, D::Error> {
    let responses = Vec::<Checked>::deserialize(deserializer)?;
    Ok(responses
        .into_iter()
        .map(|Checked(response)| response)
        .collect())
}

fn some_checked<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<ScriptedResponse>>, D::Error> {
    checked(deserializer).map(Some)
}

fn unique<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<FileProvider>>, D::Error> {
    let providers = Vec::<FileProvider>::deserialize(deserializer)?;
    let mut names: Vec<&str> = providers.iter().map(|provider| &*provider.name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair.first() == pair.last()) {
        Some([twice, ..]) => Err(de::Error::custom(format!(
            "two providers are called `{twice}`; rename one"
        ))),
        _ => Ok(Some(providers)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;

    use crate::provider::Script;

    #[test]
    fn errors_name_the_line_and_the_nearest_key() {
        for (text, says) in [
            ("{}", "s.json: it needs either `providers`"),
            (
                r#"{"providers": [], "responses": []}"#,
                "s.json: it needs either `providers`",
            ),
            (
                r#"{"providers": [], "model": "m"}"#,
                "s.json: it needs either `providers`",
            ),
            (
                "{\"responses\": [{\"text\": \"a\"},\n{\"text\": \"b\", \"error\": {\"kind\": \"other\"}}]}",
                "s.json:2: the response has both",
            ),
            (
                "{\"responses\": [\n\n{\"error\": {\"kind\": \"busy\"}}]}",
                "s.json:3: the response has the error kind `busy`, which is none of: timeout, rate-limited",
            ),
            (
                "{\"providers\": [{\"name\": \"a\", \"responses\": []},\n{\"name\": \"a\", \"responses\": []}]}",
                "s.json:2: two providers are called `a`",
            ),
            (
                "{\"responses\": [\n{\"txt\": \"a\"}]}",
                "s.json:2: unknown key `txt`; did you mean `text`?",
            ),
            (
                "{\"responses\": [\n{\"qqq\": \"a\"}]}",
                "s.json:2: unknown key `qqq`; known here: text, thinking, tool_calls",
            ),
            (
                "{\"responses\": [\n{\"chunk\": 0}]}",
                "s.json:2: invalid value",
            ),
            (
                "{\"responses\": [\n{\"tool_calls\": [{}]}]}",
                "s.json:2: `name` is missing",
            ),
            ("{\"responses\": [\n", "s.json:2: EOF"),
        ] {
            let error = Script::parse(text).unwrap_err().of(Path::new("s.json"));
            let error = error.to_string();
            assert!(error.starts_with(says), "{text}: {error}");
        }
        let unnamed = Script::parse("{\n\"respones\": []}")
            .unwrap_err()
            .to_string();
        assert_eq!(
            unnamed,
            "the script:2: unknown key `respones`; did you mean `responses`?"
        );
    }

    #[test]
    fn the_schema_has_the_keys_of_the_file() {
        let schema = Script::schema();
        let response = &schema["$defs"]["ScriptedResponse"];
        for key in ["text", "tool_calls", "expect", "chunk_delay_ms"] {
            assert!(
                response["properties"][key]["description"].is_string(),
                "{key}"
            );
        }
        assert_eq!(
            schema["properties"]["responses"]["items"],
            json!({ "$ref": "#/$defs/ScriptedResponse" })
        );
        assert_eq!(schema["additionalProperties"], false);
    }
}
