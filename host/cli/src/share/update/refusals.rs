//! Versions that may not replace the current one, although `[trust]` would let them be added.

use anyhow::bail;
use portcullis::lock::Origin;
use portcullis::report::HookReport;
use portcullis_registry::{Signer, Source};

use super::UpdateArgs;
use super::installed::AddedHook;
use crate::share::fetch::Checked;

/// Returns whether this is the signer whose signature an update must have.
pub fn is_expected(args: &UpdateArgs, old: &AddedHook, signer: &Signer) -> bool {
    match &args.signer {
        Some(name) => signer.is_named(name),
        None => signer.signed(&old.origin),
    }
}

/// Returns whether the same component has another manifest, a signature that now counts, or another
/// source. Then only the lock is written.
pub fn is_known_otherwise(args: &UpdateArgs, old: &AddedHook, checked: &Checked) -> bool {
    let new = checked.origin();
    let signer = checked.accepted.signer.as_ref();
    new.manifest != old.origin.manifest
        || signer.is_some_and(|signer| !signer.signed(&old.origin))
        || (new.signer.is_some() && new.signer != old.origin.signer)
        || (args.to.is_some() && new.source != old.origin.source)
}

/// Requires that the signer of a signed version also signed the new one, with the same key, even if
/// no signature is required.
pub fn same_signer(args: &UpdateArgs, old: &AddedHook, checked: &Checked) -> anyhow::Result<()> {
    let Some(was) = &old.origin.signer else {
        return Ok(());
    };
    let source = &checked.fetched.source;
    let Some(signer) = &checked.accepted.signer else {
        bail!(
            "{source} is refused: the version that is there was signed by `{was}`, and this one has no signature that \
             counts. Name the key that signed both ([trust.keys] in hooks.toml, or --key FILE); or, if you know \
             that it is the right one, remove the hook and add it anew"
        );
    };
    if !is_expected(args, old, signer) {
        let (now, new) = (signer.name(), checked.origin());
        bail!(
            "{source} is refused: the version that is there was signed by {}, and this one by {}. If you know that it \
             is the right one: --signer '{now}'",
            by(&old.origin, was == now),
            by(&new, was == now),
        );
    }
    Ok(())
}

/// Returns the signer, and its credential if the name does not identify it.
fn by(origin: &Origin, with_credential: bool) -> String {
    let name = origin.signer.as_deref().unwrap_or_default();
    match &origin.credential {
        Some(credential) if with_credential => format!("`{name}` with the {credential}"),
        _ => format!("`{name}`"),
    }
}

/// Refuses an older version, unless `--to` is given. A tag may be moved back to a version with a
/// known fault, whose signature is still valid.
pub fn not_older(
    args: &UpdateArgs,
    source: &Source,
    before: &HookReport,
    after: &HookReport,
) -> anyhow::Result<()> {
    let (old, new) = (&before.version, &after.version);
    if args.to.is_some() || old == new {
        return Ok(());
    }
    let version = semver::Version::parse;
    match (version(old), version(new)) {
        (Ok(old), Ok(new)) if new >= old => Ok(()),
        (Ok(_), Ok(_)) => bail!(
            "{source} is refused: it leads to version {new}, which is older than {old}, the one that is there. If you \
             want it: --to {source}"
        ),
        _ => bail!(
            "{source} is refused: it leads to version `{new}`, and `{old}` is there. Which one is older is not known, \
             because they are not both numbered as semantic versions (1.2.3). If you want it: --to {source}"
        ),
    }
}
