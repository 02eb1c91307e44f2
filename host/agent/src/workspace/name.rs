//! Names of workspaces. No name may lead out of the root or to the host's own files.

use super::WorkspaceError;
use crate::basics::text;

/// Well below the limit of file systems, so that derived names also fit.
const MAX_BYTES: usize = 100;

/// Checks a name.
pub(super) fn check(name: &str) -> Result<(), WorkspaceError> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let why = match name.as_bytes() {
        [] => "it is empty",
        bytes if bytes.len() > MAX_BYTES => "it is too long",
        [b'.', ..] => "it begins with a dot",
        [b'-', ..] => "it begins with a hyphen",
        [.., b'.'] => "it ends with a dot",
        bytes if !bytes.iter().copied().all(allowed) => "it has other characters",
        _ => return Ok(()),
    };
    Err(bad(name, why))
}

pub(super) fn bad(name: &str, why: &'static str) -> WorkspaceError {
    WorkspaceError::BadName {
        name: text::prefix(name, MAX_BYTES).escape_debug().to_string(),
        why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_lead_elsewhere() {
        for name in ["a", "session-1", "A_b.c", "_x", "0", &"x".repeat(MAX_BYTES)] {
            assert!(check(name).is_ok(), "{name}");
        }
        let long = "x".repeat(MAX_BYTES + 1);
        for name in [
            "", ".", "..", "...", ".locks", "a.", "a/b", "/a", "a\\b", "a\0b", "a\nb", "C:", "-rf",
            "ä", "a b", &long,
        ] {
            let error = check(name).unwrap_err().to_string();
            assert!(
                error.contains("cannot name a workspace"),
                "{name:?}: {error}"
            );
        }
    }
}
