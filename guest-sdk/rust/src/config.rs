//! The operator's configuration of this hook: its `[hooks.ID.config]` table.

mod prepared;

use serde::de::DeserializeOwned;

pub use prepared::Prepared;

use crate::imports::store;
use crate::{Error, HookResult};

/// The key at which the host has the whole table, as one JSON document.
const WHOLE: &str = "";

/// The whole table. Without one in `hooks.toml` it is as if it were empty.
///
/// Reading it takes a host call and a parse: a hook that derives something costly from it keeps
/// that in a [`Prepared`].
///
/// # Errors
///
/// [`Error::bad_config`], naming the key, if the table does not fit `T`.
///
/// ```
/// # use portcullis_sdk::prelude::*;
/// #[derive(serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Config {
///     #[serde(default)]
///     patterns: Vec<String>,
/// }
///
/// # fn main() -> HookResult<()> {
/// let config: Config = config()?;
/// # Ok(())
/// # }
/// ```
pub fn config<T: DeserializeOwned>() -> HookResult<T> {
    from_json(get(WHOLE)?.as_deref().unwrap_or("{}"))
}

/// The value of one top-level key: a string as it is, anything else as JSON text.
///
/// # Errors
///
/// [`Error::failed`] if the host cannot say.
pub fn get(key: &str) -> HookResult<Option<String>> {
    store::get(key).map_err(|fault| match fault {
        store::Error::Upstream(message) | store::Error::Io(message) => {
            Error::failed(format_args!("config could not be read: {message}"))
        }
    })
}

/// Reads a table as [`config`] does, from JSON text; for tests.
///
/// # Errors
///
/// As for [`config`].
pub fn from_json<T: DeserializeOwned>(table: &str) -> HookResult<T> {
    let mut json = serde_json::Deserializer::from_str(table);
    serde_path_to_error::deserialize(&mut json).map_err(|fault| {
        let path = fault.path().to_string();
        let reason = fault.into_inner().to_string();
        // Where it is in the JSON says nothing to whoever wrote the TOML.
        let reason = reason.split(" at line ").next().unwrap_or(&reason);
        if path == "." {
            Error::bad_config(reason)
        } else {
            Error::bad_config(format_args!("`{path}`: {reason}"))
        }
    })
}

/// The JSON schema of a configuration, which the component gives the host.
#[doc(hidden)]
pub fn schema<T: schemars::JsonSchema>() -> String {
    schemars::schema_for!(T).to_value().to_string()
}

#[cfg(test)]
mod tests;
