//! A hook of the user's own, to be put beside the attacks.

use std::path::Path;

use portcullis::settings::Settings;
use portcullis::{CacheChoice, HooksError, LoadOptions, inspect};
use portcullis_attack::Beside;

/// The namespace that it shares, if it shares any and nothing is said of it.
const NAMESPACE: &str = "attack";

/// The hook in this file, as the settings have it.
pub(super) fn of(file: &Path, settings: &Settings) -> Result<Beside, HooksError> {
    let options = LoadOptions {
        cache: CacheChoice::None,
        ..LoadOptions::default()
    };
    let report = inspect(file, settings, &options)?;
    let id = report.id.as_str().to_owned();
    let mut said = settings.hooks.get(&id).cloned().unwrap_or_default();
    if !settings.hooks.contains_key(&id) {
        let all = portcullis::prompt::KINDS.iter().copied();
        said.grants.state = true;
        said.grants.events = true;
        said.grants.shared_state = vec![NAMESPACE.into()];
        said.grants.contribute = Some(all.collect());
    }
    Ok(Beside {
        file: file.to_owned(),
        id,
        settings: said,
    })
}
