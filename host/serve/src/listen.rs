//! The addresses that a server listens on.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use portcullis_access::listen_fix;

#[cfg(unix)]
use crate::place::DaemonId;

/// An address that a server listens on.
#[derive(Debug, Clone)]
pub enum Listen {
    /// The daemon's Unix socket in this directory, for processes of the same user. Its file is removed at the end.
    #[cfg(unix)]
    Unix(DaemonId, PathBuf),
    /// A TCP address, for clients that have the token. Port 0 means any free port.
    Tcp {
        /// The address.
        address: SocketAddr,
        /// The file that the token is written to. The file is removed at the end.
        token: PathBuf,
        /// Whether the address may be other than loopback.
        remote: bool,
    },
}

/// The reason why a server cannot listen.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenError {
    /// The address is not a loopback address.
    #[error(
        "{0} is not an address of loopback, and requests are not encrypted; use 127.0.0.1, or say --allow-remote"
    )]
    NotLoopback(SocketAddr),
    /// Another process serves these hooks.
    #[error("{} serves these hooks on {}; stop it first", process(*pid), path.display())]
    Taken {
        /// The socket.
        path: PathBuf,
        /// The process id, if the system reports it.
        pid: Option<i32>,
    },
    /// The file of the socket is another file.
    #[error("{} exists and is not a socket; remove it", .0.display())]
    NotASocket(PathBuf),
    /// The system refuses to listen.
    #[error("cannot listen on {place}: {cause}{}", listen_fix(cause))]
    Io {
        /// The address or the path.
        place: String,
        /// The cause.
        cause: io::Error,
    },
}

fn process(pid: Option<i32>) -> String {
    match pid {
        Some(pid) => format!("process {pid}"),
        None => "another process".to_owned(),
    }
}

pub(crate) fn fault(place: impl std::fmt::Display) -> impl FnOnce(io::Error) -> ListenError {
    move |cause| ListenError::Io {
        place: place.to_string(),
        cause,
    }
}
