//! Builds Rust projects in one directory, so that cargo compiles only the differences between them.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use portcullis_project::Project;
use xtask::test::rust_projects;
use xtask_projects::rust;

/// Builds a copy of the project in the directory in which all are built, one after another. The
/// rustc flags name a project's directory, so in another one cargo would compile the dependencies
/// of hooks again.
pub(super) fn built_in_one_place<T>(project: &Project, build: impl FnOnce(&Project) -> T) -> T {
    static PLACE: Mutex<()> = Mutex::new(());
    let _one = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = rust_projects(&xtask::root()).join("hook");
    mirror(project.dir(), &place).expect("a copy of the project");
    rust::share_target_dir(&place).expect("cargo's configuration");
    build(&Project::find(&place).expect("the copy"))
}

/// Makes a directory the same as another. Unchanged files keep their times, by which cargo
/// recognises them.
fn mirror(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if !from.join(entry.file_name()).exists() {
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            mirror(&entry.path(), &copy)?;
            continue;
        }
        let content = fs::read(entry.path())?;
        if !fs::read(&copy).is_ok_and(|there| there == content) {
            fs::write(&copy, content)?;
        }
    }
    Ok(())
}
