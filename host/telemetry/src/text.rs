//! The names of values.

use serde::Serialize;

/// Returns the name of a unit variant.
pub(crate) fn of_unit(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

/// Returns the name of a case of the contract's enumerations.
pub(crate) fn of_contract(value: &impl Serialize) -> String {
    let json = portcullis::json::serialize(value, serde_json::value::Serializer);
    json.unwrap_or_default()
        .as_str()
        .unwrap_or_default()
        .to_owned()
}
