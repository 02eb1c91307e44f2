//! The host resources that a hook run used.

use serde::{Deserialize, Serialize};

use crate::model::host_call::HostCall;

/// The most calls of a run that are kept.
const MOST_CALLS: usize = 1_000;

/// The most bytes of a run's calls that are kept.
const MOST_BYTES: usize = 1 << 20;

/// The host resources that a hook run used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Reached {
    /// The grants that the run used, as written in `hooks.toml`, such as `secrets = "KEY"`:
    /// servers, secrets, shared namespaces, keys of the agent's state, directories and the model.
    /// Empty unless an observer [watches runs](crate::observer::HookObserver::watches_runs). A
    /// directory counts once the hook has asked for its directories.
    pub used: Vec<String>,
    /// The run's calls of imports, in order: the first 1,000, and no more than 1 MiB of them. Empty
    /// unless an observer [watches them](crate::observer::HookObserver::watches_host_calls). The
    /// start of the instance is part of the run that it was started for.
    pub calls: Vec<HostCall>,
    /// The number of calls that are not in `calls`.
    pub more_calls: u64,
}

/// The calls of a run so far.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) calls: Vec<HostCall>,
    pub(crate) more: u64,
    bytes: usize,
}

impl Kept {
    /// Keeps a call if there is room, or counts it. After a call that is only counted, no call is
    /// kept.
    pub(crate) fn add(&mut self, call: &HostCall) {
        let bytes = self.bytes.saturating_add(call.size());
        if self.more > 0 || self.calls.len() == MOST_CALLS || bytes > MOST_BYTES {
            self.more += 1;
            return;
        }
        self.bytes = bytes;
        self.calls.push(call.clone());
    }
}

/// The grants that a call uses.
#[derive(Debug, Default)]
pub(crate) struct Used {
    is_kept: bool,
    grants: Vec<String>,
}

impl Used {
    /// Sets whether grants are kept from now on.
    pub(crate) fn keep(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
        self.grants.clear();
    }

    /// Marks an entry of a key as used.
    pub(crate) fn mark(&mut self, key: &str, entry: &str) {
        if self.is_kept {
            self.add(as_written(key, entry));
        }
    }

    /// Marks a key without entries as used.
    pub(crate) fn mark_key(&mut self, key: &str) {
        if self.is_kept {
            self.add(key.to_owned());
        }
    }

    fn add(&mut self, grant: String) {
        if !self.grants.contains(&grant) {
            self.grants.push(grant);
        }
    }

    pub(crate) fn is_kept(&self) -> bool {
        self.is_kept
    }

    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.grants)
    }
}

/// The grants key for contributions.
pub(crate) const CONTRIBUTE: &str = "contribute";

/// Formats an entry of a grants key as in `hooks.toml`.
pub(crate) fn as_written(key: &str, entry: &str) -> String {
    format!("{key} = \"{entry}\"")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn call(text: String) -> HostCall {
        HostCall {
            hook: "h".into(),
            interface: "i".into(),
            function: "f".into(),
            arguments: text.into(),
            returned: Ok(serde_json::Value::Null),
            began: Instant::now(),
            took: Duration::ZERO,
            fuel: None,
        }
    }

    #[test]
    fn the_calls_of_a_run_are_limited_in_number_and_bytes() {
        let keep = |length: usize| {
            let mut kept = Kept::default();
            for _ in 0..2_000 {
                kept.add(&call("a".repeat(length)));
            }
            assert_eq!(kept.calls.len() as u64 + kept.more, 2_000);
            kept.calls.len()
        };
        assert_eq!(keep(1), MOST_CALLS);
        let fit = MOST_BYTES >> 14;
        assert!((fit / 2..fit).contains(&keep(1 << 14)));
    }
}
