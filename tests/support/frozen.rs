//! Components that were built once and are never built again.

use crate::root;

/// The probe's builds, one for each version of the contract.
pub const FROZEN: &[Frozen] = &[Frozen {
    version: "0.2.0",
    sha256: "f18b13b09e7cf393c4ad65df37c5d54c509054af092747edc339a084c613291e",
}];

/// A frozen probe.
#[derive(Debug, Clone, Copy)]
pub struct Frozen {
    /// The version of the contract.
    pub version: &'static str,
    /// The digest of the file.
    pub sha256: &'static str,
}

impl Frozen {
    /// Returns the component.
    pub fn bytes(&self) -> Vec<u8> {
        let dir = root().join("tests/frozen").join(self.version);
        std::fs::read(dir.join("probe.wasm")).expect("a frozen component")
    }
}
