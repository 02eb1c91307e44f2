//! Secrets that the operator grants by name.
//!
//! The host replaces a hook's secrets by `[secret NAME]` in its log, its events, its failures and its
//! refusals. It does not replace them in values, state or the prompt.

use crate::imports::secrets;

/// Returns the secret of this name, or `None` if it was not granted.
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
