//! A copy of the working tree with all mutations in it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::list::Mutation;
use crate::{Error, Result};

/// Makes the copy, or brings it up to date. Unchanged files are left alone, so that little is
/// compiled again. `target` in the copy is a link to the workspace's own, where the built hooks
/// are.
pub(super) fn make(root: &Path, mutations: &[Mutation]) -> Result<PathBuf> {
    let tree = root.join("target/mutations/tree");
    fs::create_dir_all(&tree).map_err(|e| Error::file("create", &tree, &e))?;
    let target = tree.join("target");
    #[cfg(unix)]
    if !target.exists() {
        std::os::unix::fs::symlink(root.join("target"), &target)
            .map_err(|e| Error::file("link", &target, &e))?;
    }
    let mut edited: BTreeMap<&str, Vec<&Mutation>> = BTreeMap::new();
    for mutation in mutations {
        edited.entry(&mutation.file).or_default().push(mutation);
    }
    let files = files(root)?;
    forget(&tree, &files)?;
    for file in &files {
        let from = root.join(file);
        let to = tree.join(file);
        if let Some(dir) = to.parent() {
            fs::create_dir_all(dir).map_err(|e| Error::file("create", dir, &e))?;
        }
        match edited.remove(file.as_str()) {
            Some(mutations) => edit(&from, &to, &mutations)?,
            None if from.is_symlink() => copy_link(&from, &to)?,
            None => copy(&from, &to)?,
        }
    }
    if let Some((file, _)) = edited.first_key_value() {
        return Err(Error::new(format!(
            "a mutation edits {file}, which is not there"
        )));
    }
    Ok(tree)
}

/// Returns the files of the working tree, without those that git ignores.
fn files(root: &Path) -> Result<Vec<String>> {
    let listed = Command::new("git")
        .current_dir(root)
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .output()
        .map_err(|e| Error::start("git", &e))?;
    if !listed.status.success() {
        let why = String::from_utf8_lossy(&listed.stderr);
        return Err(Error::new(format!("git does not list the files: {why}")));
    }
    let listed = String::from_utf8_lossy(&listed.stdout);
    let files = listed.split('\0').filter(|file| {
        let file = root.join(file);
        file.is_file() || file.is_symlink()
    });
    Ok(files.map(str::to_owned).collect())
}

/// Removes files that were copied before and no longer exist.
fn forget(tree: &Path, files: &[String]) -> Result<()> {
    let list = tree.with_file_name("files");
    // The file does not exist the first time.
    let before = fs::read_to_string(&list).unwrap_or_default();
    let gone = before
        .lines()
        .filter(|file| !files.iter().any(|kept| kept == file));
    for file in gone {
        // The file may have been removed by hand.
        let _ = fs::remove_file(tree.join(file));
    }
    fs::write(&list, files.join("\n")).map_err(|e| Error::file("write", &list, &e))
}

fn edit(from: &Path, to: &Path, mutations: &[&Mutation]) -> Result<()> {
    let mut text = fs::read_to_string(from).map_err(|e| Error::file("read", from, &e))?;
    for mutation in mutations {
        text = mutation.apply(&text)?;
    }
    if fs::read_to_string(to).is_ok_and(|there| there == text) {
        return Ok(());
    }
    fs::write(to, text).map_err(|e| Error::file("write", to, &e))
}

/// Creates a link with the target of another.
fn copy_link(from: &Path, to: &Path) -> Result<()> {
    let leads = fs::read_link(from).map_err(|e| Error::file("read", from, &e))?;
    if fs::read_link(to).is_ok_and(|there| there == leads) {
        return Ok(());
    }
    // The link may be missing. If it cannot be removed, the new link cannot be made.
    let _ = fs::remove_file(to);
    #[cfg(unix)]
    std::os::unix::fs::symlink(leads, to).map_err(|e| Error::file("link", to, &e))?;
    Ok(())
}

/// Copies a file that differs. A new file keeps its modification time: the built hooks are shared,
/// and must not be built again.
fn copy(from: &Path, to: &Path) -> Result<()> {
    let content = fs::read(from).map_err(|e| Error::file("read", from, &e))?;
    let there = fs::read(to);
    if there.as_ref().is_ok_and(|there| *there == content) {
        return Ok(());
    }
    fs::copy(from, to).map_err(|e| Error::file("write", to, &e))?;
    if there.is_err() {
        let time = fs::metadata(from).and_then(|meta| meta.modified());
        time.and_then(|time| File::options().append(true).open(to)?.set_modified(time))
            .map_err(|e| Error::file("write", to, &e))?;
    }
    Ok(())
}
