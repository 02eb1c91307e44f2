//! The file of a hostile hook.

use crate::attack::Header;
use crate::shell;

/// The file of a hostile hook.
#[derive(Debug, Clone)]
pub enum Guest {
    /// The text of a component, assembled when it is needed.
    Component(String),
    /// Bytes: a component that was compiled elsewhere, or another file.
    Bytes(Vec<u8>),
}

impl Guest {
    /// Returns the file that a header and a body describe.
    pub(crate) fn of(header: &Header, body: &str) -> Result<Self, String> {
        if let Some(hex) = &header.bytes {
            return bytes(hex).map(Self::Bytes);
        }
        if header.place.is_settings() {
            return Ok(Self::Bytes(Vec::new()));
        }
        if header.raw {
            return shell::unrolled(body).map(Self::Component);
        }
        shell::component(header, body).map(Self::Component)
    }

    /// Returns a component around a core module.
    pub(crate) fn around(header: &Header, module: &[u8]) -> Result<Self, String> {
        shell::around(header, module).map(Self::Bytes)
    }

    /// Returns the file's bytes.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, String> {
        match self {
            Self::Component(text) => wat::parse_str(text).map_err(|e| e.to_string()),
            Self::Bytes(bytes) => Ok(bytes.clone()),
        }
    }
}

fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    hex.split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).map_err(|e| format!("`{byte}`: {e}")))
        .collect()
}
