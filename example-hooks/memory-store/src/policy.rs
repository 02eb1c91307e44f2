//! The policy of the domain `memory`: whether a turn may recall and remember.

use portcullis_sdk::prompt;
use serde::{Deserialize, Serialize};

/// The domain.
pub const DOMAIN: &str = "memory";

/// The memory policy of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Whether memories may be recalled.
    #[serde(default = "yes")]
    pub read: bool,
    /// Whether anything may be remembered.
    #[serde(default = "yes")]
    pub write: bool,
}

fn yes() -> bool {
    true
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            read: true,
            write: true,
        }
    }
}

impl Policy {
    /// Parses the policy from its rules. Without rules everything is allowed; rules that cannot be
    /// parsed allow nothing.
    pub fn of(rules: Option<&str>) -> Self {
        match rules.map(serde_json::from_str) {
            None => Self::default(),
            Some(Ok(policy)) => policy,
            Some(Err(_)) => Self {
                read: false,
                write: false,
            },
        }
    }
}

/// Returns the policy of the current turn.
pub fn in_turn() -> Policy {
    let policy = prompt::policy(DOMAIN);
    Policy::of(policy.as_ref().map(|policy| policy.rules.as_str()))
}

#[cfg(test)]
mod tests {
    use super::Policy;

    #[test]
    fn table() {
        for (rules, read, write) in [
            (None, true, true),
            (Some("{}"), true, true),
            (Some(r#"{"write":false,"more":1}"#), true, false),
            (Some(r#"{"read":false}"#), false, true),
            (Some(r#"{"read":"no"}"#), false, false),
            (Some("oops"), false, false),
        ] {
            assert_eq!(Policy::of(rules), Policy { read, write }, "{rules:?}");
        }
    }

    #[test]
    fn what_is_contributed_is_read_back() {
        for (read, write) in [(true, false), (false, true)] {
            let policy = Policy { read, write };
            let rules = serde_json::to_string(&policy).expect("a policy is JSON");
            assert_eq!(Policy::of(Some(&rules)), policy);
        }
    }
}
