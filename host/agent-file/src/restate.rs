//! `[restate]`: the server that runs the agent's turns, on many machines.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::Faults;

/// The server that runs the agent's turns. `portcullis run` sends turns there, and `portcullis worker` runs them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Restate {
    /// Where the server takes requests: its ingress.
    pub url: String,
}

impl Default for Restate {
    fn default() -> Self {
        Self {
            url: "http://127.0.0.1:8080".into(),
        }
    }
}

impl Restate {
    pub(crate) fn faults(&self, faults: &mut Faults<'_>) {
        let at = ["restate", "url"];
        if !self.url.starts_with("http://") && !self.url.starts_with("https://") {
            let problem = format!(
                "`{}` is no http URL; write one like http://127.0.0.1:8080",
                self.url
            );
            faults.add(&at, problem);
        }
        faults.address(&at, Some(&self.url), "token");
    }
}
