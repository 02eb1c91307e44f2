//! Paths in the file, which are relative to its directory.

use std::path::Path;

/// Makes the path of a program absolute, because the program may be started in another directory. A
/// name without a directory is looked up on `PATH` and does not change.
pub(crate) fn resolve_program(program: &mut String, dir: &Path) {
    if Path::new(program).components().count() < 2 {
        return;
    }
    let path = dir.join(&*program);
    let path = std::path::absolute(&path).unwrap_or(path);
    if let Some(path) = path.to_str() {
        path.clone_into(program);
    }
}
