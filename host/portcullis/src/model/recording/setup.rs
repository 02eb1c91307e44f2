//! The setup of a hook and its component when a call was recorded.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::hook::HookId;
use crate::model::verdict::Digest;
use crate::model::view::View;

/// The setup of a component.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ComponentSetup {
    /// Its configuration.
    pub config: Value,
    /// Its limits, by their keys in `hooks.toml`.
    pub limits: Value,
    /// Its grants, by their keys in `hooks.toml`.
    pub grants: Value,
    /// The lifetime of its instances, by the name in `hooks.toml`.
    pub isolation: Value,
    /// The views that it imports.
    pub views: Vec<View>,
    /// The names of the secrets that are redacted, with the lengths of the secrets in bytes.
    pub secrets: std::collections::BTreeMap<String, usize>,
    /// Whether it was granted directories.
    #[serde(default)]
    pub files: bool,
}

/// The setup of a hook: its grants, and its treatment by the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RecordedSetup {
    /// The hook.
    pub hook: HookId,
    /// The digest of its component.
    pub component: Option<Digest>,
    /// Its role, by its name in `hooks.toml`.
    pub role: String,
    /// The effect of its failure, by the name in `hooks.toml`.
    pub failure: String,
    /// Whether its answers count, by the name in `hooks.toml`.
    pub mode: String,
    /// The policy by which the agent waits for it, by the name in `hooks.toml`.
    pub execution: String,
    /// The setup of its component.
    #[serde(flatten)]
    pub of: ComponentSetup,
}
