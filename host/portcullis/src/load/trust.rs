//! Faults of unnamed hooks that request more than `[unnamed]` allows.

use std::path::Path;

use super::{LoadFault, resolve};
use crate::contract::Descriptor;
use crate::contract::text::sanitize_for_terminal;
use crate::sandbox::info::ComponentInfo;
use crate::settings::Settings;

/// Returns the faults for imports that a hook was not granted. For a capped hook, it is one fault,
/// whose fix is to inspect the hook and name it.
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
    vec![unnamed(file, &descriptor.id, why, settings)]
}

/// Creates the fault of an unnamed hook that requests something that only a named hook may have.
pub(super) fn unnamed(file: &Path, id: &str, why: String, settings: &Settings) -> LoadFault {
    LoadFault::Unnamed {
        why,
        fix: how_to_name(file, id, settings),
    }
}

/// Returns the instructions to add a hook's table to `hooks.toml`.
pub(crate) fn how_to_name(file: &Path, id: &str, settings: &Settings) -> String {
    let shown = |path: &Path| sanitize_for_terminal(&path.display().to_string());
    let toml = settings.source.file();
    let name_it = match toml.filter(|toml| !is_beside(toml, file)) {
        Some(toml) => format!("write its table into {}: [hooks.{id}]", shown(toml)),
        None => format!(
            "see what it may do and name it: portcullis hooks trust {}",
            shown(file)
        ),
    };
    match (settings.misspelt_table(id), toml) {
        (Some(table), Some(toml)) => {
            let (table, toml) = (sanitize_for_terminal(table), shown(toml));
            format!(
                "if [hooks.{table}] in {toml} is meant for it, write [hooks.{id}] there; otherwise {name_it}"
            )
        }
        _ => name_it,
    }
}

/// Returns whether two files are in the same directory.
fn is_beside(one: &Path, other: &Path) -> bool {
    let dir = |file: &Path| match file.parent() {
        Some(dir) if dir != Path::new("") => dir.canonicalize(),
        _ => Path::new(".").canonicalize(),
    };
    match (dir(one), dir(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one.parent() == other.parent(),
    }
}

/// Returns the hook's request from a fault.
fn asked(fault: &LoadFault) -> String {
    match fault.missing_grant() {
        Some((asks, _)) => asks,
        None => fault.to_string(),
    }
}
