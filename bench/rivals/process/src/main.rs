//! The guard as a process: one call as JSON on stdin, the verdict as JSON on stdout.

use std::error::Error;
use std::io;

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

fn main() -> Result<(), Box<dyn Error>> {
    let call: ToolCall = serde_json::from_reader(io::stdin().lock())?;
    let verdict = if call.name == "shell" && call.arguments.contains("rm -rf") {
        Verdict::Reject {
            code: "no-rm",
            reason: "Nothing is deleted here.",
        }
    } else {
        Verdict::Continue
    };
    serde_json::to_writer(io::stdout().lock(), &verdict)?;
    Ok(())
}
