//! A directory that a set of packages is installed in, once.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::FileError;
use crate::build::{BuildContext, BuildError};
use crate::error::write;

/// The file that marks an installation as complete.
const WHOLE: &str = ".installed";

/// Returns the directory with these packages; `install` puts them there if they are missing. Two
/// processes with the same packages take turns.
pub(super) fn installed(
    cx: &mut BuildContext<'_>,
    kind: &str,
    packages: &[&str],
    install: impl FnOnce(&mut BuildContext<'_>, &Path) -> Result<(), BuildError>,
) -> Result<PathBuf, BuildError> {
    let dir = cx.tools().join(kind).join(name(packages));
    let whole = dir.join(WHOLE);
    if whole.is_file() {
        return Ok(dir);
    }
    let lock = dir.with_extension("lock");
    write(&lock, b"")?;
    let fault = |cause| FileError::new("lock", &lock, cause);
    let held = File::open(&lock).map_err(fault)?;
    held.lock().map_err(fault)?;
    if whole.is_file() {
        return Ok(dir);
    }
    if dir.exists() {
        fs::remove_dir_all(&dir).map_err(|cause| FileError::new("remove", &dir, cause))?;
    }
    fs::create_dir_all(&dir).map_err(|cause| FileError::new("make", &dir, cause))?;
    install(cx, &dir)?;
    write(&whole, packages.join("\n").as_bytes())?;
    Ok(dir)
}

/// Returns a readable name for a set of packages, which differs for every set.
fn name(packages: &[&str]) -> String {
    let digest = Sha256::digest(packages.join("\n").as_bytes());
    let digest: String = digest
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let first = packages.first().copied().unwrap_or_default();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let first: String = first.chars().filter(is_plain).collect();
    format!("{first}-{digest}")
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn another_version_is_another_place() {
        assert_ne!(name(&["a==1", "b==1"]), name(&["a==1", "b==2"]));
        assert!(!name(&["@scope/../a@1"]).contains(['/', '.']));
    }
}
