//! Puts hostile files into a hooks directory.

use std::io;
use std::path::Path;

use portcullis::settings::FILE_NAME;

use crate::attack::{Header, Place};

/// The hostile file.
pub(crate) const FILE: &str = "hostile.wasm";
/// Its second copy, whose name sorts first.
const COPY: &str = "a-copy.wasm";
/// More bytes than any component may have.
const HUGE: u64 = 80 << 20;

/// The unknown keys of settings that have nothing else.
const MISTAKES: usize = 10_000;

/// Puts a file into a hooks directory. Returns whether this machine can do that.
pub(crate) fn put(dir: &Path, place: Place, bytes: &[u8]) -> io::Result<bool> {
    let path = dir.join(FILE);
    match place {
        Place::AsItIs | Place::Changing | Place::CacheOfAnother | Place::AfterARemovedOne => {
            std::fs::write(path, bytes)?;
        }
        Place::SettingsPipe => return pipe(&dir.join(FILE_NAME)),
        Place::SettingsDevice => return link(Path::new("/dev/zero"), &dir.join(FILE_NAME)),
        Place::SettingsMistakes => {
            let mistakes: String = (0..MISTAKES).map(|n| format!("key-{n} = 1\n")).collect();
            std::fs::write(dir.join(FILE_NAME), mistakes)?;
        }
        Place::CutOff => {
            let half = bytes.get(..bytes.len() / 2).unwrap_or(bytes);
            std::fs::write(path, half)?;
        }
        Place::Twice => {
            std::fs::write(dir.join(COPY), bytes)?;
            std::fs::write(path, bytes)?;
        }
        Place::LinkToDevice => return link(Path::new("/dev/zero"), &path),
        Place::LinkToNothing => return link(Path::new("nowhere"), &path),
        Place::LinkSwapped => {
            let whole = dir.join("whole");
            std::fs::write(&whole, bytes)?;
            std::fs::write(dir.join("native"), NATIVE)?;
            return link(&whole, &path);
        }
        Place::Pipe => return pipe(&path),
        Place::Directory => std::fs::create_dir(path)?,
        Place::Huge => std::fs::File::create(path)?.set_len(HUGE)?,
        Place::Nowhere => {}
    }
    Ok(true)
}

/// Makes the directories that a header names, with their files.
pub(crate) fn furnish(dir: &Path, header: &Header) -> io::Result<()> {
    for name in &header.directories {
        let made = dir.join(name);
        std::fs::create_dir_all(&made)?;
        for file in 0..header.files {
            std::fs::write(made.join(format!("{file:0>200}")), "")?;
        }
    }
    Ok(())
}

/// Makes a directory in which another user can replace entries. Only root can change its owner;
/// without root, everyone may write to it.
#[cfg(unix)]
pub(crate) fn of_another(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    /// A user that is neither root nor this one.
    const OTHER: u32 = 54_321;
    std::fs::create_dir(dir)?;
    chown(dir, Some(OTHER), None)
        .or_else(|_| std::fs::set_permissions(dir, std::fs::Permissions::from_mode(0o777)))
}

#[cfg(not(unix))]
pub(crate) fn of_another(dir: &Path) -> io::Result<()> {
    std::fs::create_dir(dir)
}

/// Puts another component of the same id into a hooks directory, under another name.
pub(crate) fn put_other(dir: &Path, bytes: &[u8]) -> io::Result<()> {
    // A custom section without content changes the digest.
    let other = [bytes, &[0, 2, 1, b'x']].concat();
    std::fs::write(dir.join(COPY), other)
}

/// Removes the hostile files and the settings.
pub(crate) fn take_away(dir: &Path) {
    for name in [FILE, COPY, FILE_NAME] {
        let path = dir.join(name);
        // Each may be missing, or be a directory.
        let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir(&path));
    }
}

/// The first bytes of native code.
const NATIVE: &[u8] = b"\x7fELF\x02\x01\x01";

/// Changes the file again, so that a reader gets other content.
pub(crate) fn change(dir: &Path, place: Place, bytes: &[u8], round: usize) -> io::Result<()> {
    let path = dir.join(FILE);
    let odd = !round.is_multiple_of(2);
    match place {
        Place::Changing if odd => std::fs::write(path, NATIVE),
        Place::Changing => std::fs::write(path, bytes),
        Place::LinkSwapped => {
            let next = dir.join("next");
            let to = dir.join(if odd { "native" } else { "whole" });
            link(&to, &next)?;
            std::fs::rename(next, path)
        }
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn link(to: &Path, path: &Path) -> io::Result<bool> {
    std::os::unix::fs::symlink(to, path).map(|()| true)
}

#[cfg(unix)]
fn pipe(path: &Path) -> io::Result<bool> {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    Ok(made.is_ok_and(|status| status.success()))
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(not(unix))]
fn pipe(_: &Path) -> io::Result<bool> {
    Ok(false)
}
