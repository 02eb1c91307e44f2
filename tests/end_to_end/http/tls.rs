//! TLS: the host only speaks to a server that proves its name.

use std::sync::Arc;

use portcullis::SessionOptions;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

use super::server::Server;
use super::{ask, dir, settings};

/// Creates a certificate authority, and the TLS settings of a server that it certifies under this
/// name.
fn certified(name: &str) -> (String, Arc<ServerConfig>) {
    let key = KeyPair::generate().expect("a key");
    let mut params = CertificateParams::new([]).expect("parameters");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, key).expect("an authority");
    let key = KeyPair::generate().expect("a key");
    let params = CertificateParams::new([name.to_owned()]).expect("parameters");
    let certificate = params.signed_by(&key, &authority).expect("a certificate");
    let chain: Vec<CertificateDer<'static>> = vec![certificate.der().clone()];
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("a certificate and its key");
    (authority.pem(), Arc::new(config))
}

#[tokio::test]
async fn a_server_is_believed_if_an_authority_vouches_for_its_name() {
    for (name, believed, said) in [
        ("localhost", true, "200 secure"),
        (
            "localhost",
            false,
            "the server's certificate is not trusted",
        ),
        (
            "other.example",
            true,
            "the server's certificate is not trusted",
        ),
    ] {
        let (authority, config) = certified(name);
        let server = Server::tls(config).await;
        let url = format!("https://localhost:{}", server.port());
        let roots = match believed {
            true => "[http]\nroots = [\"ca.pem\"]\n",
            false => "",
        };
        let rules = [format!("GET {url} at 127.0.0.1")];
        let settings = settings(&rules, "wall-ms = 20_000") + roots;
        let hooks = dir(&rules, "")
            .with_file("ca.pem", authority.as_bytes())
            .settings(&settings)
            .load();
        let session = hooks.session(SessionOptions::new("session-1"));
        let told = ask(&session, &format!("GET {url}")).await;
        assert!(told.contains(said), "{name}, {believed}: {told}");
        assert_eq!(server.heads().len(), usize::from(said == "200 secure"));
    }
}

#[test]
fn certificates_that_cannot_be_read_are_named() {
    for (content, said) in [
        (None, "put it there"),
        (Some("nonsense"), "holds no certificate"),
    ] {
        let rules = ["GET https://a.example".to_owned()];
        let dir =
            dir(&rules, "").settings(&(settings(&rules, "") + "[http]\nroots = [\"ca.pem\"]\n"));
        let dir = match content {
            Some(content) => dir.with_file("ca.pem", content.as_bytes()),
            None => dir,
        };
        let error = dir.try_load().expect_err(said).to_string();
        assert!(error.contains("ca.pem") && error.contains(said), "{error}");
    }
}
