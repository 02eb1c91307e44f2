//! The names of values.

use serde::Serialize;

/// The name of a unit variant.
pub(crate) fn of_unit(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

/// The same of an enumeration of the contract.
pub(crate) fn of_contract(value: &impl Serialize) -> String {
    let json = portcullis::json::serialize(value, serde_json::value::Serializer);
    json.unwrap_or_default()
        .as_str()
        .unwrap_or_default()
        .to_owned()
}
