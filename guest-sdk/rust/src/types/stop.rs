//! Conversions of a code to a [`StopKind`].

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
