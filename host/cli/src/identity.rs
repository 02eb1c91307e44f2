//! `--identity`: the keys with which encrypted recordings are read.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use portcullis_store::Identities;

/// The keys that decrypt recordings.
#[derive(Debug, Args)]
pub struct IdentityArg {
    /// A file with the secret key of age that recorded calls are encrypted for. May be given again, for calls that were
    /// recorded with other keys.
    #[arg(long, value_name = "FILE", env = "PORTCULLIS_IDENTITY")]
    identity: Vec<PathBuf>,
}

impl IdentityArg {
    /// Returns the keys of the files.
    pub fn read(&self) -> anyhow::Result<Arc<Identities>> {
        let mut identities = Identities::default();
        for file in &self.identity {
            identities.read(file)?;
        }
        Ok(Arc::new(identities))
    }
}
