//! Components that were built once and are never built again.

use crate::root;

/// The probe, as it was built for each version of the contract.
pub const FROZEN: &[Frozen] = &[Frozen {
    version: "0.1.0",
    sha256: "cf3fac55b3707274aeac809a91b7c87566a43be8b507d28e95e4e6dc1080c28a",
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
    /// The component.
    pub fn bytes(&self) -> Vec<u8> {
        let dir = root().join("tests/frozen").join(self.version);
        std::fs::read(dir.join("probe.wasm")).expect("a frozen component")
    }
}
