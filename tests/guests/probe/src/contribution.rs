//! The contributions of the probe: `KIND …`, separated by `; `.
//!
//! ```text
//! policy DOMAIN JSON · context KIND TEXT · section ID TEXT · tool NAME · note CODE · job NAME
//! ```

use portcullis_sdk::{Error, HookResult};
use serde_json::{Value, json};

/// Returns all contributions in a text, in the contract's JSON form.
pub fn all(said: &str) -> HookResult<Vec<Value>> {
    said.split("; ").map(one).collect()
}

fn one(said: &str) -> HookResult<Value> {
    let (kind, rest) = said.split_once(' ').unwrap_or((said, ""));
    let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
    Ok(match kind {
        "policy" => json!({ "policy": { "domain": name, "rules": text } }),
        "context" => json!({ "context": { "kind": name, "text": text } }),
        "section" => {
            json!({ "section": { "id": name, "text": text, "order": 0, "essential": false } })
        }
        "tool" => {
            let schema = r#"{"type":"object"}"#;
            let spec =
                json!({ "name": name, "description": "A tool of the probe's.", "schema": schema });
            let tools = json!([{ "spec": spec, "route": "hook" }]);
            json!({ "tools": { "name": "probe-tools", "tools": tools } })
        }
        "note" => json!({ "note": { "code": name, "data": "true" } }),
        "job" => json!({ "job": { "name": name, "input": "{}" } }),
        other => return Err(Error::bad_config(format!("no contribution `{other}`"))),
    })
}
