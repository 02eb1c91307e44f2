//! A server whose certificate is from an authority of the operator's own.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::{command, directory, hook, refused};
use crate::support::{run, text};

/// Serves these bytes on loopback. Returns the port, and the authority's certificate in PEM.
fn serve(bytes: Vec<u8>) -> (u16, String) {
    let mut params = CertificateParams::new([]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &authority).unwrap();
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
    std::thread::spawn(move || {
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
    (port, authority.pem())
}

#[test]
fn an_authority_of_the_operators_own_counts_once_it_is_named() {
    let (port, authority) = serve(fs::read(hook("audit-log")).unwrap());
    let source = format!("https://localhost:{port}/audit-log.wasm");
    let dir = directory("");
    let add = || command(&["add", &source, "--yes", "--hooks", text(dir.path())]);
    refused(&run(&mut add()), "invalid peer certificate");
    let file = dir.path().join("authority.pem");
    fs::write(&file, authority).unwrap();
    let ran = run(add().env("SSL_CERT_FILE", &file));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
