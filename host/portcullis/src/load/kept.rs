//! Hooks that continue as they were loaded, since their files no longer load.

use super::{LoadedHook, Loader, LocatedHook, resolve};
use crate::settings::Grants;

/// What the current settings change about a hook that continues as it was loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OperatorOverrides {
    /// Whether it is disabled.
    pub(crate) off: bool,
    /// The hooks that the operator has run before it, if they say so: an order that cannot be kept
    /// would else stand in the way of everything.
    pub(crate) after: Option<Vec<String>>,
    /// What it uses and was granted, and is granted no more. It does not run without.
    pub(crate) revoked: Vec<String>,
}

impl Loader<'_> {
    /// A hook that continues as it was loaded, but for what the operator revokes. One that was
    /// off when it was loaded was granted nothing, and stays off.
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

    /// What a hook uses and was granted, and is granted no more, as `hooks.toml` writes it.
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
