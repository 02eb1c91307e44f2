//! Servers whose certificate is from an authority of the operator's own.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use rcgen::{BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::registry::Registry;
use super::{command, directory, hook, names, refused};
use crate::support::{run, text};

/// An authority of the operator's own, which no system knows.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// Writes its certificate, for `SSL_CERT_FILE`.
    fn write(&self, dir: &Path) -> PathBuf {
        let file = dir.join("authority.pem");
        fs::write(&file, self.0.pem()).unwrap();
        file
    }

    /// Returns a certificate for a server of this name, and its key.
    fn certify(&self, name: &str) -> (Certificate, KeyPair) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new([name.to_owned()]).unwrap();
        (params.signed_by(&key, &self.0).unwrap(), key)
    }
}

/// Serves these bytes on loopback. Returns the port.
fn serve(bytes: Vec<u8>, authority: &Authority) -> u16 {
    let (certificate, key) = authority.certify("localhost");
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(config.clone()).unwrap();
            let mut stream = BufReader::new(StreamOwned::new(connection, stream.unwrap()));
            let (mut line, mut is_request) = (String::new(), false);
            // A client that does not trust the certificate sends no request.
            while stream.read_line(&mut line).is_ok_and(|read| read > 2) {
                is_request = true;
                line.clear();
            }
            if is_request {
                let head = format!(
                    "HTTP/1.1 200 X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                    bytes.len()
                );
                let stream = stream.get_mut();
                stream.write_all(head.as_bytes()).unwrap();
                stream.write_all(&bytes).unwrap();
                stream.conn.send_close_notify();
                stream.flush().unwrap();
            }
        }
    });
    port
}

#[test]
fn an_authority_of_the_operators_own_counts_once_it_is_named() {
    let authority = Authority::new();
    let port = serve(fs::read(hook("audit-log")).unwrap(), &authority);
    let source = format!("https://localhost:{port}/audit-log.wasm");
    let dir = directory("");
    let add = || command(&["add", &source, "--yes", "--hooks", text(dir.path())]);
    refused(&run(&mut add()), "invalid peer certificate");
    let ran = run(add().env("SSL_CERT_FILE", authority.write(dir.path())));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Starts a proxy that connects every client to one server, if the client asks for this name.
/// Returns the proxy's address.
fn proxy(name: &'static str, server: SocketAddr) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for client in listener.incoming() {
            thread::spawn(move || tunnel(client.unwrap(), name, server));
        }
    });
    address
}

fn tunnel(mut client: TcpStream, name: &str, server: SocketAddr) -> io::Result<()> {
    // A client sends only the head before it gets a response.
    let mut head = BufReader::new(client.try_clone()?);
    let mut first = String::new();
    head.read_line(&mut first)?;
    let mut line = String::new();
    while head.read_line(&mut line)? > 2 {
        line.clear();
    }
    if !first.starts_with(&format!("CONNECT {name} ")) {
        return client.write_all(b"HTTP/1.1 403 X\r\ncontent-length: 0\r\n\r\n");
    }
    let server = TcpStream::connect(server)?;
    client.write_all(b"HTTP/1.1 200 X\r\n\r\n")?;
    let up = (client.try_clone()?, server.try_clone()?);
    let sends = thread::spawn(move || relay(up.0, up.1));
    relay(server, client);
    let _ = sends.join();
    Ok(())
}

/// Copies one direction, until either stream ends.
fn relay(mut from: TcpStream, mut to: TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

#[test]
fn a_registry_of_a_company_is_reached_by_https_through_its_proxy() {
    let authority = Authority::new();
    let (certificate, key) = authority.certify("registry.example");
    let Some(registry) = Registry::with_tls(&certificate.pem(), &key.serialize_pem()) else {
        return;
    };
    let proxy = proxy("registry.example:443", registry.address().parse().unwrap());
    let dir = directory("");
    let trusted = authority.write(dir.path());
    let source = "oci://registry.example/hooks/audit-log:1";
    let component = hook("audit-log");
    let publish = || {
        let mut publish = command(&["publish", text(&component), source]);
        publish.env("HTTPS_PROXY", format!("http://{proxy}"));
        publish
    };
    refused(&run(&mut publish()), "invalid peer certificate");
    let published = run(publish().env("SSL_CERT_FILE", &trusted));
    assert_eq!(published.code, Some(0), "{published:?}");
    let mut add = command(&["add", source, "--yes", "--hooks", text(dir.path())]);
    add.env("HTTPS_PROXY", format!("http://{proxy}"));
    let added = run(add.env("SSL_CERT_FILE", &trusted));
    assert_eq!(added.code, Some(0), "{added:?}");
    assert!(names(dir.path()).contains(&"audit-log.wasm".to_owned()));
}
