//! Hooks that continue as they were loaded, since their files no longer load.

use std::fmt::Display;

use super::{LoadedHook, Loader, LocatedHook, resolve};
use crate::sandbox::capabilities::Permission;
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
        let said = self.settings.of_component(id);
        LocatedHook {
            amended: OperatorOverrides {
                off: said.enabled == Some(false),
                after: said.after.clone(),
                revoked: match before.hook.resolved.enabled {
                    true => self.revoked(&before.hook, &said.grants),
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
            match import.capability.permission {
                Permission::None | Permission::Answers(_) => {}
                Permission::View(view) => {
                    let views = now.views.as_ref();
                    if !views
                        .unwrap_or(&self.settings.defaults.views)
                        .contains(&view)
                    {
                        gone.push(format!("views = \"{}\"", view.name()));
                    }
                }
                Permission::State if !now.state => gone.push("state".to_owned()),
                Permission::Events if !now.events => gone.push("events".to_owned()),
                Permission::State | Permission::Events => {}
                Permission::SharedState => {
                    gone.extend(lost("shared-state", &then.shared_state, &now.shared_state));
                }
                Permission::Secrets => gone.extend(lost("secrets", &then.secrets, &now.secrets)),
                Permission::Http => gone.extend(lost("http", &then.http, &now.http)),
                Permission::Directories => {
                    let readable = [now.read.as_slice(), &now.write].concat();
                    gone.extend(lost("read", &then.read, &readable));
                    gone.extend(lost("write", &then.write, &now.write));
                }
            }
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

fn lost<T: PartialEq + Display>(key: &str, then: &[T], now: &[T]) -> Vec<String> {
    let gone = then.iter().filter(|granted| !now.contains(granted));
    gone.map(|granted| format!("{key} = \"{granted}\""))
        .collect()
}
