//! From a name to a connection: what was resolved is held against the rule, and what was held against
//! it is what is connected to. No name is resolved twice.

use std::io::{Error as IoError, ErrorKind, Result as IoResult};
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::Error as TlsError;
use tokio_rustls::rustls::pki_types::ServerName;
use wasmtime_wasi_http::Error;

use super::roots::Tls;
use super::rule::{Host, HttpRule, Scheme, Server};
use super::usage::Usage;

/// Connects to a server, at an address where its rule says that it may be.
pub(super) async fn connect(
    server: &Server,
    rule: &HttpRule,
    tls: &Tls,
    usage: Arc<Usage>,
) -> Result<Connection, Error> {
    let mut addresses = resolve(server).await?;
    addresses.retain(|address| rule.may_be_at(address.ip()));
    let mut failed = Error::DestinationIpProhibited;
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(tcp) => {
                // What a hook sends is small and waited for.
                let _ = tcp.set_nodelay(true);
                let stream = match server.scheme {
                    Scheme::Http => Stream::Plain(tcp),
                    Scheme::Https => Stream::Tls(Box::new(secure(server, tcp, tls).await?)),
                };
                return Ok(Connection { stream, usage });
            }
            Err(error) => failed = unreachable(&error),
        }
    }
    Err(failed)
}

async fn resolve(server: &Server) -> Result<Vec<SocketAddr>, Error> {
    let port = server.port;
    match &server.host {
        Host::Address(address) => Ok(vec![SocketAddr::new(*address, port)]),
        Host::Name(name) => {
            let found = tokio::net::lookup_host((name.as_str(), port)).await;
            let found = found.map_err(|_| Error::DnsError {
                rcode: Some("address not available".into()),
                info_code: None,
            })?;
            let canonical = |found: SocketAddr| SocketAddr::new(found.ip().to_canonical(), port);
            Ok(found.map(canonical).collect())
        }
    }
}

fn unreachable(error: &IoError) -> Error {
    match error.kind() {
        ErrorKind::ConnectionRefused => Error::ConnectionRefused,
        ErrorKind::TimedOut => Error::ConnectionTimeout,
        ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable => {
            Error::DestinationIpUnroutable
        }
        _ => Error::DestinationUnavailable,
    }
}

/// TLS with the server's own name, whatever address it was found at.
async fn secure(server: &Server, tcp: TcpStream, tls: &Tls) -> Result<TlsStream<TcpStream>, Error> {
    let name = match &server.host {
        Host::Name(name) => {
            ServerName::try_from(name.clone()).map_err(|_| Error::HttpRequestUriInvalid)?
        }
        Host::Address(IpAddr::V4(address)) => ServerName::from(*address),
        Host::Address(IpAddr::V6(address)) => ServerName::from(*address),
    };
    let connected = TlsConnector::from(tls.config.clone())
        .connect(name, tcp)
        .await;
    connected.map_err(|error| {
        let inner = error.get_ref();
        match inner.and_then(|inner| inner.downcast_ref::<TlsError>()) {
            Some(TlsError::InvalidCertificate(_)) => Error::TlsCertificateError,
            Some(TlsError::AlertReceived(alert)) => Error::TlsAlertReceived {
                alert_id: Some(u8::from(*alert)),
                alert_message: None,
            },
            _ => Error::TlsProtocolError,
        }
    })
}

/// A connection of a call's, on which every byte is counted: headers, bodies and what is around them.
pub(super) struct Connection {
    stream: Stream,
    usage: Arc<Usage>,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

macro_rules! with {
    ($stream:expr, $io:ident => $do:expr) => {
        match $stream {
            Stream::Plain($io) => {
                let $io = Pin::new($io);
                $do
            }
            Stream::Tls($io) => {
                let $io = Pin::new($io.as_mut());
                $do
            }
        }
    };
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<IoResult<()>> {
        let before = into.filled().len();
        ready!(with!(&mut self.stream, io => io.poll_read(cx, into)))?;
        match self.usage.receive(into.filled().len() - before) {
            true => Poll::Ready(Ok(())),
            false => Poll::Ready(Err(IoError::other("the call received more than it may"))),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<IoResult<usize>> {
        // Refused before it is sent: nothing that is over the limit leaves.
        if !self.usage.may_send(bytes.len()) {
            return Poll::Ready(Err(IoError::other("the call sends more than it may")));
        }
        let written = ready!(with!(&mut self.stream, io => io.poll_write(cx, bytes)))?;
        self.usage.sent(written);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<IoResult<()>> {
        with!(&mut self.stream, io => io.poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<IoResult<()>> {
        with!(&mut self.stream, io => io.poll_shutdown(cx))
    }
}
