//! Schemas of tables in the operator's configuration.

use portcullis_sdk::schemars::{Schema, json_schema};
use serde_json::{Map, Value};

/// Returns the schema of a table with these keys and no others.
pub fn table<'a>(keys: impl IntoIterator<Item = (&'a str, Schema)>) -> Schema {
    let keys = keys.into_iter();
    let properties = keys.map(|(key, schema)| (key.to_owned(), schema.to_value()));
    let properties: Map<String, Value> = properties.collect();
    json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
}
