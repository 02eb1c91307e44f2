//! Temporary directories that replace the granted ones during a replay.
//!
//! A hook's own writes persist, as its state does. Changes that others made between two recorded
//! calls are applied.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, FileTimes, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use portcullis_recording::{StoredCall, StoredDirectory, StoredKind, StoredTree};
use tempfile::TempDir;

use super::secrets::StandIns;

/// The directories of one host.
pub(super) struct Directories {
    _dir: TempDir,
    /// The paths of the directories, by the hook's names for them.
    places: BTreeMap<String, PathBuf>,
}

/// The recorded directory entries after a call.
#[derive(Default)]
pub(super) struct LeftBehind(BTreeMap<String, Arc<StoredTree>>);

impl LeftBehind {
    pub(super) fn of(call: &StoredCall) -> Self {
        let trees = call.directories.iter().map(|directory| {
            let left = directory.after.as_ref().unwrap_or(&directory.before);
            (directory.guest.clone(), left.clone())
        });
        Self(trees.collect())
    }
}

impl Directories {
    /// Creates empty directories.
    pub(super) fn new<'a>(granted: impl Iterator<Item = &'a str>) -> io::Result<Self> {
        let dir = tempfile::tempdir()?;
        let granted: BTreeSet<&str> = granted.collect();
        let mut places = BTreeMap::new();
        for (number, guest) in granted.into_iter().enumerate() {
            // Canonical, because links are not followed.
            let place = dir.path().canonicalize()?.join(number.to_string());
            fs::create_dir(&place)?;
            places.insert(guest.to_owned(), place);
        }
        Ok(Self { _dir: dir, places })
    }

    pub(super) fn places(&self) -> BTreeMap<String, PathBuf> {
        self.places.clone()
    }

    /// Restores the directories to their entries before a call, except for the hook's own changes.
    pub(super) fn prepare(
        &self,
        call: &StoredCall,
        left: &LeftBehind,
        secrets: &StandIns,
    ) -> io::Result<()> {
        for directory in &call.directories {
            let Some(place) = self.places.get(&directory.guest) else {
                continue;
            };
            let left = left.0.get(&directory.guest);
            // The hook cannot have changed a directory that it may only read.
            let is_there =
                directory.after.is_none() && left.is_some_and(|left| *left == directory.before);
            if !is_there {
                let content = |name: &str| {
                    let content = call.contents.get(name).map_or(&[][..], |content| content);
                    secrets.put_into_file(content)
                };
                set(place, directory, left.map(|left| &**left), &content)?;
            }
        }
        Ok(())
    }
}

type Content<'a> = dyn Fn(&str) -> Vec<u8> + 'a;

fn set(
    place: &Path,
    directory: &StoredDirectory,
    left: Option<&StoredTree>,
    content: &Content<'_>,
) -> io::Result<()> {
    let wanted = &*directory.before;
    let mut there = Vec::new();
    list(place, "", &mut there)?;
    // The entries of a directory are removed before the directory itself.
    for path in there.iter().rev() {
        let is_own = left.is_some_and(|left| !left.contains_key(path));
        if !wanted.contains_key(path) && !is_own {
            remove(&at(place, path)?)?;
        }
    }
    for (path, entry) in wanted {
        let was = left.and_then(|left| left.get(path));
        if path.is_empty() || was.is_some_and(|was| was.kind == entry.kind) {
            continue;
        }
        let at = at(place, path)?;
        match &entry.kind {
            StoredKind::Directory if found(place, &at).is_some_and(|meta| meta.is_dir()) => {}
            StoredKind::Directory => {
                make_room(place, &at)?;
                fs::create_dir(&at)?;
            }
            StoredKind::File(name) => {
                // An existing file is overwritten, because the hook may have it open.
                if !found(place, &at).is_some_and(|meta| meta.is_file()) {
                    make_room(place, &at)?;
                }
                fs::write(&at, content(name))?;
            }
            StoredKind::Link(target) => {
                make_room(place, &at)?;
                link(target, &at)?;
            }
        }
    }
    for (path, entry) in wanted {
        let at = at(place, path)?;
        let is_as_recorded = match (&entry.kind, found(place, &at)) {
            (StoredKind::Directory, Some(meta)) => meta.is_dir(),
            (StoredKind::File(name), Some(meta)) if meta.is_file() => {
                let content = content(name);
                meta.len() == content.len() as u64 && fs::read(&at)? == content
            }
            _ => false,
        };
        if is_as_recorded {
            let time = time(entry.modified);
            let times = FileTimes::new().set_modified(time).set_accessed(time);
            File::open(&at)?.set_times(times)?;
        }
    }
    Ok(())
}

fn time(since: Duration) -> SystemTime {
    UNIX_EPOCH.checked_add(since).unwrap_or(UNIX_EPOCH)
}

/// Lists the paths in a directory, a directory before its entries.
fn list(dir: &Path, above: &str, paths: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = match above {
            "" => name,
            above => format!("{above}/{name}"),
        };
        let is_dir = entry.file_type()?.is_dir();
        paths.push(path.clone());
        if is_dir {
            list(&entry.path(), &path, paths)?;
        }
    }
    Ok(())
}

/// Returns the path of an entry, which is never outside of the directory.
fn at(place: &Path, path: &str) -> io::Result<PathBuf> {
    let mut parts = Path::new(path).components();
    match parts.all(|part| matches!(part, Component::Normal(_))) {
        true => Ok(place.join(path)),
        false => Err(io::Error::other(format!(
            "the recording has the path `{path}` in a directory"
        ))),
    }
}

/// Returns the metadata of a path. Links on the way are not followed, because the hook may have
/// created them.
fn found(place: &Path, at: &Path) -> Option<Metadata> {
    let mut above = above(place, at);
    let is_reached = above.all(|above| fs::symlink_metadata(above).is_ok_and(|meta| meta.is_dir()));
    is_reached.then(|| fs::symlink_metadata(at).ok()).flatten()
}

/// Returns the paths between a directory and a path in it, the innermost first.
fn above<'a>(place: &'a Path, at: &'a Path) -> impl Iterator<Item = &'a Path> {
    let above = at.ancestors().skip(1);
    above.take_while(move |above| above.starts_with(place) && *above != place)
}

/// Creates the parent directories of a path, and removes an existing entry there.
fn make_room(place: &Path, at: &Path) -> io::Result<()> {
    let above: Vec<&Path> = above(place, at).collect();
    for above in above.into_iter().rev() {
        if !fs::symlink_metadata(above).is_ok_and(|meta| meta.is_dir()) {
            remove(above)?;
            fs::create_dir(above)?;
        }
    }
    remove(at)
}

fn remove(at: &Path) -> io::Result<()> {
    match fs::symlink_metadata(at) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(at),
        Ok(_) => fs::remove_file(at),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(e),
    }
}

#[cfg(unix)]
fn link(target: &str, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

#[cfg(not(unix))]
fn link(_: &str, at: &Path) -> io::Result<()> {
    Err(io::Error::other(format!(
        "{}: a recorded link cannot be made on this system",
        at.display()
    )))
}

#[cfg(test)]
mod tests {
    use portcullis_recording::StoredEntry;

    use super::*;

    fn tree(entries: &[(&str, StoredKind)]) -> Arc<StoredTree> {
        let entries = [("", StoredKind::Directory)].iter().chain(entries).cloned();
        let modified = Duration::from_secs(1_000_000_000);
        let entries = entries.map(|(path, kind)| (path.to_owned(), StoredEntry { kind, modified }));
        Arc::new(entries.collect())
    }

    fn file(content: &str) -> StoredKind {
        StoredKind::File(content.to_owned())
    }

    /// Returns the files, as one text.
    fn files(place: &Path) -> String {
        let mut paths = Vec::new();
        list(place, "", &mut paths).unwrap();
        paths.sort();
        let text = |path: &String| match fs::read_to_string(place.join(path)) {
            Ok(text) => format!("{path}={text}"),
            Err(_) => path.clone(),
        };
        paths.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_others_changed_is_put_in_place_and_what_the_hook_changed_stays() {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path();
        let set_to = |before: &Arc<StoredTree>, left: Option<&Arc<StoredTree>>| {
            let directory = StoredDirectory {
                guest: "d".to_owned(),
                before: before.clone(),
                after: Some(before.clone()),
            };
            let content = |name: &str| name.as_bytes().to_vec();
            set(place, &directory, left.map(|left| &**left), &content).unwrap();
        };
        let first = tree(&[
            ("a", StoredKind::Directory),
            ("a/b", file("1")),
            ("c", file("2")),
        ]);
        set_to(&first, None);
        assert_eq!(files(place), "a a/b=1 c=2");
        let modified = fs::metadata(place.join("a/b")).unwrap().modified().unwrap();
        assert_eq!(modified, time(Duration::from_secs(1_000_000_000)));
        // The hook writes another file than it wrote in the recording.
        fs::write(place.join("own"), "3").unwrap();
        fs::write(place.join("c"), "other").unwrap();
        let second = tree(&[
            ("a", StoredKind::Directory),
            ("a/b", file("4")),
            ("c", file("2")),
        ]);
        set_to(&second, Some(&first));
        assert_eq!(files(place), "a a/b=4 c=other own=3");
        // Another session opening begins with the recorded entries.
        set_to(&first, None);
        assert_eq!(files(place), "a a/b=1 c=2");
        set_to(&tree(&[]), Some(&first));
        assert_eq!(files(place), "");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_outside_of_the_directory_is_touched() {
        let dir = tempfile::tempdir().unwrap();
        let (place, outside) = (dir.path().join("d"), dir.path().join("outside"));
        fs::create_dir(&place).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("b"), "untouched").unwrap();
        let first = tree(&[("a", StoredKind::Directory), ("a/b", file("1"))]);
        let second = tree(&[("a", StoredKind::Directory), ("a/b", file("2"))]);
        std::os::unix::fs::symlink("../outside", place.join("a")).unwrap();
        let directory = StoredDirectory {
            guest: "d".to_owned(),
            before: second,
            after: None,
        };
        let content = |name: &str| name.as_bytes().to_vec();
        set(&place, &directory, Some(&first), &content).unwrap();
        assert_eq!(files(&place), "a a/b=2");
        assert_eq!(files(&outside), "b=untouched");
        let above = tree(&[("../outside/b", file("3"))]);
        let directory = StoredDirectory {
            before: above,
            ..directory
        };
        assert!(set(&place, &directory, None, &content).is_err());
        assert_eq!(files(&outside), "b=untouched");
    }
}
