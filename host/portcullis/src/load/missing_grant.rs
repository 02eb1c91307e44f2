//! A grant that a hook needs and does not have, and the way to add it.

use std::fmt;

use super::LoadFault;
use super::fault::listed;

/// The entry that grants a hook its request. Displayed in the notation of `hooks.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingGrant {
    /// The hook's id.
    pub id: String,
    /// The entry in the hook's grants, such as `state = true`.
    pub entry: String,
}

impl fmt::Display for MissingGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[hooks.{}.grants] {}", self.id, self.entry)
    }
}

impl LoadFault {
    /// Returns the hook's request and the grant for it, if the fault is a missing grant.
    pub fn missing_grant(&self) -> Option<(String, &MissingGrant)> {
        match self {
            Self::NotGranted {
                imports,
                description,
                grant,
            } => {
                let asks = format!("imports {} to {description}", listed(imports));
                Some((asks, &**grant))
            }
            Self::MayNotAnswer { kind, grant } => {
                Some((format!("imports the answer `{kind}`"), &**grant))
            }
            Self::MayNotContribute { kind, grant } => {
                Some((format!("contributes `{kind}`"), &**grant))
            }
            _ => None,
        }
    }
}
