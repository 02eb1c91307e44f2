//! TLS, and its trusted certificate authorities.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::super::TlsError;
use crate::contract::text::sanitize_for_terminal;
use crate::model::regular_file;

/// The most bytes of a certificate file: twenty times those of the web's authorities.
const LARGEST: u64 = 4 << 20;

/// The TLS configuration of a hook's connections, and its trusted authorities.
#[derive(Debug, Clone)]
pub(crate) struct Tls {
    pub(super) config: Arc<ClientConfig>,
    roots: Arc<RootCertStore>,
}

impl PartialEq for Tls {
    /// Returns whether both trust the same authorities; nothing else differs.
    fn eq(&self, other: &Self) -> bool {
        self.roots.roots == other.roots.roots
    }
}

impl Tls {
    /// Creates a configuration that trusts the authorities of the web, and those in these files.
    pub(crate) fn new(files: &[PathBuf]) -> Result<Self, Vec<TlsError>> {
        let mut roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        let mut faults = Vec::new();
        for file in files {
            if let Err(why) = add(&mut roots, file) {
                let path = sanitize_for_terminal(&file.display().to_string());
                faults.push(TlsError::Authority { path, why });
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let roots = Arc::new(roots);
        let provider = Arc::new(aws_lc_rs::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|e| vec![TlsError::Setup(e.to_string())])?
            .with_root_certificates(roots.clone())
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            config: Arc::new(config),
            roots,
        })
    }
}

fn add(roots: &mut RootCertStore, file: &Path) -> Result<(), String> {
    let read = regular_file::read(file, LARGEST);
    let text = read.map_err(|e| format!("{e}; put it there"))?;
    let mut any = false;
    for certificate in CertificateDer::pem_slice_iter(&text) {
        let certificate = certificate.map_err(|e| format!("it is no PEM file: {e}"))?;
        let added = roots.add(certificate);
        added.map_err(|e| format!("it holds what is no authority's certificate: {e}"))?;
        any = true;
    }
    match any {
        true => Ok(()),
        false => Err("it holds no certificate; write the authority's into it, as PEM".into()),
    }
}
