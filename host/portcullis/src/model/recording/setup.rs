//! What a hook and its component were set up with when a call was recorded.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::hook::HookId;
use crate::model::verdict::Digest;
use crate::model::view::View;

/// What a component was set up with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ComponentSetup {
    /// Its configuration.
    pub config: Value,
    /// Its limits, by their keys in `hooks.toml`.
    pub limits: Value,
    /// Its grants, by their keys.
    pub grants: Value,
    /// How long its instances live, by the name in `hooks.toml`.
    pub isolation: Value,
    /// The views that it imports.
    pub views: Vec<View>,
    /// The secrets that are replaced by their names, with their lengths in bytes.
    pub secrets: std::collections::BTreeMap<String, usize>,
    /// Whether it was granted directories.
    #[serde(default)]
    pub files: bool,
}

/// How a hook was set up: what it was granted, and how the chain treats it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RecordedSetup {
    /// The hook.
    pub hook: HookId,
    /// The digest of its component.
    pub component: Option<Digest>,
    /// Its role, by its name in `hooks.toml`.
    pub role: String,
    /// What its failure means, by its name.
    pub failure: String,
    /// Whether its answers count, by its name.
    pub mode: String,
    /// How the agent waits for it, by its name.
    pub execution: String,
    /// What its component was set up with.
    #[serde(flatten)]
    pub of: ComponentSetup,
}
