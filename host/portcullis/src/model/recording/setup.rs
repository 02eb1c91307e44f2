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
    /// The component's configuration.
    pub config: Value,
    /// The component's limits, by their keys in `hooks.toml`.
    pub limits: Value,
    /// The component's grants, by their keys in `hooks.toml`.
    pub grants: Value,
    /// The lifetime of the component's instances, by its name in `hooks.toml`.
    pub isolation: Value,
    /// The views that the component imports.
    pub views: Vec<View>,
    /// The names of the secrets that are redacted, with the lengths of the secrets in bytes.
    pub secrets: std::collections::BTreeMap<String, usize>,
    /// Whether the component was granted directories.
    #[serde(default)]
    pub files: bool,
}

/// The setup of a hook: its grants, and its treatment by the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RecordedSetup {
    /// The hook.
    pub hook: HookId,
    /// The digest of the hook's component.
    pub component: Option<Digest>,
    /// The hook's role, by its name in `hooks.toml`.
    pub role: String,
    /// The hook's failure policy, by its name in `hooks.toml`.
    pub failure: String,
    /// The mode, which says whether the hook's answers count, by its name in `hooks.toml`.
    pub mode: String,
    /// The policy by which the agent waits for the hook, by its name in `hooks.toml`.
    pub execution: String,
    /// The setup of the hook's component.
    #[serde(flatten)]
    pub of: ComponentSetup,
}
