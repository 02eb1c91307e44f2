//! Checks the defaults and examples in a configuration schema against the schema itself.

use portcullis_schema::{Fault, Misfit, Schema, Wrong};
use serde_json::Value;

use super::path::{keys_of, path, push_key};
use super::{shown, unusable};
use crate::settings::{MOST_TOLD, part_of, subschemas};

/// Returns the errors in the defaults and examples of a schema, each with its key.
pub(crate) fn wrong_values(schema: &Value) -> Vec<String> {
    let given = subschemas(schema)
        .into_iter()
        .filter_map(|(pointer, part)| {
            let examples = part.get("examples").and_then(Value::as_array);
            let examples = examples.into_iter().flatten();
            let given: Vec<&Value> = part.get("default").into_iter().chain(examples).collect();
            (!given.is_empty()).then_some((pointer, given))
        });
    let wrong = given.flat_map(|(pointer, given)| {
        let place = described_by(&pointer);
        match Schema::of(&part_of(schema, &pointer)) {
            Ok(part) => given
                .into_iter()
                .flat_map(|value| refused(&part, &place, value))
                .collect(),
            Err(error) => {
                let why = unusable(error);
                vec![format!("`{place}`: its values cannot be checked: {why}")]
            }
        }
    });
    wrong.map(|wrong| shown(&wrong)).collect()
}

/// Returns the part of the configuration that the schema describes at this pointer, such as
/// `config.words[]`.
fn described_by(pointer: &str) -> String {
    let keys = keys_of(pointer);
    let mut keys = keys.iter().map(String::as_str);
    let mut place = String::from("config");
    while let Some(keyword) = keys.next() {
        match keyword {
            "properties" => push_key(&mut place, keys.next().unwrap_or_default()),
            "$defs" | "definitions" => keys.next().unwrap_or_default().clone_into(&mut place),
            "items" | "prefixItems" => place.push_str("[]"),
            "additionalProperties" | "patternProperties" => place.push_str(".*"),
            _ => {}
        }
    }
    place
}

/// Returns the errors in a value of `place` according to a schema.
fn refused(schema: &Schema, place: &str, value: &Value) -> Vec<String> {
    let whole = |problem: &str| vec![format!("`{place}`: {problem}")];
    let wrong = match schema.check(value, MOST_TOLD) {
        Ok(()) => return Vec::new(),
        Err(Misfit::Wrong(wrong)) => wrong,
        Err(Misfit::TooMuchWork) => {
            return whole("a default or an example takes too much work to check; make it smaller");
        }
        Err(Misfit::Unexplained) => {
            return whole(
                "a default or an example does not fit; to find out why would take too much work",
            );
        }
    };
    let told = wrong.into_iter().flat_map(|Wrong { at, fault }| {
        let keys = keys_of(&at);
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let path = |more: &[&str]| path(place, value, &[&keys[..], more].concat());
        match fault {
            Fault::Unknown { keys, .. } => keys
                .iter()
                .map(|key| format!("`{}` is an unknown key", path(&[key])))
                .collect(),
            Fault::Missing(key) => vec![format!("`{}` is missing", path(&[&key]))],
            Fault::Other(words) => vec![format!("`{}`: {words}", path(&[]))],
        }
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::wrong_values;

    fn is_refused(schema: &Value, expected: &[&str]) {
        let mut wrong = wrong_values(schema);
        wrong.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(wrong, expected);
    }

    #[test]
    fn an_example_that_the_schema_refuses_is_named_with_its_key() {
        let words = json!({ "type": "array", "items": { "type": "string", "examples": ["a", 1] } });
        let rule = json!({
            "type": "object",
            "properties": { "tool": { "type": "string" }, "and": { "$ref": "#/$defs/Rule" } },
            "required": ["tool"],
            "additionalProperties": false,
            "examples": [{ "tool": "shell", "and": { "tol": "x" } }],
        });
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "a b/c": words,
                "rule": { "$ref": "#/$defs/Rule", "examples": [{ "tool": "shell" }, 3] },
                "examples": { "type": ["integer", "object"], "default": { "examples": ["no"] } },
            },
            "required": ["rule"],
            "examples": [
                { "rule": { "tool": "shell" }, "a b/c": ["x"] },
                { "a b/c": ["x", 1], "examples": "x" },
            ],
            "$defs": { "Rule": rule },
        });
        is_refused(
            &schema,
            &[
                "`config.rule` is missing",
                "`config.\"a b/c\"[1]`: value is not of type \"string\", and is a number",
                "`config.examples`: value is not of types \"integer\", \"object\", and is a string",
                "`config.\"a b/c\"[]`: value is not of type \"string\", and is a number",
                "`config.rule`: value is not of type \"object\", and is a number",
                "`Rule.and.tool` is missing",
                "`Rule.and.tol` is an unknown key",
            ],
        );
    }

    #[test]
    fn a_default_fits_the_schema_as_a_whole() {
        let rule = json!({
            "type": "object",
            "properties": { "tool": { "type": "string" }, "unless": { "$ref": "#/$defs/Rule" } },
            "required": ["tool"],
            "additionalProperties": false,
        });
        let schema = |default: Value| {
            json!({
                "type": "object",
                "properties": { "rule": { "$ref": "#/$defs/Rule", "default": default } },
                "$defs": { "Rule": rule },
            })
        };
        is_refused(&schema(json!({ "tool": "shell" })), &[]);
        is_refused(&schema(json!({})), &["`config.rule.tool` is missing"]);
    }
}
