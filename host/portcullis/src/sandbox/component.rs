//! A component that is ready to be instantiated, and the setup of its instances.

use std::sync::{Arc, Once};
use std::time::Duration;

use serde_json::Value;
use wasmtime::component::InstancePre;

use super::capabilities::directories::Directory;
use super::capabilities::http::Egress;
use super::capabilities::{CallMode, Config, Grants};
use super::engine::Runtime;
use super::info::ComponentInfo;
use super::mappings::Mapped;
use super::pool::Pools;
use super::store::HookStore;
use crate::model::hook::HookId;
use crate::model::isolation::Isolation;
use crate::model::limits::Limits;
use crate::model::named::name_of;
use crate::model::purpose::Purpose;
use crate::model::recording::ComponentSetup;
use crate::model::secrets::Secrets;
use crate::model::state::WriteState;
use crate::model::verdict::Digest;
use crate::model::view::View;

/// A component that is ready to be instantiated.
#[derive(Clone)]
pub(crate) struct Component {
    /// The runtime that runs the component.
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) info: ComponentInfo,
    pub(crate) pre: InstancePre<HookStore>,
    /// The instances that sessions share, if the operator configured sharing.
    pub(crate) pools: Pools,
    pub(crate) setup: Setup,
    /// Whether the eviction of an instance was reported.
    pub(crate) warned: Arc<Once>,
    /// The mappings of the compiled code.
    pub(crate) mapped: Arc<Mapped>,
}

/// The longest compute time of a call that ends soon. A crash during the call loses the record of
/// the call's start.
const SOON: Duration = Duration::from_millis(100);

impl Component {
    /// Returns whether the component's calls end soon after their start: they cannot wait, and may
    /// not compute for long.
    pub(crate) fn ends_soon(&self) -> bool {
        self.info.calling == CallMode::Sync && self.setup.limits.deadline <= SOON
    }

    /// Reports once that an instance was evicted and another one was started in its place.
    #[cold]
    pub(crate) fn warn_of_restart(&self) {
        self.warned.call_once(|| {
            tracing::warn!(
                hook = %self.setup.id,
                "its instance was evicted, and what it kept in its memory is lost. Give instances \
                 more ([engine] memory-mappings, vm.max_map_count, memory-bytes). Said once; each run that \
                 begins so is `restarted`"
            );
        });
    }
}

/// The setup of a component's instances: their grants, their limits and their lifetime.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setup {
    pub(crate) id: HookId,
    /// The purpose of the hook's calls, which decides when they are admitted.
    pub(crate) purpose: Purpose,
    pub(crate) isolation: Isolation,
    pub(crate) write_state: WriteState,
    pub(crate) limits: Limits,
    pub(crate) config: Config,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) directories: Arc<[Directory]>,
    /// The servers that the hook may send requests to, if it imports `wasi:http`.
    pub(crate) egress: Option<Arc<Egress>>,
    /// The views that the hook imports.
    pub(crate) views: Vec<View>,
}

impl Setup {
    /// Returns the setup as a recording stores it.
    pub(crate) fn recorded(&self, secrets: &Secrets) -> ComponentSetup {
        let value = |value: serde_json::Result<Value>| value.unwrap_or_default();
        ComponentSetup {
            config: value(serde_json::from_str(self.config.whole())),
            limits: value(serde_json::to_value(&self.limits)),
            grants: value(serde_json::to_value(&*self.grants)),
            isolation: name_of(self.isolation).into(),
            views: self.views.clone(),
            secrets: secrets.lengths(),
            files: !self.directories.is_empty(),
        }
    }

    /// Returns the digest of the operator's settings that can make the hook's calls fail: its
    /// limits, its grants and its configuration.
    pub(crate) fn digest(&self) -> Digest {
        let given = (&self.limits, &*self.grants, self.config.whole());
        Digest::of(&serde_json::to_vec(&given).unwrap_or_default())
    }

    /// Creates the setup of a hook without grants.
    pub(crate) fn new(id: HookId, purpose: Purpose, limits: Limits) -> Self {
        Self {
            id,
            purpose,
            isolation: Isolation::default(),
            write_state: WriteState::default(),
            limits,
            config: Config::default(),
            secrets: Arc::default(),
            grants: Arc::default(),
            directories: Arc::from([]),
            egress: None,
            views: Vec::new(),
        }
    }
}
