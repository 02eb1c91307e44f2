//! What a turn may do with memory: the policy of the domain `memory`.

use portcullis_sdk::prompt;
use portcullis_sdk::types::DomainPolicy;
use serde::{Deserialize, Serialize};

/// The domain.
pub const DOMAIN: &str = "memory";

/// What a turn may do with memory.
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
    /// The policy as these rules have it. Without rules everything is allowed; rules that cannot be
    /// read allow nothing.
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

    /// The record to contribute.
    pub fn to_contribute(&self) -> DomainPolicy {
        DomainPolicy {
            domain: DOMAIN.into(),
            rules: format!(r#"{{"read":{},"write":{}}}"#, self.read, self.write),
        }
    }
}

/// The policy that holds in the turn in hand.
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
            let contributed = policy.to_contribute();
            assert_eq!(contributed.domain, "memory");
            assert_eq!(Policy::of(Some(&contributed.rules)), policy);
        }
    }
}
