//! `[subagents.NAME]`: agents that the agent calls as tools.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use portcullis_agent::{CompactionConfig, RetryConfig};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::Faults;
use crate::guards::Guards;

/// An agent that its parent calls as a tool of this name, with a task in words. It has a conversation of
/// its own. Its parent's hooks run at all its points, before its own.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Subagent {
    /// The sub-agent's description, for the model that calls it. Required.
    pub description: String,
    /// The instructions to its model.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub system_prompt: Option<String>,
    /// The provider that is called first, by its name.
    #[schemars(extend("x-if-left-out" = "the first one"))]
    pub provider: Option<String>,
    /// The model.
    #[schemars(extend("x-if-left-out" = "the provider's"))]
    pub model: Option<String>,
    /// The sampling temperature.
    #[schemars(extend("x-if-left-out" = "its parent's"))]
    pub temperature: Option<f64>,
    /// The retries of a failed model call that no hook decides on. The table replaces the parent's
    /// table as a whole.
    #[schemars(extend("x-if-left-out" = "its parent's"))]
    pub retry: Option<RetryConfig>,
    /// When and how its conversation is compacted. The table takes the place of its parent's as a whole.
    #[schemars(extend("x-if-left-out" = "its parent's"))]
    pub compaction: Option<CompactionConfig>,
    /// Which of its parent's tools it may use, by name; `*` stands for any characters.
    pub tools: Vec<String>,
    /// The directory of its own hooks.
    #[schemars(extend("x-if-left-out" = "none: only its parent's hooks run"))]
    pub hooks: Option<PathBuf>,
    /// Limits that stop its turn with its output so far.
    pub guards: Guards,
    /// Its own sub-agents.
    pub subagents: BTreeMap<String, Subagent>,
}

impl Subagent {
    pub(crate) fn resolve(&mut self, dir: &Path) {
        if let Some(hooks) = &mut self.hooks {
            *hooks = dir.join(&*hooks);
        }
        for subagent in self.subagents.values_mut() {
            subagent.resolve(dir);
        }
    }

    /// Adds the faults of a sub-agent at a path of keys.
    pub(crate) fn faults(&self, at: &[&str], providers: &[&str], faults: &mut Faults<'_>) {
        let key = |key| [at, &[key]].concat();
        let why = "say what the sub-agent does, for the model that calls it";
        faults.required(at, "description", !self.description.is_empty(), why);
        if let Some(provider) = &self.provider {
            let at = key("provider");
            faults.one_of(&at, "provider", provider, providers, &["providers"]);
        }
        if let Some(dir) = self.hooks.as_ref().filter(|dir| !dir.is_dir()) {
            let problem = format!("there is no hooks directory {}; create it", dir.display());
            faults.add(&key("hooks"), problem);
        }
        for (name, subagent) in &self.subagents {
            subagent.faults(&[at, &["subagents", name]].concat(), providers, faults);
        }
    }
}
