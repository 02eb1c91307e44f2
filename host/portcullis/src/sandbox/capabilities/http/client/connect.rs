//! Connects by name: the resolved addresses are checked against the rule, and the connection goes
//! to a checked one. No name is resolved twice.

use std::io::{Error as IoError, ErrorKind, Result as IoResult};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
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

use super::super::rule::{Host, HttpRule, Scheme, Server};
use super::roots::Tls;
use super::usage::Usage;
use crate::model::threads;

/// Connects to a server, at an address that its rule allows.
pub(super) async fn connect(
    server: &Server,
    rule: &HttpRule,
    tls: &Tls,
    usage: Arc<Usage>,
) -> Result<Connection, Error> {
    let tcp = reach(server, rule, ask_the_system).await?;
    // The requests are small, and the hook waits for the responses.
    let _ = tcp.set_nodelay(true);
    let stream = match server.scheme {
        Scheme::Http => Stream::Plain(tcp),
        Scheme::Https => Stream::Tls(Box::new(secure(server, tcp, tls).await?)),
    };
    Ok(Connection { stream, usage })
}

/// Connects to the first address that answers, among those that the rule allows. The name is looked
/// up once, so that no second lookup can differ.
async fn reach<L>(server: &Server, rule: &HttpRule, look_up: L) -> Result<TcpStream, Error>
where
    L: AsyncFnOnce(&str, u16) -> IoResult<Vec<SocketAddr>>,
{
    let found = match &server.host {
        Host::Address(address) => vec![SocketAddr::new(*address, server.port)],
        Host::Name(name) => look_up(name, server.port)
            .await
            .map_err(|_| Error::DnsError {
                rcode: Some("address not available".into()),
                info_code: None,
            })?,
    };
    let mut failed = Error::DestinationIpProhibited;
    for found in found {
        let address = SocketAddr::new(found.ip().to_canonical(), server.port);
        if !rule.may_be_at(address.ip()) {
            continue;
        }
        match TcpStream::connect(address).await {
            Ok(tcp) => return Ok(tcp),
            Err(error) => failed = unreachable(&error),
        }
    }
    Err(failed)
}

async fn ask_the_system(name: &str, port: u16) -> IoResult<Vec<SocketAddr>> {
    // Not tokio's own lookup, which panics if the system cannot start a thread.
    let name = name.to_owned();
    let found = threads::blocking(move || (name.as_str(), port).to_socket_addrs()).await;
    Ok(found.map_err(IoError::other)??.collect())
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

/// Starts TLS with the server's own name, whatever its address.
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

/// A connection of a call, on which every byte is counted: headers, bodies and framing.
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
        // Refused before it is sent, so that the call never exceeds the limit.
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

// Other systems have a single loopback address.
#[cfg(all(test, target_os = "linux"))]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    async fn listening(at: &str, port: u16) -> TcpListener {
        TcpListener::bind((at, port)).await.unwrap()
    }

    #[test]
    fn a_name_is_not_looked_up_without_a_thread() {
        let runtime = threads::runtime_without_threads();
        let found = runtime.block_on(ask_the_system("localhost", 80));
        let error = found.expect_err("no thread").to_string();
        assert!(error.contains("no more threads"), "{error}");
    }

    #[tokio::test]
    async fn what_a_name_led_to_when_it_was_checked_is_what_is_connected_to() {
        let granted = listening("127.0.0.1", 0).await;
        let port = granted.local_addr().unwrap().port();
        // The name's owner can change the address this quickly.
        let rebound = listening("127.0.0.2", port).await;
        let rule: HttpRule = format!("GET http://policy.test:{port} at 127.0.0.1")
            .parse()
            .unwrap();
        let server = Server {
            scheme: Scheme::Http,
            host: Host::Name("policy.test".into()),
            port,
        };
        let mut answers = [
            vec!["127.0.0.2:1", "[::ffff:127.0.0.2]:1", "127.0.0.1:1"],
            vec!["127.0.0.2:1"],
            vec!["[::ffff:127.0.0.2]:1", "169.254.169.254:80", "10.0.0.1:1"],
        ]
        .into_iter();
        let mut asked = 0;
        let mut reached = Vec::new();
        for _ in 0..3 {
            let look_up = async |name: &str, _: u16| {
                assert_eq!(name, "policy.test");
                asked += 1;
                Ok(addresses(&answers.next().unwrap()))
            };
            let reach = reach(&server, &rule, look_up).await;
            reached.push(reach.map(|tcp| tcp.peer_addr().unwrap()));
        }
        assert_eq!(asked, 3, "once for each");
        assert_eq!(*reached[0].as_ref().unwrap(), granted.local_addr().unwrap());
        for refused in &reached[1..] {
            assert!(matches!(refused, Err(Error::DestinationIpProhibited)));
        }
        let nobody = tokio::time::timeout(std::time::Duration::from_millis(50), rebound.accept());
        assert!(nobody.await.is_err());
    }
}
