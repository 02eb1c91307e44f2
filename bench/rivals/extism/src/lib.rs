//! The guard as an Extism plug-in: once with JSON in and out, as in Extism's documentation, and once with
//! plain text, the minimum.
#![cfg(target_family = "wasm")]

use extism_pdk::{FnResult, Json, plugin_fn};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct ToolCall {
    name: String,
    arguments: String,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Continue,
    Reject {
        code: &'static str,
        reason: &'static str,
    },
}

const CODE: &str = "no-rm";
const REASON: &str = "Nothing is deleted here.";

fn refuses(name: &str, arguments: &str) -> bool {
    name == "shell" && arguments.contains("rm -rf")
}

#[plugin_fn]
pub fn json(Json(call): Json<ToolCall>) -> FnResult<Json<Verdict>> {
    Ok(Json(if refuses(&call.name, &call.arguments) {
        Verdict::Reject {
            code: CODE,
            reason: REASON,
        }
    } else {
        Verdict::Continue
    }))
}

/// Takes the name and the arguments, one per line. Returns nothing, or the code and the reason, one per line.
#[plugin_fn]
pub fn text(call: String) -> FnResult<String> {
    let (name, arguments) = call.split_once('\n').unwrap_or_default();
    Ok(if refuses(name, arguments) {
        format!("{CODE}\n{REASON}")
    } else {
        String::new()
    })
}
