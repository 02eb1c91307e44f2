//! Writing JSON objects field by field.

use serde::Serialize;

use crate::error::RecordingError;

/// Writes a field of an object, and a comma.
pub(crate) fn field<T: Serialize + ?Sized>(
    line: &mut Vec<u8>,
    name: &str,
    value: &T,
) -> Result<(), RecordingError> {
    self::name(line, name);
    serde_json::to_writer(&mut *line, value).map_err(RecordingError::damaged)?;
    line.push(b',');
    Ok(())
}

/// Writes a field whose value is JSON already.
pub(crate) fn raw(line: &mut Vec<u8>, name: &str, json: &[u8]) {
    self::name(line, name);
    line.extend_from_slice(json);
    line.push(b',');
}

/// Writes a field's name, which needs no escapes, and a colon.
pub(crate) fn name(line: &mut Vec<u8>, name: &str) {
    line.push(b'"');
    line.extend_from_slice(name.as_bytes());
    line.extend_from_slice(b"\":");
}

/// Ends an object. The closing brace replaces the last comma, if there is one.
pub(crate) fn close(line: &mut Vec<u8>) {
    if line.last() == Some(&b',') {
        line.pop();
    }
    line.push(b'}');
}
