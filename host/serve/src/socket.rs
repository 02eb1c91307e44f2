//! The Unix socket.

use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use portcullis_access::Accept;
use tokio::net::{UnixListener, UnixStream};

use crate::listen::{ListenError, fault};
use crate::place::{DaemonId, make, private};

/// A Unix socket that accepts connections of its own user only. A lock ensures that one process has the
/// socket at a time.
#[derive(Debug)]
pub(crate) struct OwnSocket {
    listener: UnixListener,
    user: u32,
    path: PathBuf,
    _lock: File,
}

impl OwnSocket {
    /// Listens on the socket of a daemon. A socket that was left behind is replaced.
    pub(crate) async fn bind(daemon: &DaemonId, dir: &Path) -> Result<Self, ListenError> {
        let path = daemon.socket(dir);
        let failed = || fault(path.display());
        make(dir).map_err(failed())?;
        let lock = locked(&daemon.lock(dir)).map_err(failed())?;
        let Some(lock) = lock else {
            let server = UnixStream::connect(&path).await.ok();
            return Err(taken(path, server.as_ref()));
        };
        match fs::symlink_metadata(&path) {
            Ok(found) if !found.file_type().is_socket() => {
                return Err(ListenError::NotASocket(path));
            }
            Ok(_) => match UnixStream::connect(&path).await {
                Ok(server) => return Err(taken(path, Some(&server))),
                Err(_) => fs::remove_file(&path).map_err(failed())?,
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed()(error)),
        }
        // Nobody else can reach the socket before its mode is set: the directory is the user's own.
        let listener = UnixListener::bind(&path).map_err(failed())?;
        fs::set_permissions(&path, Permissions::from_mode(0o600)).map_err(failed())?;
        Ok(Self {
            listener,
            user: rustix::process::geteuid().as_raw(),
            path,
            _lock: lock,
        })
    }
}

impl Accept for OwnSocket {
    type Stream = UnixStream;

    /// Returns the next connection of the same user.
    async fn accept(&self) -> io::Result<UnixStream> {
        loop {
            let (stream, _) = self.listener.accept().await?;
            match stream.peer_cred() {
                Ok(peer) if peer.uid() == self.user => return Ok(stream),
                Ok(peer) => tracing::warn!(user = peer.uid(), "another user is refused"),
                Err(error) => tracing::warn!("a process that cannot be known is refused: {error}"),
            }
        }
    }
}

impl Drop for OwnSocket {
    fn drop(&mut self) {
        // The file may have been removed.
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns the error for a socket that another process has. That process may have accepted the
/// connection `server`.
fn taken(path: PathBuf, server: Option<&UnixStream>) -> ListenError {
    let pid = server.and_then(|server| server.peer_cred().ok()?.pid());
    // A process in a container may have no process id here.
    let pid = pid.filter(|pid| *pid > 0);
    ListenError::Taken { path, pid }
}

/// Locks a file; returns `None` if another process has locked it.
fn locked(path: &Path) -> io::Result<Option<File>> {
    let file = private(OpenOptions::new().write(true).create(true).truncate(false)).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
