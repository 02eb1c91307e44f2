//! `[integrity]`: the rules for loading files of the hooks directory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::named::{self, Named};

/// The rules for loading files of the hooks directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Integrity {
    /// Whether a `hooks.lock` must exist. With `required`, a directory without one is refused. A
    /// lock that exists is always checked.
    #[serde(deserialize_with = "named::or_default")]
    #[schemars(schema_with = "named::single::<LockRule>", extend("default" = LockRule::default()))]
    pub lock: LockRule,
    /// The treatment of a component that differs from the lock: `refuse` does not load it, and
    /// `report` loads it and reports the difference.
    #[serde(deserialize_with = "named::or_default")]
    #[schemars(schema_with = "named::single::<OnMismatch>", extend("default" = OnMismatch::default()))]
    pub on_mismatch: OnMismatch,
    /// Whether a symbolic link to a file within the directory is followed.
    pub symlinks: bool,
}

/// Whether a lock must exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LockRule {
    /// A lock that exists is checked.
    #[default]
    Optional,
    /// A directory without one is refused.
    Required,
}

/// The treatment of a component that differs from the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnMismatch {
    /// The component does not load.
    #[default]
    Refuse,
    /// The component loads and is listed in [`Hooks::unpinned`](crate::Hooks::unpinned).
    Report,
}

impl Named for LockRule {
    const NAMES: &'static [(&'static str, Self)] =
        &[("optional", Self::Optional), ("required", Self::Required)];
}

impl Named for OnMismatch {
    const NAMES: &'static [(&'static str, Self)] =
        &[("refuse", Self::Refuse), ("report", Self::Report)];
}
