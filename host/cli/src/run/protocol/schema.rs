//! The schema of the protocol, from its types.

use portcullis_agent::Emitted;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::{FrontEvent, Request};

/// The JSON schema of the protocol: `request` is a line of the standard input, `event` one of the standard
/// output.
pub fn schema() -> Value {
    let mut generator = SchemaGenerator::default();
    let request = of::<Request>(&mut generator);
    let command = of::<FrontEvent<'_>>(&mut generator);
    let agent = of::<Emitted>(&mut generator);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "portcullis run --json",
        "$defs": generator.take_definitions(true),
        "properties": {
            "request": request,
            "event": { "anyOf": [command, agent] },
        },
    })
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}
