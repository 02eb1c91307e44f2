//! The hooks of one agent, of every sort, in their order.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::chain::order::{self, OrderFault, Orders};
use crate::host::member::{Body, Member};
use crate::host::native::NativeHook;
use crate::load::{
    LoadError, LoadErrors, LoadFault, Loaded, LocatedHook, Promises, Stage, script_file,
};
use crate::model::secrets::{AllSecrets, Secrets};
use crate::settings::Settings;

/// The hooks of one agent from one load.
#[derive(Clone, Default)]
pub(crate) struct HookSet {
    /// Members from files, sorted by file, then the other members.
    pub(crate) members: Vec<Member>,
    pub(crate) orders: Orders,
    pub(crate) settings: Arc<Settings>,
    /// The promises of the host. Hooks that are added later may rely on them too.
    pub(crate) promises: Promises,
    /// The errors of hooks that do not load. Such a hook is left out, or continues as it was loaded
    /// before.
    pub(crate) broken: Vec<LoadError>,
    pub(crate) unpinned: Vec<LoadError>,
    /// All secrets that the hooks were granted.
    pub(crate) secrets: Arc<Secrets>,
}

impl HookSet {
    /// Creates the set from a loaded directory and native hooks.
    pub(crate) fn new(
        dir: &Path,
        settings: Arc<Settings>,
        loaded: &Loaded,
        native: &[NativeHook],
        promises: Promises,
    ) -> Result<Self, LoadErrors> {
        let components = loaded.found.iter().cloned();
        let components = components.map(|found| Member::component(found, &settings));
        let scripts = settings.scripts.iter();
        let scripts = scripts.map(|(id, script)| Member::script(id, script, dir, &settings));
        let mut hook_set = Self {
            members: components.chain(scripts).collect(),
            orders: Orders::new(),
            broken: loaded.broken.clone(),
            unpinned: loaded.unpinned.clone(),
            settings: settings.clone(),
            promises,
            secrets: Arc::default(),
        };
        hook_set.put(native.iter().cloned())?;
        Ok(hook_set)
    }

    /// Adds native hooks and orders all hooks.
    pub(crate) fn put(
        &mut self,
        hooks: impl IntoIterator<Item = NativeHook>,
    ) -> Result<(), LoadErrors> {
        let mut errors = Vec::new();
        for hook in hooks {
            let id = hook.id().to_owned();
            match Member::native(hook, &self.settings, self.promises) {
                Ok(member) => self.members.push(member),
                Err(fault) => errors.push(not_resolved(&id, fault)),
            }
        }
        let entries: Vec<_> = self.members.iter().map(Member::entry).collect();
        let (orders, faults) = order::orders(&entries);
        errors.extend(self.not_ordered(faults));
        self.orders = orders;
        let all = AllSecrets::default();
        for member in &self.members {
            all.add(&member.effective.profile.secrets);
        }
        self.secrets = all.get();
        match errors.is_empty() {
            true => Ok(()),
            false => Err(LoadErrors(errors)),
        }
    }

    /// Returns the errors of hooks that cannot be ordered. Hooks that are not in this set are
    /// native hooks.
    pub(crate) fn not_ordered(&self, faults: Vec<OrderFault>) -> impl Iterator<Item = LoadError> {
        faults.into_iter().map(|wrong| {
            let file = self.file(&wrong.hook);
            LoadError::new(&file, Stage::Order, wrong.error.into())
        })
    }

    pub(crate) fn member(&self, id: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.id() == id)
    }

    /// Returns the file of a hook.
    fn file(&self, id: &str) -> PathBuf {
        match self.member(id).map(|member| &member.body) {
            Some(Body::Component(LocatedHook { file, .. })) => file.clone(),
            _ if self.settings.scripts.contains_key(id) => script_file(id),
            _ => native_file(id),
        }
    }
}

/// Creates the error of a native hook whose settings are wrong.
pub(crate) fn not_resolved(id: &str, fault: LoadFault) -> LoadError {
    LoadError::new(&native_file(id), Stage::Resolve, fault)
}

/// Returns the path by which errors refer to a native hook.
fn native_file(id: &str) -> PathBuf {
    PathBuf::from(format!("(native hook `{id}`)"))
}
