//! What a hook asks for that it was not granted, and how to grant it.

use std::fmt;

use super::LoadFault;
use super::fault::listed;

/// What to write so that a hook is granted what it asks for. Shown as in `hooks.toml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingGrant {
    /// The hook.
    pub id: String,
    /// The entry of its grants, such as `state = true`.
    pub entry: String,
}

impl fmt::Display for MissingGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[hooks.{}.grants] {}", self.id, self.entry)
    }
}

impl LoadFault {
    /// What the hook asks for and how to grant it, if it was not granted that.
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
