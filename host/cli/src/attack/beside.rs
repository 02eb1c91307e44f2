//! The user's own hook, which is loaded beside each attack.

use std::num::NonZeroU64;
use std::path::Path;

use portcullis::LoadOptions;
use portcullis::hooks::{CacheChoice, HooksError, inspect};
use portcullis::settings::{Grants, Settings};
use portcullis_attack::Beside;

/// The shared namespace that it is granted by default.
const NAMESPACE: &str = "attack";

/// The tokens of the model that it is granted by default.
const TOKENS: NonZeroU64 = NonZeroU64::MIN.saturating_add(99_999);

/// Returns the hook in this file, with its settings.
pub(super) fn of(file: &Path, settings: &Settings) -> Result<Beside, HooksError> {
    let options = LoadOptions {
        cache: CacheChoice::None,
        compiler: crate::compiler::child(),
        ..LoadOptions::default()
    };
    let report = inspect(file, settings, &options)?;
    let id = report.id.as_str().to_owned();
    let mut own = settings.hooks.get(&id).cloned().unwrap_or_default();
    if !settings.hooks.contains_key(&id) {
        own.grants = Grants::for_a_test(NAMESPACE, TOKENS);
    }
    // The kit has neither a store nor a journal to wait for.
    (own.write_state, own.write_run) = (None, None);
    Ok(Beside {
        file: file.to_owned(),
        id,
        settings: own,
    })
}
