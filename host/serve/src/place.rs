//! The identity of a daemon, and its files.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The identity of a hooks directory's daemon: equal for two processes exactly if they would run the same hooks in
/// the same way. It depends on the directory, the settings of the command line, and the program with its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaemonId(String);

impl DaemonId {
    /// Returns the identity of a directory's daemon that runs this program with these settings. `hooks` is the
    /// directory's canonical path. Load the hooks from this path: a symbolic link may have changed.
    ///
    /// # Errors
    ///
    /// The program does not exist: it was removed, or replaced by another version.
    pub fn new(hooks: &Path, program: &Path, settings: &[&str]) -> io::Result<Self> {
        let mut hash = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hash.update(&bytes.len().to_le_bytes());
            hash.update(bytes);
        };
        add(hooks.as_os_str().as_encoded_bytes());
        add(env!("CARGO_PKG_VERSION").as_bytes());
        let program = program.metadata()?;
        add(&program.len().to_le_bytes());
        let built = program.modified()?.duration_since(UNIX_EPOCH);
        add(&built.unwrap_or_default().as_nanos().to_le_bytes());
        settings.iter().for_each(|setting| add(setting.as_bytes()));
        // A socket's path has few bytes, so its name is short.
        Ok(Self(hash.finalize().to_hex()[..16].to_owned()))
    }

    /// Returns the path of the Unix socket.
    pub fn socket(&self, dir: &Path) -> PathBuf {
        self.file(dir, "sock")
    }

    /// Returns the path of the file that the daemon holds locked.
    #[cfg(unix)]
    pub(crate) fn lock(&self, dir: &Path) -> PathBuf {
        self.file(dir, "lock")
    }

    /// Returns the path of the file with the token for requests over TCP.
    pub fn token(&self, dir: &Path) -> PathBuf {
        self.file(dir, "token")
    }

    /// Returns the path of the log of a daemon that was started on demand.
    pub fn log(&self, dir: &Path) -> PathBuf {
        self.file(dir, "log")
    }

    fn file(&self, dir: &Path, ending: &str) -> PathBuf {
        dir.join(format!("{}.{ending}", self.0))
    }
}

/// Checks that only the user can put files into the directory: the user owns it, and its mode is 0700.
#[cfg(unix)]
pub(crate) fn check(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let found = std::fs::symlink_metadata(dir)?;
    let is_own = found.is_dir() && found.uid() == rustix::process::geteuid().as_raw();
    if is_own && found.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "{} must be a directory of your own with mode 0700; remove it, and it is made again",
        dir.display()
    )))
}

#[cfg(not(unix))]
pub(crate) fn check(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes the directory, if it does not exist, so that only its user can use it.
///
/// # Errors
///
/// The directory cannot be made, or others can use it.
pub fn make(dir: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)?;
    check(dir)
}

/// Opens a file of the directory for appending. The file is made if it does not exist, and only its user may read
/// and write it.
///
/// # Errors
///
/// The file cannot be opened.
pub fn private_log(path: &Path) -> io::Result<File> {
    private(OpenOptions::new().append(true).create(true)).open(path)
}

/// Returns the same options, for a file that only its user may read and write.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}
