//! Sockets that listen before the hooks are loaded.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use portcullis_access::{Accept, Access, Pages};
use tokio::net::{TcpListener, TcpStream};

use crate::listen::{Listen, ListenError, fault};
#[cfg(unix)]
use crate::socket::OwnSocket;
use crate::token;

/// Listening sockets. A client that connects waits until the hooks are served.
#[derive(Debug)]
pub struct Listening {
    pub(crate) sockets: Vec<Socket>,
    addresses: Vec<SocketAddr>,
}

#[derive(Debug)]
pub(crate) enum Socket {
    #[cfg(unix)]
    Unix(OwnSocket),
    Tcp(GuardedListener),
}

/// A TCP socket, with the access that requests need.
#[derive(Debug)]
pub(crate) struct GuardedListener {
    pub(crate) listener: TcpListener,
    pub(crate) access: Access,
    file: PathBuf,
}

impl Listening {
    /// Listens on these addresses, in order.
    ///
    /// # Errors
    ///
    /// One of the addresses cannot be listened on.
    pub async fn bind(places: Vec<Listen>) -> Result<Self, ListenError> {
        let mut listening = Self {
            sockets: Vec::new(),
            addresses: Vec::new(),
        };
        for place in places {
            match place {
                #[cfg(unix)]
                Listen::Unix(daemon, dir) => {
                    let socket = OwnSocket::bind(&daemon, &dir).await?;
                    listening.sockets.push(Socket::Unix(socket));
                }
                Listen::Tcp {
                    address,
                    token,
                    remote,
                } => {
                    let guarded = GuardedListener::bind(address, token, remote).await?;
                    listening.addresses.extend(guarded.listener.local_addr());
                    listening.sockets.push(Socket::Tcp(guarded));
                }
            }
        }
        Ok(listening)
    }

    /// Returns the TCP addresses, with their ports.
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }
}

impl GuardedListener {
    async fn bind(address: SocketAddr, file: PathBuf, remote: bool) -> Result<Self, ListenError> {
        let loopback = address.ip().is_loopback();
        if !loopback && !remote {
            return Err(ListenError::NotLoopback(address));
        }
        let listener = TcpListener::bind(address).await.map_err(fault(address))?;
        let access = Access {
            token: token::make(&file).map_err(fault(file.display()))?,
            loopback,
            pages: Pages::None,
        };
        Ok(Self {
            listener,
            access,
            file,
        })
    }
}

impl Accept for GuardedListener {
    type Stream = TcpStream;

    async fn accept(&self) -> io::Result<TcpStream> {
        Accept::accept(&self.listener).await
    }
}

impl Drop for GuardedListener {
    fn drop(&mut self) {
        // The file may have been removed.
        let _ = fs::remove_file(&self.file);
    }
}
