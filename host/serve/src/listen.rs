//! Where requests are taken.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use portcullis_access::listen_fix;

#[cfg(unix)]
use crate::place::DaemonId;

/// Where requests are taken.
#[derive(Debug, Clone)]
pub enum Listen {
    /// On the daemon's Unix socket in this directory, from processes of the same user. Its file is removed at the end.
    #[cfg(unix)]
    Unix(DaemonId, PathBuf),
    /// On this TCP address, from those that have the token. Port 0 is any free one.
    Tcp {
        /// The address.
        address: SocketAddr,
        /// The file that the token is written to. It is removed at the end.
        token: PathBuf,
        /// Whether the address may be another than one of loopback.
        remote: bool,
    },
}

/// Why requests cannot be taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenError {
    /// The address is not one of loopback.
    #[error(
        "{0} is not an address of loopback, and requests are not encrypted; use 127.0.0.1, or say --allow-remote"
    )]
    NotLoopback(SocketAddr),
    /// Another process serves these hooks.
    #[error("{} serves these hooks on {}; stop it first", process(*pid), path.display())]
    Taken {
        /// The socket.
        path: PathBuf,
        /// The process, where the system tells it.
        pid: Option<i32>,
    },
    /// The file of the socket is another file.
    #[error("{} exists and is not a socket; remove it", .0.display())]
    NotASocket(PathBuf),
    /// The system refuses it.
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
