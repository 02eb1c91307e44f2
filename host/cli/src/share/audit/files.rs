//! Files that differ from the lock, and those that do not load.

use std::path::Path;

use portcullis::LoadOptions;
use portcullis::hooks::inspect;
use portcullis::lock::{Lock, Pinned};
use portcullis::report::HookReport;
use portcullis::settings::Settings;
use portcullis_registry::digest_of;

use super::finding::{Finding, Kind};

/// A component of the lock whose file exists.
pub struct LoadedComponent<'a> {
    pub pinned: &'a Pinned,
    pub report: HookReport,
}

/// Loads all components of a lock, without running a point.
pub fn installed<'a>(
    dir: &Path,
    lock: &'a Lock,
    settings: &Settings,
    options: &LoadOptions<'_>,
    found: &mut Vec<Finding>,
) -> Vec<LoadedComponent<'a>> {
    let mut installed = Vec::new();
    for (name, pinned) in &lock.components {
        let file = dir.join(name);
        let changed = match digest_of(&file) {
            Ok(digest) if digest == pinned.sha256 => None,
            Ok(_) => Some(format!(
                "{} is not the component that hooks.lock pins",
                file.display()
            )),
            Err(error) => Some(error.to_string()),
        };
        if let Some(message) = changed {
            found.push(Finding::of(pinned, Kind::Changed, message));
            continue;
        }
        match inspect(&file, settings, options) {
            Ok(report) => installed.push(LoadedComponent { pinned, report }),
            Err(error) => {
                let message = format!("it does not load: {:#}", anyhow::Error::from(error));
                found.push(Finding::of(pinned, Kind::Broken, message));
            }
        }
    }
    installed
}
