//! Under what conditions the kit runs.

use std::path::PathBuf;
use std::time::Duration;

use portcullis::EngineOptions;
use portcullis::settings::{Defaults, HookSettings};

/// Under what conditions the kit runs.
#[derive(Debug, Clone)]
pub struct Options {
    /// How the engine is set up.
    pub engine: EngineOptions,
    /// The limits in force, and the views.
    pub defaults: Defaults,
    /// How many times longer than on a quiet machine and a release build something may take.
    pub patience: u32,
    /// A hook of the user's own, to be the neighbour.
    pub beside: Option<Beside>,
    /// How long a whole row may take before it is said to hang.
    pub hangs_after: Duration,
}

/// A hook of the user's own.
#[derive(Debug, Clone)]
pub struct Beside {
    /// The component.
    pub file: PathBuf,
    /// Its id.
    pub id: String,
    /// What the operator says of it.
    pub settings: HookSettings,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: EngineOptions::default(),
            defaults: Defaults::default(),
            patience: 1,
            beside: None,
            hangs_after: Duration::from_secs(60),
        }
    }
}
