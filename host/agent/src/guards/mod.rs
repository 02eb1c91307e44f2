//! Built-in hooks that limit a turn (Cognesy's guards).
//!
//! Each is a native hook of role `gate` that answers with a typed stop signal: the turn ends with
//! its output so far. They run first at `pre-step`; the guard of finish reasons runs last at
//! `post-step`.

mod finish_reason;
mod limits;

use portcullis::{HookId, NativeHook};
use serde::{Deserialize, Serialize};

pub use finish_reason::finish_reason_guard;
pub use limits::{steps_guard, steps_guard_by, time_guard, tokens_guard};

/// The priority of guards: first at `pre-step` (Cognesy's 200, negated).
const PRIORITY: i32 = -200;

/// The ids of the guards.
const IDS: [&str; 4] = [
    "guard-steps",
    "guard-tokens",
    "guard-time",
    "guard-finish-reason",
];

/// Returns whether a hook is one of the built-in guards, by its id.
pub fn is_guard(id: &HookId) -> bool {
    IDS.contains(&id.as_str())
}

/// The guards of an agent. `Guards::default()` has Cognesy's defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Guards {
    /// The maximum number of steps of a turn; `false` disables the guard. Default: 20.
    #[serde(with = "limit")]
    pub max_steps: Option<u64>,
    /// The maximum number of tokens of all model calls of a turn, input and output. Default:
    /// 32,768.
    #[serde(with = "limit")]
    pub max_tokens: Option<u64>,
    /// The maximum number of seconds of a turn, without the time it was suspended. Default: 300.
    #[serde(with = "limit")]
    pub max_seconds: Option<u64>,
    /// The model's finish reasons that end the turn, by their names in the contract (`end-turn`,
    /// `max-tokens`, `stop-sequence`, `tool-use`, `refusal`) or in the provider's words. Default:
    /// none.
    pub finish_reasons: Vec<String>,
}

impl Default for Guards {
    fn default() -> Self {
        Self {
            max_steps: Some(20),
            max_tokens: Some(32_768),
            max_seconds: Some(300),
            finish_reasons: Vec::new(),
        }
    }
}

impl Guards {
    /// Returns the hooks.
    pub fn hooks(&self) -> Vec<NativeHook> {
        let mut hooks = Vec::new();
        hooks.extend(self.max_steps.map(steps_guard));
        hooks.extend(self.max_tokens.map(tokens_guard));
        hooks.extend(self.max_seconds.map(time_guard));
        if !self.finish_reasons.is_empty() {
            hooks.push(finish_reason_guard(self.finish_reasons.clone()));
        }
        hooks
    }
}

/// A number, or `false` for none.
mod limit {
    use serde::{Deserialize, Deserializer, Serialize as _, Serializer, de::Error as _};

    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a number, or false for no limit")]
    enum Limit {
        Number(u64),
        Switch(bool),
    }

    pub(super) fn serialize<S: Serializer>(limit: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        match limit {
            Some(limit) => limit.serialize(to),
            None => false.serialize(to),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        match Limit::deserialize(from)? {
            Limit::Number(limit) => Ok(Some(limit)),
            Limit::Switch(false) => Ok(None),
            Limit::Switch(true) => Err(D::Error::custom("give a number, or false for no limit")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_cognesys() {
        let guards: Guards = toml::from_str("").unwrap();
        assert_eq!(guards, Guards::default());
        assert_eq!(
            (guards.max_steps, guards.max_tokens, guards.max_seconds),
            (Some(20), Some(32_768), Some(300))
        );
        let ids: Vec<String> = guards.hooks().iter().map(|h| h.id().to_owned()).collect();
        assert_eq!(ids, ["guard-steps", "guard-tokens", "guard-time"]);
        let all = Guards {
            finish_reasons: vec!["refusal".into()],
            ..guards
        };
        let ids: Vec<String> = all.hooks().iter().map(|h| h.id().to_owned()).collect();
        assert_eq!(ids, IDS);
    }

    #[test]
    fn each_can_be_disabled() {
        let guards: Guards =
            toml::from_str("max-steps = false\nmax-tokens = 5\nfinish-reasons = [\"refusal\"]")
                .unwrap();
        assert_eq!((guards.max_steps, guards.max_tokens), (None, Some(5)));
        assert_eq!(guards.hooks().len(), 3);
        let text = toml::to_string(&guards).unwrap();
        assert_eq!(toml::from_str::<Guards>(&text).unwrap(), guards);
        assert!(toml::from_str::<Guards>("max-steps = true").is_err());
        assert!(toml::from_str::<Guards>("max-step = 1").is_err());
    }
}
