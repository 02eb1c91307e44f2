//! The contents of a directory, for a recorded call. Unchanged files are not read again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat, statat};
use rustix::io::Errno;

use super::Directory;
use crate::model::file_tree::{FileEntry, FileKind, FileTree};

/// The most entries of all directories of a hook.
const MOST_ENTRIES: usize = 4_096;

/// The deepest nesting of directories.
const MOST_DEPTH: usize = 64;

/// The age below which a file may change again without a new time stamp: the clocks of file systems
/// are coarse, some by two seconds.
const FRESH: Duration = Duration::from_secs(3);

/// The reason why directories are not recorded, in words.
pub(super) type NotKept = String;

/// The most calls for which a directory is read at once. A directory that hangs, such as a lost
/// network drive, holds its reader's thread even after the call stops waiting.
const MOST_READERS: usize = 64;

/// The last known contents of a directory.
#[derive(Default)]
pub(super) struct Seen {
    known: Mutex<Known>,
    readers: AtomicUsize,
}

/// A reader of a directory.
struct Reader<'a>(&'a AtomicUsize);

impl<'a> Reader<'a> {
    fn new(readers: &'a AtomicUsize) -> Result<Self, NotKept> {
        let reader = Self(readers);
        match readers.fetch_add(1, Ordering::Relaxed) < MOST_READERS {
            true => Ok(reader),
            false => Err(format!(
                "its directories are being read for {MOST_READERS} other calls"
            )),
        }
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Clone, Default)]
struct Known {
    tree: Arc<FileTree>,
    stamps: Arc<BTreeMap<String, Stamp>>,
}

/// The metadata by which an unchanged file is recognized.
#[derive(PartialEq, Eq)]
struct Stamp {
    place: (u64, u64),
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// The room for further entries and bytes.
pub(super) struct Room {
    most: usize,
    bytes: usize,
    entries: usize,
}

impl Room {
    /// Creates the room for all directories of a hook, with this many bytes of files.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            bytes: most,
            entries: MOST_ENTRIES,
        }
    }

    fn read(&mut self, bytes: usize) -> Result<(), NotKept> {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.ok_or_else(|| {
            format!(
                "its directories have more than {} bytes (`directory-bytes`)",
                self.most
            )
        })?;
        Ok(())
    }

    fn enter(&mut self, depth: usize) -> Result<(), NotKept> {
        let left = self.entries.checked_sub(1);
        self.entries =
            left.ok_or_else(|| format!("its directories have more than {MOST_ENTRIES} entries"))?;
        match depth > MOST_DEPTH {
            true => Err(format!(
                "its directories have more than {MOST_DEPTH} levels"
            )),
            false => Ok(()),
        }
    }
}

/// Returns the current contents of a directory.
pub(super) fn take(directory: &Directory, room: &mut Room) -> Result<Arc<FileTree>, NotKept> {
    let seen = &directory.seen;
    let _reader = Reader::new(&seen.readers)?;
    let hold = || seen.known.lock().unwrap_or_else(PoisonError::into_inner);
    let known = hold().clone();
    let mut walk = Walk {
        room,
        known: &known,
        now: SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default(),
        tree: BTreeMap::new(),
        stamps: BTreeMap::new(),
    };
    let dir = &directory.opened.dir;
    let stat = fstat(&**dir).map_err(|e| unreadable("", &e.into()))?;
    walk.add(String::new(), FileKind::Directory, &stat);
    walk.directory(dir, "", 0)?;
    let Walk { tree, stamps, .. } = walk;
    let tree = FileTree(tree);
    // An unchanged tree is shared, so that it is written once.
    let tree = match *known.tree == tree {
        true => known.tree,
        false => Arc::new(tree),
    };
    *hold() = Known {
        tree: tree.clone(),
        stamps: Arc::new(stamps),
    };
    Ok(tree)
}

struct Walk<'a> {
    room: &'a mut Room,
    known: &'a Known,
    now: Duration,
    tree: BTreeMap<String, FileEntry>,
    stamps: BTreeMap<String, Stamp>,
}

impl Walk<'_> {
    fn add(&mut self, path: String, kind: FileKind, stat: &Stat) {
        let nanos = u32::try_from(stat.st_mtime_nsec).unwrap_or_default();
        let modified = match u64::try_from(stat.st_mtime) {
            Ok(seconds) => Duration::new(seconds, nanos),
            Err(_) => Duration::ZERO,
        };
        self.tree.insert(path, FileEntry { kind, modified });
    }

    fn directory(&mut self, dir: &File, above: &str, depth: usize) -> Result<(), NotKept> {
        let failed = |e: Errno| unreadable(above, &e.into());
        let mut names = BTreeSet::new();
        for entry in Dir::read_from(dir).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            self.room.enter(depth)?;
            let name = name.to_str().map_err(|_| {
                format!(
                    "the name `{}` in its directories is not Unicode",
                    within(above, &name.to_string_lossy())
                )
            })?;
            names.insert(name.to_owned());
        }
        for name in &names {
            let path = within(above, name);
            // The file is not even opened: closing a file releases all locks of the process on it,
            // including those of its own store.
            if names.contains(&format!("{name}-shm")) {
                return Err(format!(
                    "`{path}` in its directories is an SQLite database that is open, which is changed all the time"
                ));
            }
            match self.entry(dir, name, path.clone(), depth) {
                // The file was removed meanwhile.
                Err(Stopped::Failed(e)) if e.kind() == io::ErrorKind::NotFound => {}
                Err(Stopped::Failed(e)) => return Err(unreadable(&path, &e)),
                Err(Stopped::NotKept(why)) => return Err(why),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    fn entry(&mut self, dir: &File, name: &str, path: String, depth: usize) -> Result<(), Stopped> {
        let stat = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                let inner: File = openat(dir, name, flags, Mode::empty())?.into();
                self.add(path.clone(), FileKind::Directory, &stat);
                self.directory(&inner, &path, depth + 1)?;
            }
            FileType::RegularFile => self.file(dir, name, path, &stat)?,
            FileType::Symlink => {
                let target = readlinkat(dir, name, Vec::new())?;
                let target = target.into_string().map_err(|_| {
                    Stopped::NotKept(format!(
                        "what the link `{path}` in its directories leads to is not Unicode"
                    ))
                })?;
                self.add(path, FileKind::Link(target), &stat);
            }
            _ => {
                return Err(Stopped::NotKept(format!(
                    "`{path}` in its directories is no file, no directory and no link"
                )));
            }
        }
        Ok(())
    }

    fn file(&mut self, dir: &File, name: &str, path: String, stat: &Stat) -> Result<(), Stopped> {
        let stamp = Stamp::of(stat);
        if self.known.stamps.get(&path) == Some(&stamp)
            && let Some(FileEntry {
                kind: FileKind::File(content),
                ..
            }) = self.known.tree.0.get(&path)
        {
            self.room.read(content.len())?;
            self.add(path.clone(), FileKind::File(content.clone()), stat);
            self.stamps.insert(path, stamp);
            return Ok(());
        }
        // A file whose reported size is over the limit is not read.
        let said = usize::try_from(stat.st_size).unwrap_or(usize::MAX);
        if said > self.room.bytes {
            self.room.read(said)?;
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file: File = openat(dir, name, flags, Mode::empty())?.into();
        let stat = fstat(&file)?;
        let stamp = Stamp::of(&stat);
        let mut content = Vec::new();
        let most = u64::try_from(self.room.bytes).unwrap_or(u64::MAX);
        file.take(most.saturating_add(1))
            .read_to_end(&mut content)?;
        self.room.read(content.len())?;
        self.add(path.clone(), FileKind::File(content.into()), &stat);
        let changed = u64::try_from(stamp.changed.0).map(Duration::from_secs);
        if changed.is_ok_and(|changed| self.now.saturating_sub(changed) > FRESH) {
            self.stamps.insert(path, stamp);
        }
        Ok(())
    }
}

impl Stamp {
    #[expect(clippy::unnecessary_cast, reason = "the types differ between systems")]
    fn of(stat: &Stat) -> Self {
        Self {
            place: (stat.st_dev as u64, stat.st_ino as u64),
            bytes: u64::try_from(stat.st_size).unwrap_or_default(),
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }
}

enum Stopped {
    NotKept(NotKept),
    Failed(io::Error),
}

impl From<Errno> for Stopped {
    fn from(error: Errno) -> Self {
        Self::Failed(error.into())
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<NotKept> for Stopped {
    fn from(why: NotKept) -> Self {
        Self::NotKept(why)
    }
}

fn unreadable(path: &str, error: &io::Error) -> NotKept {
    let kind = error.kind();
    match path {
        "" => format!("one of its directories cannot be read: {kind}"),
        path => format!("`{path}` in its directories cannot be read: {kind}"),
    }
}

/// Returns the path of a name in a directory with the path `above`.
fn within(above: &str, name: &str) -> String {
    match above {
        "" => name.to_owned(),
        above => format!("{above}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn open(dir: &Path) -> Directory {
        let read = [dir.display().to_string()];
        let opened = Directory::open_all(Path::new("/"), &BTreeMap::new(), &read, &[]);
        opened.expect("a directory")[0].clone()
    }

    fn look(directory: &Directory, most: usize) -> Result<Arc<FileTree>, NotKept> {
        take(directory, &mut Room::new(most))
    }

    #[test]
    fn a_directory_is_read_for_so_many_calls_at_once() {
        let count = AtomicUsize::new(0);
        let all: Vec<_> = (0..MOST_READERS)
            .map(|_| Reader::new(&count).unwrap())
            .collect();
        assert!(Reader::new(&count).is_err());
        drop(all);
        assert!(Reader::new(&count).is_ok());
    }

    #[test]
    fn all_that_is_in_a_directory_is_kept_and_one_that_did_not_change_once() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        std::fs::create_dir(dir.join("in")).unwrap();
        std::fs::write(dir.join("in/a.txt"), "within").unwrap();
        std::os::unix::fs::symlink("in/a.txt", dir.join("link")).unwrap();
        let directory = open(&dir);
        let first = look(&directory, 100).unwrap();
        let kinds: Vec<(&str, &FileKind)> = first
            .0
            .iter()
            .map(|(path, entry)| (path.as_str(), &entry.kind))
            .collect();
        let file = FileKind::File(b"within"[..].into());
        let link = FileKind::Link("in/a.txt".to_owned());
        let expected = [
            ("", &FileKind::Directory),
            ("in", &FileKind::Directory),
            ("in/a.txt", &file),
            ("link", &link),
        ];
        assert_eq!(kinds, expected);
        assert!(Arc::ptr_eq(&first, &look(&directory, 6).unwrap()));
        // Overwritten immediately, with the same length.
        std::fs::write(dir.join("in/a.txt"), "WITHIN").unwrap();
        let second = look(&directory, 100).unwrap();
        assert_eq!(
            second.0["in/a.txt"].kind,
            FileKind::File(b"WITHIN"[..].into())
        );
        assert!(!first.has_same_files(&second));
    }

    #[test]
    fn what_is_too_much_is_not_kept() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        std::fs::write(dir.join("a"), "12345").unwrap();
        std::fs::write(dir.join("b"), "12345").unwrap();
        let directory = open(&dir);
        assert!(look(&directory, 10).is_ok());
        let why = look(&directory, 9).expect_err("too much");
        assert!(why.contains("9 bytes (`directory-bytes`)"), "{why}");
        std::fs::write(dir.join("a-shm"), "").unwrap();
        let why = look(&directory, 10).expect_err("a database");
        assert!(why.contains("`a` in its directories is an SQLite"), "{why}");
        std::fs::remove_file(dir.join("a-shm")).unwrap();
        let socket = std::os::unix::net::UnixListener::bind(dir.join("s")).unwrap();
        let why = look(&directory, 10).expect_err("a socket");
        assert!(why.contains("`s` in its directories is no file"), "{why}");
        drop(socket);
    }
}
