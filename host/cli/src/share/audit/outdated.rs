//! Sources that now have another version.

use portcullis::lock::{Lock, Origin, Pinned};
use portcullis_registry::{Error, Fetcher, Source};
use tokio::runtime::Runtime;

use super::finding::{Finding, Kind};
use crate::terminal::progress::Waiting;

/// Returns the components of the lock whose source has another version, or cannot be asked.
pub fn outdated(lock: &Lock, fetcher: &Fetcher, runtime: &Runtime) -> Vec<Finding> {
    let added = lock.components.values();
    let added = added.filter_map(|pinned| Some((pinned, pinned.origin.as_ref()?)));
    let found = added.filter_map(|(pinned, origin)| {
        let (kind, why) = match why(pinned, origin, fetcher, runtime) {
            Ok(why) => (Kind::Outdated, why?),
            Err(error) => {
                let why = format!("its current version is not known: {error}");
                (Kind::Unknown, why)
            }
        };
        Some(Finding::of(pinned, kind, why))
    });
    found.collect()
}

fn why(
    pinned: &Pinned,
    origin: &Origin,
    fetcher: &Fetcher,
    runtime: &Runtime,
) -> Result<Option<String>, Error> {
    let source = origin.source.parse::<Source>()?.moving();
    let bar = Waiting::new(format!("asking {source}").as_str());
    let current = runtime.block_on(fetcher.current(&source));
    drop(bar);
    Ok(match current?.is(pinned.sha256, origin.manifest) {
        true => None,
        false => Some(format!(
            "{source} leads to another version; see what is different: portcullis update --dry-run {}",
            pinned.id
        )),
    })
}
