//! Hooks that continue as they were loaded, since their files no longer load.

use super::{LoadedHook, Loader, LocatedHook, resolve};
use crate::settings::Grants;

/// The current settings that apply to a hook that continues as it was loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OperatorOverrides {
    /// Whether the hook is disabled.
    pub(crate) off: bool,
    /// The hooks that the operator orders before this one, if set. They apply so that an impossible
    /// order can be corrected.
    pub(crate) after: Option<Vec<String>>,
    /// The revoked grants that the hook uses. The hook does not run without them.
    pub(crate) revoked: Vec<String>,
}

impl Loader<'_> {
    /// Returns a hook that continues as it was loaded, without the grants that the operator
    /// revoked. A hook that was disabled when it was loaded was granted nothing, and stays
    /// disabled.
    pub(super) fn kept(&self, before: &LocatedHook) -> LocatedHook {
        let id = &before.hook.descriptor.id;
        let overrides = self.settings.of_component(id);
        LocatedHook {
            amended: OperatorOverrides {
                off: overrides.enabled == Some(false),
                after: overrides.after.clone(),
                revoked: match before.hook.resolved.enabled {
                    true => self.revoked(&before.hook, &overrides.grants),
                    false => Vec::new(),
                },
            },
            ..before.clone()
        }
    }

    /// Returns the revoked grants that a hook uses, as written in `hooks.toml`.
    fn revoked(&self, hook: &LoadedHook, now: &Grants) -> Vec<String> {
        let then = &hook.resolved.grants;
        let mut gone = Vec::new();
        for import in &hook.component.info.imports {
            let permission = import.capability.permission;
            gone.extend(permission.revoked(then, now, &self.settings.defaults.views));
        }
        let id = &hook.descriptor.id;
        if !resolve::not_to_answer(id, &hook.component.info, now, self.settings).is_empty() {
            gone.push("answers".to_owned());
        }
        if self.settings.refuses(id) {
            gone.push("unnamed: load = \"refuse\"".to_owned());
        }
        let contributes = resolve::not_to_contribute(id, &hook.component.info.contributes(), now);
        if !contributes.is_empty() {
            gone.push("contribute".to_owned());
        }
        gone.sort();
        gone.dedup();
        gone
    }
}
