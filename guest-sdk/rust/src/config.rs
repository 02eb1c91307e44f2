//! The operator's configuration of this hook: its `[hooks.ID.config]` table.

mod prepared;

use serde::de::DeserializeOwned;

pub use prepared::Prepared;

use crate::imports::store;
use crate::{Error, HookResult};

/// The key at which the host has the whole table, as one JSON document.
const WHOLE: &str = "";

/// Reads the whole table. If `hooks.toml` has none, the table is empty.
///
/// Each read costs a host call and a parse. A hook that derives something costly from the table keeps
/// the result in a [`Prepared`].
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

/// Returns the value of one top-level key: a string as it is, any other value as JSON text.
///
/// # Errors
///
/// [`Error::failed`] if the host cannot read the configuration.
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
        // The operator wrote TOML, so a position in the JSON does not help.
        let reason = reason.split(" at line ").next().unwrap_or(&reason);
        if path == "." {
            Error::bad_config(reason)
        } else {
            Error::bad_config(format_args!("`{path}`: {reason}"))
        }
    })
}

/// Returns the JSON schema of a configuration, which the component exports.
#[doc(hidden)]
pub fn schema<T: schemars::JsonSchema>() -> String {
    schemars::schema_for!(T).to_value().to_string()
}

#[cfg(test)]
mod tests;
