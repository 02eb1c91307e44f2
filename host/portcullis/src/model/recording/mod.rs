//! A component call, with all data needed to replay it without the world.
//!
//! The guest's input is shared data, so recording a call copies nothing. Data from the world is
//! kept while the call runs. The owner of a [`RecordedCall`] writes it elsewhere, later.

mod exchange;
mod input;
mod setup;
mod world;

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::contract::Context;
use crate::model::call::Views;
use crate::model::file_tree::RecordedDirectory;
use crate::model::hook::Profile;
use crate::model::named::name_of;
use crate::model::points::PointId;
use crate::model::secrets::Secrets;
use crate::model::verdict::HookRun;
use crate::model::view::View;

pub(crate) use exchange::Exchanges;
#[cfg(feature = "http")]
pub(crate) use exchange::{Exchanged, SharedExchange};
pub(crate) use input::AnyInput;
pub use setup::{ComponentSetup, RecordedSetup};
pub(crate) use world::MOST_CALL_BYTES;
pub use world::{Body, World, WorldCall, WorldRequest, WorldResponse};

/// Whether component calls are recorded, with all data needed to replay them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CallRecording {
    /// Calls are not recorded.
    #[default]
    Off,
    /// Calls are recorded without the contents of the directories that hooks are granted.
    Calls,
    /// Calls are recorded with the contents of directories, if all files that a hook can read there
    /// have at most this many bytes together.
    WithDirectories(NonZeroUsize),
}

impl CallRecording {
    /// Returns whether calls are recorded.
    pub fn is_on(self) -> bool {
        self != Self::Off
    }
}

/// The number of a call and its instance. Instances keep their memory from call to call. A replay
/// therefore runs a call as the same call of an instance that has had the earlier calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct InstanceCall {
    /// The opening of the session that owned the private state: a number that is unique in the
    /// process.
    pub opening: u64,
    /// The instance: a number that is unique in the process.
    pub instance: u64,
    /// The number of the call in its instance, from 0. The first includes the start.
    pub call: u64,
    /// The seed of the instance's random numbers.
    pub seed: [u64; 2],
}

/// The data that a component adds to its answer if calls are recorded.
pub(crate) struct Recording {
    pub(crate) setup: Arc<ComponentSetup>,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) instance: InstanceCall,
    pub(crate) world: World,
    pub(crate) directories: Vec<RecordedDirectory>,
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("instance", &self.instance)
            .finish_non_exhaustive()
    }
}

/// A completed component call, with all data needed to replay it. It shares the data of the call;
/// its methods serialize a value when they are called.
pub struct RecordedCall {
    /// The start of the call, since 1970.
    pub at: Duration,
    /// The session.
    pub session: Arc<str>,
    /// The instance.
    pub instance: InstanceCall,
    /// The data that the call received from the world.
    pub world: World,
    /// The directories that the hook was granted, if they are recorded.
    pub directories: Vec<RecordedDirectory>,
    /// The run's record.
    pub run: HookRun,
    /// The hook's question, its answer, or its reason to end the turn, as JSON.
    pub said: Option<Vec<u8>>,
    pub(crate) setup: Arc<ComponentSetup>,
    pub(crate) profile: Arc<Profile>,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) input: Arc<dyn AnyInput>,
    /// The call after the hook's change, if there was one.
    pub(crate) after: Option<Arc<dyn AnyInput>>,
}

impl RecordedCall {
    /// Returns the point.
    pub fn point(&self) -> PointId {
        self.input.point()
    }

    /// Returns the call's session, agent, turn and step.
    pub fn context(&self) -> &Context {
        self.input.context()
    }

    /// Returns the data that the hook could see.
    pub fn views(&self) -> &Views {
        self.input.views()
    }

    /// Returns the views that the hook imports.
    pub fn imported_views(&self) -> &[View] {
        &self.setup.views
    }

    /// Writes the call's subject as JSON with its Rust names.
    ///
    /// # Errors
    ///
    /// JSON cannot express the subject.
    pub fn subject(&self, into: &mut Vec<u8>) -> serde_json::Result<()> {
        self.input.subject(into)
    }

    /// Returns the value as the hook left it, as JSON; `None` if the hook changed nothing.
    ///
    /// # Errors
    ///
    /// JSON cannot express the value.
    pub fn value(&self) -> serde_json::Result<Option<Vec<u8>>> {
        let after = self.after.clone();
        after.map(AnyInput::payload).transpose()
    }

    /// Returns the secrets that the host's hooks were granted. They must not be written down.
    pub fn secrets(&self) -> &Arc<Secrets> {
        &self.secrets
    }

    /// Returns the data shared with other calls. While it is kept in memory, the addresses of its
    /// parts identify them.
    pub fn shared(&self) -> SharedData {
        SharedData {
            _setup: self.setup.clone(),
            _profile: self.profile.clone(),
            _secrets: self.secrets.clone(),
            _input: self.input.clone(),
            _directories: self.directories.clone(),
        }
    }

    /// Returns a key that is equal for two calls only if they share one setup in memory, while
    /// either call is held.
    pub fn setup_key(&self) -> (usize, usize) {
        (
            Arc::as_ptr(&self.setup).addr(),
            Arc::as_ptr(&self.profile).addr(),
        )
    }

    /// Returns the hook's setup.
    pub fn setup(&self) -> RecordedSetup {
        let profile = &*self.profile;
        RecordedSetup {
            hook: profile.id.clone(),
            component: profile.component,
            role: name_of(profile.role).to_owned(),
            failure: name_of(profile.failure).to_owned(),
            mode: self.run.mode.name().to_owned(),
            execution: name_of(profile.execution).to_owned(),
            of: (*self.setup).clone(),
        }
    }
}

/// The data that a recorded call shares with others, kept in memory: see [`RecordedCall::shared`].
pub struct SharedData {
    _setup: Arc<ComponentSetup>,
    _profile: Arc<Profile>,
    _secrets: Arc<Secrets>,
    _input: Arc<dyn AnyInput>,
    _directories: Vec<RecordedDirectory>,
}

impl fmt::Debug for RecordedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordedCall")
            .field("session", &self.session)
            .field("instance", &self.instance)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}
