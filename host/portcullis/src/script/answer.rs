//! What a script's end means.

use std::process::ExitStatus;

use serde_json::json;

use super::run::Ended;
use crate::contract::text::sanitize_for_terminal;
use crate::model::failure::{Ending, Failure};
use crate::model::json::{JsonPoint, from_json};

/// The exit code that refuses.
const REFUSES: i32 = 2;
/// The code of a script's refusal.
const REFUSED: &str = "script-refused";
/// The longest reason, in bytes. The model may have to read it.
const LONGEST_REASON: usize = 1_000;

pub(super) fn read<P: JsonPoint>(ended: &Ended) -> Result<P::Outcome, Failure> {
    match ended.status.code() {
        Some(0) => said::<P>(&ended.stdout),
        Some(REFUSES) => refused::<P>(ended),
        _ => Err(Failure::Exit {
            ending: ending(ended.status),
            said: last_line(&ended.stderr),
        }),
    }
}

fn said<P: JsonPoint>(stdout: &[u8]) -> Result<P::Outcome, Failure> {
    let answer = match stdout.trim_ascii() {
        [] => json!("continue"),
        text => serde_json::from_slice(text).map_err(|e| {
            Failure::BadOutput(format!(
                "what it wrote to stdout is not JSON: {e}; write an outcome, or nothing to continue"
            ))
        })?,
    };
    from_json(answer).map_err(|e| Failure::BadOutput(sanitize_for_terminal(&e.to_string())))
}

fn refused<P: JsonPoint>(ended: &Ended) -> Result<P::Outcome, Failure> {
    let said = last_line(&ended.stderr);
    let reason = said.as_deref().unwrap_or("the script gave no reason");
    from_json(json!({"reject": {"code": REFUSED, "reason": reason}})).map_err(|_| {
        Failure::BadOutput(format!(
            "it ended with exit code {REFUSES}, which refuses, and {} knows no refusal",
            P::ID
        ))
    })
}

/// The last line with something on it, safe to show.
fn last_line(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    let mut line = sanitize_for_terminal(line);
    line.truncate(line.floor_char_boundary(LONGEST_REASON));
    Some(line)
}

fn ending(status: ExitStatus) -> Ending {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Ending::Signal(signal);
    }
    Ending::Code(status.code().unwrap_or(-1))
}
