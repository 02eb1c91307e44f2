//! The size of the command, so that it does not grow unnoticed.

use std::fs;
use std::path::Path;

use super::Target;
use crate::{Error, Result};

/// The permitted growth, in percent.
const TOLERANCE: u64 = 2;

/// Prints a program's size.
///
/// # Errors
///
/// The program is larger than the target permits.
pub(super) fn check(program: &Path, target: Target) -> Result<()> {
    let file = fs::metadata(program).map_err(|e| Error::file("read", program, &e))?;
    let (bytes, expected) = (file.len(), target.bytes);
    eprintln!(
        "dist: {} has {bytes} bytes; {expected} are expected",
        program.display()
    );
    match is_too_large(bytes, expected) {
        false => Ok(()),
        true => Err(Error::new(format!(
            "the command has grown by more than {TOLERANCE} %, to {bytes} bytes; see what has (numbers.md says how), or write \
             the new size into xtask/src/dist/targets.rs"
        ))),
    }
}

fn is_too_large(bytes: u64, expected: u64) -> bool {
    bytes > expected + expected / 100 * TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_more_is_not_too_large() {
        assert!(!is_too_large(102, 100));
        assert!(!is_too_large(40, 100));
        assert!(is_too_large(103, 100));
    }
}
