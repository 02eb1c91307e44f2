//! Secrets that the operator grants by name.
//!
//! What a hook logs, emits, reports as a failure or gives as a reason is searched for them, and they
//! are replaced by `[secret NAME]`. What it puts into values, state or the prompt is not.

use crate::imports::secrets;

/// The secret of this name, or nothing if it was not granted.
///
/// ```no_run
/// # use portcullis_sdk::prelude::*;
/// # fn main() -> HookResult<()> {
/// let key = secrets::get("WEATHER_KEY").ok_or_else(|| Error::failed("WEATHER_KEY is not granted"))?;
/// # Ok(())
/// # }
/// ```
pub fn get(name: &str) -> Option<String> {
    secrets::get(name)
}
