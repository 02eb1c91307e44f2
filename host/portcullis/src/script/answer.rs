//! Converting the exit code and the output of a script to an outcome.

use std::process::ExitStatus;

use serde_json::{Value, json};

use super::run::Ended;
use crate::contract::text::sanitize_for_terminal;
use crate::model::failure::{Ending, Failure};
use crate::model::json::{JsonError, JsonPoint, from_json};
use crate::model::points::PointId;

/// The exit code that refuses.
const REFUSES: i32 = 2;
/// The code of a script's refusal.
const REFUSED: &str = "script-refused";
/// The longest reason, in bytes. The model may read it.
const LONGEST_REASON: usize = 1_000;

/// A script's answer, as JSON that may be an outcome of its point.
pub(super) enum Said {
    /// Written to stdout.
    Written(Value),
    /// Given by the exit code.
    Refused(Value),
}

pub(super) fn read(ended: &Ended) -> Result<Said, Failure> {
    match ended.status.code() {
        Some(0) => written(&ended.stdout),
        Some(REFUSES) => Ok(refused(ended)),
        _ => Err(Failure::Exit {
            ending: ending(ended.status),
            said: last_line(&ended.stderr),
        }),
    }
}

/// Returns the answer as an outcome of the point.
pub(super) fn outcome<P: JsonPoint>(said: Said) -> Result<P::Outcome, Failure> {
    let (value, refused) = match said {
        Said::Written(value) => (value, false),
        Said::Refused(value) => (value, true),
    };
    from_json(value).map_err(|error| unfit(P::ID, refused, &error))
}

fn unfit(point: PointId, refused: bool, error: &JsonError) -> Failure {
    Failure::BadOutput(match refused {
        true => {
            format!(
                "it ended with exit code {REFUSES}, which refuses, and {point} knows no refusal"
            )
        }
        false => sanitize_for_terminal(&error.to_string()),
    })
}

fn written(stdout: &[u8]) -> Result<Said, Failure> {
    let answer = match stdout.trim_ascii() {
        [] => json!("continue"),
        text => serde_json::from_slice(text).map_err(|e| {
            Failure::BadOutput(format!(
                "what it wrote to stdout is not JSON: {e}; write an outcome, or nothing to continue"
            ))
        })?,
    };
    Ok(Said::Written(answer))
}

fn refused(ended: &Ended) -> Said {
    let said = last_line(&ended.stderr);
    let reason = said.as_deref().unwrap_or("the script gave no reason");
    Said::Refused(json!({"reject": {"code": REFUSED, "reason": reason}}))
}

/// Returns the last non-blank line, safe to show.
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
