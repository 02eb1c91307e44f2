//! A component that is ready to be instantiated, and what its instances may use.

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
    /// Where it runs.
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) info: ComponentInfo,
    pub(crate) pre: InstancePre<HookStore>,
    /// The instances that sessions share, where the operator says so.
    pub(crate) pools: Pools,
    pub(crate) setup: Setup,
    /// Whether it was reported that an instance was evicted.
    pub(crate) warned: Arc<Once>,
    /// What its compiled code has of the host's mappings.
    pub(crate) mapped: Arc<Mapped>,
}

/// The longest computing of a call that ends soon. A crash meanwhile loses that it began.
const SOON: Duration = Duration::from_millis(100);

impl Component {
    /// Whether its calls end soon once they have begun: they cannot wait, and may not compute for long.
    pub(crate) fn ends_soon(&self) -> bool {
        self.info.calling == CallMode::Sync && self.setup.limits.deadline <= SOON
    }

    /// Reports, the first time, that an instance was evicted and another started in its place.
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

/// What the instances of a component may use, and how long they live.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setup {
    pub(crate) id: HookId,
    /// What its calls are for, which decides when they are let in.
    pub(crate) purpose: Purpose,
    pub(crate) isolation: Isolation,
    pub(crate) write_state: WriteState,
    pub(crate) limits: Limits,
    pub(crate) config: Config,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) directories: Arc<[Directory]>,
    /// Where it may send requests, if it imports what they are made with.
    pub(crate) egress: Option<Arc<Egress>>,
    /// The views that it imports.
    pub(crate) views: Vec<View>,
}

impl Setup {
    /// What a recording has of it.
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

    /// What the operator gives it, as far as its calls may fail for it: its limits, its grants and its configuration.
    pub(crate) fn digest(&self) -> Digest {
        let given = (&self.limits, &*self.grants, self.config.whole());
        Digest::of(&serde_json::to_vec(&given).unwrap_or_default())
    }

    /// Of a hook that was granted nothing.
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
