//! Fetching a component under the policy of `[trust]`, with progress shown.

use std::path::{Path, PathBuf};

use clap::Args;
use portcullis::lock::Origin;
use portcullis::settings::Trust;
use portcullis::verdict::Digest;
use portcullis_registry::{Accepted, Error, Fetched, Fetcher, Policy, Source};

use crate::runtime;
use crate::terminal::progress::Download;

/// The operator's expectations of the component.
#[derive(Debug, Args)]
pub struct Known {
    /// The file of the public key (PEM) that must have signed it.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// The digest that it must have, its manifest's or its own: `sha256:…`.
    #[arg(long, value_name = "DIGEST", value_parser = digest)]
    pub digest: Option<Digest>,
}

fn digest(text: &str) -> Result<Digest, String> {
    text.strip_prefix("sha256:").unwrap_or(text).parse()
}

/// A component that fulfils the policy.
pub struct Checked {
    pub fetched: Fetched,
    pub accepted: Accepted,
}

impl Checked {
    /// Returns the origin that the lock keeps.
    pub fn origin(&self) -> Origin {
        Origin {
            source: self.fetched.source.to_string(),
            manifest: self.fetched.manifest_digest(),
            signer: (self.accepted.signer.as_ref()).map(|signer| signer.name().to_owned()),
            credential: self.accepted.credential.clone(),
        }
    }
}

/// Fetches a component and checks it under the policy of its source.
pub fn fetch(
    source: &Source,
    trust: &Trust,
    key: Option<&Path>,
    digest: Option<Digest>,
) -> anyhow::Result<Checked> {
    under(|source| Policy::of(trust, source, key), source, digest)
}

/// Fetches a component and checks it under a policy. `policy` gets the source after links are
/// resolved.
pub fn under(
    policy: impl FnOnce(&Source) -> Result<Policy, Error>,
    source: &Source,
    digest: Option<Digest>,
) -> anyhow::Result<Checked> {
    let resolved = source.resolved()?;
    // The policy comes first, so that a key that cannot be read is reported at once.
    let policy = policy(&resolved)?;
    let bar = Download::new(source.to_string());
    let fetched = runtime::start()?.block_on(async {
        let fetcher = Fetcher::new()?;
        fetcher
            .fetch(&resolved, &|came, of| bar.update(came, of))
            .await
    });
    drop(bar);
    let mut fetched = fetched?;
    let accepted = policy.check(&fetched, digest)?;
    // The source stays a link, so that an update follows it again.
    fetched.source = source.clone();
    Ok(Checked { fetched, accepted })
}

/// Returns the source, with an absolute path if it is a file.
pub fn absolute(source: &Source) -> anyhow::Result<Source> {
    Ok(match source {
        Source::File(path) => Source::File(std::path::absolute(path)?),
        other => other.clone(),
    })
}
