//! Reloading hooks.

use portcullis::reload::Reload;
use portcullis::text::sanitize_for_terminal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The result of loading the hooks again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ReloadReply {
    /// The hooks that are different from before, new or gone, by id.
    pub changed: Vec<String>,
    /// The hooks that continue as they were loaded, since their files do not load.
    pub kept: Vec<String>,
    /// Load errors: file, cause and fix, each on one line. If there are any and nothing is kept or
    /// changed, all hooks run as before.
    pub errors: Vec<String>,
}

impl From<Reload> for ReloadReply {
    fn from(reload: Reload) -> Self {
        let line = |error: &dyn std::fmt::Display| sanitize_for_terminal(&error.to_string());
        match reload {
            Reload::Unchanged => Self::default(),
            Reload::Refused(errors) => Self {
                errors: errors.0.iter().map(|error| line(error)).collect(),
                ..Self::default()
            },
            Reload::Done(done) => Self {
                changed: done
                    .changes
                    .iter()
                    .map(|change| change.hook.to_string())
                    .collect(),
                kept: done
                    .kept
                    .iter()
                    .map(|stale| stale.hook.to_string())
                    .collect(),
                errors: done.errors.iter().map(|error| line(error)).collect(),
            },
        }
    }
}
