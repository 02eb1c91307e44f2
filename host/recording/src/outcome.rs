//! The result of a call.

use portcullis::recording::{RecordedCall, World};
use portcullis::secrets::Secrets;
use serde_json::Value;

use crate::call::Outcome;
use crate::error::RecordingError;
use crate::json::{close, field, raw};
use crate::redact::{Found, Redaction};

/// Returns a call's result, and the results that it got from the world, without these secrets.
///
/// # Errors
///
/// JSON cannot represent them.
pub fn ended(call: &RecordedCall, secrets: &Secrets) -> Result<(Outcome, World), RecordingError> {
    let mut json = Vec::new();
    write(&mut json, call, true)?;
    let mut world = call.world.clone();
    if secrets.is_empty() {
        let outcome = serde_json::from_slice(&json).map_err(RecordingError::damaged)?;
        return Ok((outcome, world));
    }
    let mut outcome: Value = serde_json::from_slice(&json).map_err(RecordingError::damaged)?;
    let (redaction, mut found) = (Redaction::default(), Found::default());
    redaction.outcome(&mut outcome, secrets, &mut found);
    redaction.world(&mut world, secrets, &mut found);
    if let Some(why) = found.missing {
        world.missing.get_or_insert_with(|| why.to_owned());
    }
    let outcome = serde_json::from_value(outcome).map_err(RecordingError::damaged)?;
    Ok((outcome, world))
}

/// Writes the [`Outcome`] of a call. The value and the answer are left out unless `whole` is set.
pub(crate) fn write(
    line: &mut Vec<u8>,
    call: &RecordedCall,
    whole: bool,
) -> Result<(), RecordingError> {
    let run = &call.run;
    let micros = u64::try_from(run.latency.as_micros()).unwrap_or(u64::MAX);
    line.push(b'{');
    field(line, "status", &run.status)?;
    field(line, "fuel", &run.fuel)?;
    field(line, "micros", &micros)?;
    if whole {
        if let Some(value) = call.value().map_err(RecordingError::damaged)? {
            raw(line, "value", &value);
        }
        if let Some(said) = &call.said {
            raw(line, "said", said);
        }
    }
    if !run.contributed.is_empty() {
        let contributed = run.contributed.iter();
        let contributed = contributed.map(|record| (record.kind, record.digest));
        field(line, "contributed", &contributed.collect::<Vec<_>>())?;
    }
    close(line);
    Ok(())
}
