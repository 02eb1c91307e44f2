//! The operator's table.

use guards_common::names;
use portcullis_sdk::schemars::{self, JsonSchema};
use portcullis_sdk::{Error, HookResult};
use serde::Deserialize;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "limits": [{ "tools": ["send_*"], "calls": 5, "seconds": 60, "scope": "shared" }],
}]))]
pub struct Config {
    /// The limits. A call must be within all that match its tool.
    pub limits: Vec<Limit>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            limits: vec![Limit::default()],
        }
    }
}

/// A limit.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limit {
    /// The tools; `*` stands for any text.
    pub tools: Vec<String>,
    /// The most calls in a period of `seconds`.
    #[schemars(range(min = 1))]
    pub calls: u64,
    /// The length of the period, in seconds.
    #[schemars(range(min = 1))]
    pub seconds: u64,
    /// The most calls at once; as many as `calls` if left out.
    #[schemars(range(min = 1))]
    pub burst: Option<u64>,
    /// The calls that are counted together.
    pub scope: Scope,
    /// Whether each tool has a bucket of its own.
    pub each_tool: bool,
}

/// The calls that are counted together.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The calls of a session.
    #[default]
    Session,
    /// The calls of all sessions.
    Shared,
}

impl Default for Limit {
    fn default() -> Self {
        Self {
            tools: vec!["*".to_owned()],
            calls: 120,
            seconds: 60,
            burst: None,
            scope: Scope::Session,
            each_tool: false,
        }
    }
}

impl Limit {
    /// Returns whether the tool's calls are counted.
    pub fn is_for(&self, tool: &str) -> bool {
        names::any(&self.tools, tool)
    }

    /// Returns the most calls at once.
    pub fn burst(&self) -> u64 {
        self.burst.unwrap_or(self.calls)
    }

    /// Returns the key of a tool's bucket.
    pub fn key(&self, at: usize, tool: &str) -> String {
        match self.each_tool {
            true => format!("{at}:{tool}"),
            false => at.to_string(),
        }
    }
}

impl Config {
    /// Returns the table if its values are valid.
    pub fn checked(self) -> HookResult<Self> {
        let is_wrong =
            |limit: &&Limit| limit.calls == 0 || limit.seconds == 0 || limit.burst == Some(0);
        match self.limits.iter().find(is_wrong) {
            Some(limit) => Err(Error::bad_config(format_args!(
                "`limits`: `calls`, `seconds` and `burst` of {:?} must be 1 or more; to forbid a tool, leave it out of the policy",
                limit.tools
            ))),
            None => Ok(self),
        }
    }
}
