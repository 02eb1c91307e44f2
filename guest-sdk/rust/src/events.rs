//! Events for the agent's subscribers, such as dashboards, logs and tests.

use serde::Serialize;

use crate::imports::events;
use crate::{Error, HookResult};

/// Emits an event once this call has succeeded. A call that fails emits no events.
///
/// # Errors
///
/// `data` cannot be written as JSON.
///
/// ```
/// # use portcullis_sdk::prelude::*;
/// # fn main() -> HookResult<()> {
/// events::emit("spent", &serde_json::json!({ "micro_usd": 1200 }))?;
/// # Ok(())
/// # }
/// ```
pub fn emit(name: &str, data: &impl Serialize) -> HookResult<()> {
    let data = serde_json::to_string(data)
        .map_err(|fault| Error::failed(format_args!("event `{name}`: {fault}")))?;
    events::emit(name, &data);
    Ok(())
}
