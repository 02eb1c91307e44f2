//! `[restate]`: the server that runs the agent's turns, on many machines.

use std::num::NonZeroU64;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::Faults;

/// The server that runs the agent's turns. `portcullis run` sends turns there, and `portcullis worker` runs them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Restate {
    /// Where the server takes requests: its ingress.
    pub url: String,
    /// Seconds that the questions of a suspended turn wait for their answers. Then they are answered with no.
    #[schemars(extend("x-if-left-out" = "they wait forever"))]
    pub answer_within_s: Option<NonZeroU64>,
}

impl Default for Restate {
    fn default() -> Self {
        Self {
            url: "http://127.0.0.1:8080".into(),
            answer_within_s: None,
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

    /// How long the questions of a suspended turn wait for their answers.
    pub fn answer_within(&self) -> Option<Duration> {
        self.answer_within_s.map(|s| Duration::from_secs(s.get()))
    }
}
