//! Directories and files that are private to their user.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
const OTHERS_WRITE: u32 = 0o002;
#[cfg(unix)]
const GROUP_WRITES: u32 = 0o020;
#[cfg(unix)]
const OTHERS: u32 = 0o077;
#[cfg(unix)]
const STICKY: u32 = 0o1000;
/// The superuser, who has access to everything.
#[cfg(unix)]
const ROOT: u32 = 0;

/// Creates a private directory, if it does not exist.
#[cfg(unix)]
pub(super) fn make_private(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
}

/// Returns this process's user: the owner of a newly created file.
#[cfg(unix)]
pub(super) fn me(dir: &Path) -> io::Result<u32> {
    use std::os::unix::fs::MetadataExt;
    let file = tempfile::NamedTempFile::new_in(dir)?;
    Ok(file.as_file().metadata()?.uid())
}

/// The users who can replace a directory, with the directory above it that lets them.
#[derive(Debug)]
#[cfg_attr(not(unix), expect(dead_code, reason = "owners are known on Unix only"))]
pub(super) enum Exchange {
    /// The owner of the directory above, who may always rename its entries.
    Owner(PathBuf),
    /// The users who may write to the directory above.
    Writers(PathBuf),
}

/// Returns the directory above in which other users can replace this one. In a sticky directory
/// such as `/tmp`, only owners may rename. A user's private group contains no other users.
#[cfg(unix)]
pub(super) fn exchangeable(dir: &Path, owner: u32) -> io::Result<Option<Exchange>> {
    use std::os::unix::fs::MetadataExt;
    for above in dir.ancestors().skip(1) {
        let meta = std::fs::metadata(above)?;
        if ![ROOT, owner].contains(&meta.uid()) {
            return Ok(Some(Exchange::Owner(above.to_owned())));
        }
        let mode = meta.mode();
        let by_others = mode & OTHERS_WRITE != 0;
        let by_group = mode & GROUP_WRITES != 0 && !is_group_of_one(meta.gid(), owner);
        if (by_others || by_group) && mode & STICKY == 0 {
            return Ok(Some(Exchange::Writers(above.to_owned())));
        }
    }
    Ok(None)
}

/// Returns whether a group is a user's private group: it has the user's name and no other members.
#[cfg(unix)]
fn is_group_of_one(group: u32, user: u32) -> bool {
    use nix::unistd::{Gid, Group, Uid, User};
    let group = Group::from_gid(Gid::from_raw(group)).ok().flatten();
    let user = User::from_uid(Uid::from_raw(user)).ok().flatten();
    let (Some(group), Some(user)) = (group, user) else {
        return false;
    };
    group.gid == user.gid && is_of_one(&group.name, &group.mem, &user.name)
}

/// Returns whether the primary group of a user has the user's name and no other members.
#[cfg(unix)]
fn is_of_one(group: &str, members: &[String], user: &str) -> bool {
    group == user && members.iter().all(|member| member == user)
}

/// Returns whether a file belongs to this user and is inaccessible to others.
#[cfg(unix)]
pub(super) fn is_mine_alone(meta: &Metadata, owner: u32) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.uid() == owner && meta.mode() & OTHERS == 0
}

/// Opens a file for reading, unless it is a link. Does not block on a pipe.
#[cfg(unix)]
pub(super) fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)
}

#[cfg(not(unix))]
pub(super) fn make_private(dir: &Path) -> io::Result<()> {
    std::fs::create_dir_all(dir)
}

#[cfg(not(unix))]
pub(super) fn me(_: &Path) -> io::Result<u32> {
    Ok(0)
}

#[cfg(not(unix))]
pub(super) fn exchangeable(_: &Path, _: u32) -> io::Result<Option<Exchange>> {
    // On other systems, the user's directories are private by default.
    Ok(None)
}

#[cfg(not(unix))]
pub(super) fn is_mine_alone(_: &Metadata, _: u32) -> bool {
    true
}

#[cfg(not(unix))]
pub(super) fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::{CacheError, CompileCache};
    use super::*;

    fn mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_directory_that_others_can_use_is_refused() {
        for open in [0o701, 0o710, 0o720, 0o750, 0o755, 0o777] {
            let dir = tempfile::tempdir().unwrap();
            mode(dir.path(), open);
            let error = CompileCache::open(dir.path()).expect_err("an error");
            assert!(matches!(error, CacheError::NotPrivate { .. }), "{open:o}");
        }
    }

    #[test]
    fn a_directory_that_others_can_exchange_is_refused() {
        for (open, fits) in [
            (0o755, true),
            (0o757, false),
            (0o777, false),
            (0o1777, true),
        ] {
            let dir = tempfile::tempdir().unwrap();
            mode(dir.path(), open);
            match CompileCache::open(dir.path().join("compiled")) {
                Ok(_) => assert!(fits, "{open:o}"),
                Err(CacheError::Exchangeable { above, .. }) => {
                    assert!(
                        !fits && above == dir.path().canonicalize().unwrap(),
                        "{open:o}"
                    );
                }
                Err(other) => panic!("{open:o}: {other}"),
            }
        }
    }

    /// The owner of a directory above can rename its entries, whatever its mode is.
    #[test]
    fn a_directory_below_another_users_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let theirs = dir.path().join("theirs");
        let mine = theirs.join("mine");
        std::fs::create_dir_all(&mine).unwrap();
        mode(&theirs, 0o755);
        let owner = me(&mine).unwrap();
        let nobody = owner.wrapping_add(54_321);
        match std::os::unix::fs::chown(&theirs, Some(nobody), None) {
            Ok(()) => {
                let error = CompileCache::open(mine.join("compiled")).expect_err("an error");
                let text = error.to_string();
                assert!(text.contains("belongs to another user"), "{text}");
                assert!(text.contains(theirs.to_str().unwrap()), "{text}");
            }
            // Only root can change owners. Seen from another user, this directory belongs to
            // someone else.
            Err(_) => assert!(exchangeable(&mine, nobody).unwrap().is_some()),
        }
    }

    #[test]
    fn a_group_may_write_above_only_if_it_is_the_users_own() {
        let ann = ["ann".to_owned()];
        let both = ["ann".to_owned(), "bob".to_owned()];
        for (group, members, own) in [
            ("ann", &[][..], true),
            ("ann", &ann, true),
            ("ann", &both, false),
            ("staff", &[], false),
            ("staff", &ann, false),
        ] {
            assert_eq!(is_of_one(group, members, "ann"), own, "{group} {members:?}");
        }
        // A group that does not exist.
        assert!(!is_group_of_one(
            u32::MAX - 1,
            nix::unistd::getuid().as_raw()
        ));
    }

    #[test]
    fn a_directory_that_a_group_may_write_is_judged_by_it() {
        use std::os::unix::fs::MetadataExt;
        let dir = tempfile::tempdir().unwrap();
        mode(dir.path(), 0o775);
        let meta = std::fs::metadata(dir.path()).unwrap();
        let opened = CompileCache::open(dir.path().join("compiled"));
        assert_eq!(opened.is_ok(), is_group_of_one(meta.gid(), meta.uid()));
    }
}
