//! The schema of the protocol, from its types.

use portcullis_agent::Emitted;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::{FrontEvent, Request};

/// Returns the JSON schema of the protocol: `request` is a line of the standard input, `event` one
/// of the standard output.
pub fn schema() -> Value {
    let mut generator = SchemaGenerator::default();
    let request = of::<Request>(&mut generator);
    let command = of::<FrontEvent<'_>>(&mut generator);
    let agent = of::<Emitted>(&mut generator);
    let mut definitions = generator.take_definitions(true);
    // The command writes hook runs in a form of its own.
    let events = definitions.get_mut("Emitted");
    if let Some(Value::Array(kinds)) = events.and_then(|events| events.get_mut("oneOf")) {
        kinds.retain(|kind| kind["properties"]["event"]["const"] != "hook-run");
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "portcullis run --json",
        "$defs": definitions,
        "properties": {
            "request": request,
            "event": { "anyOf": [command, agent] },
        },
    })
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}
