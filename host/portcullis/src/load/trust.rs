//! What an unnamed hook asks for beyond what `[unnamed]` allows.

use std::path::Path;

use super::error::listed;
use super::{LoadFault, resolve};
use crate::contract::Descriptor;
use crate::contract::text::sanitize_for_terminal;
use crate::sandbox::info::ComponentInfo;
use crate::settings::Settings;

/// What a hook imports and was not granted. Of a hook that is capped it is one fault, whose fix is to
/// look at the hook and name it.
pub(super) fn not_granted(
    file: &Path,
    descriptor: &Descriptor,
    info: &ComponentInfo,
    settings: &Settings,
) -> Vec<LoadFault> {
    let missing = resolve::not_granted(descriptor, info, settings);
    if !settings.caps(&descriptor.id) {
        return missing;
    }
    let asks: Vec<String> = missing.iter().map(asked).collect();
    let why = match (settings.refuses(&descriptor.id), asks.as_slice()) {
        (true, _) => "no such hook is loaded ([unnamed] load = \"refuse\")".to_owned(),
        (false, []) => return Vec::new(),
        (false, asks) => format!("[unnamed] does not allow all of it: it {}", asks.join(", ")),
    };
    vec![unnamed(file, why)]
}

/// That a hook which is not named asks for what only a named one has.
pub(super) fn unnamed(file: &Path, why: String) -> LoadFault {
    LoadFault::Unnamed {
        why,
        file: sanitize_for_terminal(&file.display().to_string()),
    }
}

/// What a fault says that the hook asks for.
fn asked(fault: &LoadFault) -> String {
    match fault {
        LoadFault::NotGranted {
            imports,
            description,
            ..
        } => format!("imports {} to {description}", listed(imports)),
        LoadFault::MayNotAnswer { kind, .. } => format!("imports the answer `{kind}`"),
        LoadFault::MayNotContribute { kind, .. } => format!("contributes `{kind}`"),
        other => other.to_string(),
    }
}
