//! Loading the hooks directory of the command line for an agent with a store.

use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use portcullis::hooks::{HooksError, LoadErrors, Progress, StateStorage};
use portcullis::settings::Settings;
use portcullis::{Hooks, LoadOptions};
use portcullis_store::{Store, directory_scope};
use portcullis_terminal::load::options;

use crate::terminal::progress::LoadBar;

pub use portcullis_terminal::load::{CacheArgs, HooksDir, Keeps, check_for, load, load_for};

/// Returns the settings in a directory's hooks.toml, for commands that read it before they load the
/// hooks.
pub fn settings_of(dir: &Path) -> anyhow::Result<Settings> {
    Settings::of_dir(dir).map_err(|errors| {
        let errors = LoadErrors::from(errors);
        anyhow!("the hooks in {} do not load: {errors}", dir.display())
    })
}

/// Loads a directory's hooks for an agent that keeps their state and runs in this store. All users
/// of the store and the directory share the state.
pub fn load_with_store(store: &Store, dir: &Path, cache: &CacheArgs) -> Result<Hooks, HooksError> {
    let bar = LoadBar::hidden();
    let progress = |progress: Progress<'_>| bar.update(progress);
    let options = LoadOptions {
        state: StateStorage::Store(Arc::new(store.hook_state(&directory_scope(dir)))),
        ..options(Keeps::ALL, cache, &progress)
    };
    Hooks::load(dir, &options)
}

/// Logs that a directory has no hooks.
pub fn warn_if_empty(dir: &Path, hooks: &Hooks) {
    if hooks.summaries().is_empty() {
        tracing::warn!(
            "the directory {} has no hooks, so nothing is checked and nothing is refused; put `.wasm` files into it, or \
             name another directory with --hooks",
            dir.display()
        );
    }
}
