//! Objects of JSON, field by field.

use std::io::Write as _;

use serde::Serialize;

use crate::error::RecordingError;

/// Writes a field of an object, and a comma.
pub(crate) fn field<T: Serialize + ?Sized>(
    line: &mut Vec<u8>,
    name: &str,
    value: &T,
) -> Result<(), RecordingError> {
    // A vector takes everything.
    let _ = write!(line, "\"{name}\":");
    serde_json::to_writer(&mut *line, value).map_err(RecordingError::damaged)?;
    line.push(b',');
    Ok(())
}

pub(crate) fn raw(line: &mut Vec<u8>, name: &str, json: &[u8]) {
    let _ = write!(line, "\"{name}\":");
    line.extend_from_slice(json);
    line.push(b',');
}

/// Ends an object: in the place of the last comma, if there is one.
pub(crate) fn close(line: &mut Vec<u8>) {
    if line.last() == Some(&b',') {
        line.pop();
    }
    line.push(b'}');
}
