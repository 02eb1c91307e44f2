//! The result of a call.

use portcullis::recording::{RecordedCall, World};

use crate::call::Outcome;
use crate::error::RecordingError;

/// The result of a call, and what it got of the world, without secrets.
///
/// # Errors
///
/// JSON cannot say it.
pub fn ended(call: &RecordedCall) -> Result<(Outcome, World), RecordingError> {
    let outcome = outcome(call)?;
    if call.secrets().is_empty() {
        return Ok((outcome, call.world.clone()));
    }
    let both = serde_json::to_value((outcome, &call.world)).map_err(RecordingError::damaged)?;
    let both = call.secrets().redact_json(both);
    serde_json::from_value(both).map_err(RecordingError::damaged)
}

pub(crate) fn outcome(call: &RecordedCall) -> Result<Outcome, RecordingError> {
    let json = |bytes: &[u8]| serde_json::from_slice(bytes).map_err(RecordingError::damaged);
    let value = call.value().map_err(RecordingError::damaged)?;
    let run = &call.run;
    Ok(Outcome {
        status: serde_json::to_value(&run.status).map_err(RecordingError::damaged)?,
        fuel: run.fuel,
        micros: u64::try_from(run.latency.as_micros()).unwrap_or(u64::MAX),
        value: value.as_deref().map(json).transpose()?,
        said: call.said.as_deref().map(json).transpose()?,
        contributed: run
            .contributed
            .iter()
            .map(|record| (record.kind.to_owned(), record.digest.to_string()))
            .collect(),
    })
}
