//! What a hook run reached of the host.

use serde::Serialize;

use crate::model::host_call::HostCall;

/// The most calls of a run that are kept.
pub(crate) const MOST_CALLS: usize = 1_000;

/// What a hook run reached of the host.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Reached {
    /// The grants that it used, as `hooks.toml` has them, such as `secrets = "KEY"`: servers, secrets, shared
    /// namespaces, directories and the model. Only where somebody [watches runs](crate::observer::HookObserver::watches_runs).
    /// A directory counts once the hook has asked for its directories.
    pub used: Vec<String>,
    /// Its calls of imports, in order: the first 1,000. Only where somebody
    /// [watches them](crate::observer::HookObserver::watches_host_calls). The start of its instance is part of the
    /// run that it was started for.
    pub calls: Vec<HostCall>,
    /// How many calls there were behind those.
    pub more_calls: u64,
}

/// The grants that a call uses.
#[derive(Debug, Default)]
pub(crate) struct Used {
    is_kept: bool,
    grants: Vec<String>,
}

impl Used {
    /// Whether they are kept from now on.
    pub(crate) fn keep(&mut self, is_kept: bool) {
        self.is_kept = is_kept;
        self.grants.clear();
    }

    /// A grant was used: an entry of a key.
    pub(crate) fn mark(&mut self, key: &str, entry: &str) {
        if self.is_kept {
            self.add(as_written(key, entry));
        }
    }

    /// A grant was used: a key without entries.
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

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.grants.is_empty()
    }

    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.grants)
    }
}

/// An entry of a key of grants, as `hooks.toml` has it.
pub(crate) fn as_written(key: &str, entry: &str) -> String {
    format!("{key} = \"{entry}\"")
}
