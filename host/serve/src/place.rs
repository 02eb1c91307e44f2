//! Which daemon serves which hooks, and where its files are.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The daemon of a hooks directory: the same for two processes exactly if they would run the same hooks in the same
/// way. It has the directory, the settings of the command line, and the program with its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaemonId(String);

impl DaemonId {
    /// The daemon of a directory, which is this program with these settings. The directory is named by its canonical
    /// path, which is the one to load the hooks from: a link may lead elsewhere by then.
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

    /// The Unix socket.
    pub fn socket(&self, dir: &Path) -> PathBuf {
        self.file(dir, "sock")
    }

    /// The file that the daemon holds locked.
    #[cfg(unix)]
    pub(crate) fn lock(&self, dir: &Path) -> PathBuf {
        self.file(dir, "lock")
    }

    /// The file with the token for requests over TCP.
    pub fn token(&self, dir: &Path) -> PathBuf {
        self.file(dir, "token")
    }

    /// The log of a daemon that was started on demand.
    pub fn log(&self, dir: &Path) -> PathBuf {
        self.file(dir, "log")
    }

    fn file(&self, dir: &Path, ending: &str) -> PathBuf {
        dir.join(format!("{}.{ending}", self.0))
    }
}

/// Checks that nobody else can put files into the directory: it is the user's own, and has mode 0700.
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
/// It cannot be made, or others can use it.
pub fn make(dir: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)?;
    check(dir)
}

/// Opens a file of the directory to write behind what it has. It is made if it does not exist, and only its user may
/// read and write it.
///
/// # Errors
///
/// It cannot be made.
pub fn private_log(path: &Path) -> io::Result<File> {
    private(OpenOptions::new().append(true).create(true)).open(path)
}

/// The same options, for a file that only its user may read and write.
pub(crate) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}
