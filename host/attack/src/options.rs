//! The options of a run.

use std::path::PathBuf;
use std::time::Duration;

use portcullis::compiler::Compiler;
use portcullis::limits::EngineOptions;
use portcullis::settings::{Defaults, HookSettings, Unnamed};

/// The options of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The engine's settings.
    pub engine: EngineOptions,
    /// The limits in force, and the views.
    pub defaults: Defaults,
    /// The permissions of unnamed hooks.
    pub unnamed: Unnamed,
    /// The process that compiles components. Only a child process stops an attack on the compiler.
    pub compiler: Compiler,
    /// The factor on all times, which are those of a release build on a quiet machine.
    pub patience: u32,
    /// The user's own hook, as another healthy hook.
    pub beside: Option<Beside>,
    /// The time after which a row counts as hung.
    pub hangs_after: Duration,
}

/// The user's own hook.
#[derive(Debug, Clone)]
pub struct Beside {
    /// The component.
    pub file: PathBuf,
    /// Its id.
    pub id: String,
    /// Its settings.
    pub settings: HookSettings,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: EngineOptions::default(),
            defaults: Defaults::default(),
            unnamed: Unnamed::default(),
            compiler: Compiler::default(),
            patience: 1,
            beside: None,
            hangs_after: Duration::from_secs(60),
        }
    }
}
