//! Signatures that no longer count, or never did.

use std::path::Path;

use anyhow::Context as _;
use portcullis::lock::{Lock, Origin};
use portcullis::settings::Trust;
use portcullis_registry::{Error, Signer, signers};

use super::finding::{Finding, Kind};

type Named<'a> = (&'a str, Result<Signer, Error>);

/// Returns the components of the lock without a signature that counts.
pub fn unsigned(lock: &Lock, trust: &Trust) -> Vec<Finding> {
    let named: Vec<Named<'_>> = signers(trust).collect();
    let pinned = lock.components.values();
    let unsigned = pinned.filter_map(|pinned| {
        let why = why_not(pinned.origin.as_ref(), &named)?;
        Some(Finding::of(pinned, Kind::Unsigned, why))
    });
    unsigned.collect()
}

/// Returns why no signature counts.
fn why_not(origin: Option<&Origin>, named: &[Named<'_>]) -> Option<String> {
    let Some(origin) = origin else {
        return Some("it was not added with `portcullis add`, so that its source and its signer are not known".into());
    };
    let Some(name) = &origin.signer else {
        return Some(format!(
            "it was added from {} without a signature that counts",
            origin.source
        ));
    };
    let mut known = named.iter().filter_map(|(_, signer)| signer.as_ref().ok());
    if known.clone().any(|signer| signer.signed(origin)) {
        return None;
    }
    if let Some((_, Err(error))) = named
        .iter()
        .find(|(one, signer)| one == name && signer.is_err())
    {
        return Some(format!(
            "it was signed by `{name}`, and whether that counts is not known: {error}"
        ));
    }
    Some(
        match (&origin.credential, known.any(|one| one.is_named(name))) {
            (Some(credential), true) => format!(
                "it was signed by `{name}` with the {credential}, which [trust] in hooks.toml does not name `{name}` any more"
            ),
            _ => format!("it was signed by `{name}`, whom [trust] in hooks.toml does not name"),
        },
    )
}

/// Returns the components that the lock does not name.
pub fn not_locked(dir: &Path, lock: &Lock) -> anyhow::Result<Vec<Finding>> {
    let entries = std::fs::read_dir(dir);
    let entries = entries.with_context(|| format!("{} cannot be read", dir.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".wasm") && !lock.components.contains_key(&name) {
            found.push(Finding {
                hook: name,
                kind: Kind::Unsigned,
                message:
                    "hooks.lock does not name it, so that its source and its signer are not known"
                        .into(),
            });
        }
    }
    Ok(found)
}
