//! Why a turn is to end, from a code alone.

use super::StopKind;

impl From<&str> for StopKind {
    fn from(code: &str) -> Self {
        Self::Other(code.to_owned())
    }
}

impl From<String> for StopKind {
    fn from(code: String) -> Self {
        Self::Other(code)
    }
}
