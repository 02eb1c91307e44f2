//! A call of a component, with all that it takes to make it again without the world.
//!
//! What the guest reads of its call is shared data, so to record a call copies nothing; what it got of the world is kept
//! while it runs. Whoever takes a [`RecordedCall`] writes it down elsewhere, at leisure.

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

/// Whether the calls of components are recorded, with all that it takes to make them again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CallRecording {
    /// They are not.
    #[default]
    Off,
    /// They are, but for what is in the directories that hooks are granted.
    Calls,
    /// They are, and so is what is in the directories, if all files that a hook can read there have no more bytes together.
    WithDirectories(NonZeroUsize),
}

impl CallRecording {
    /// Whether calls are recorded.
    pub fn is_on(self) -> bool {
        self != Self::Off
    }
}

/// Which call of which instance it was. Instances keep their memory from call to call, so a call is made again as the
/// same call of an instance that had the calls before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct InstanceCall {
    /// The opening of the session whose private state it had: a number that is unique in the process.
    pub opening: u64,
    /// The instance: a number that is unique in the process.
    pub instance: u64,
    /// The number of the call among those of the instance, from 0. The first includes the start.
    pub call: u64,
    /// What the random numbers of the instance are made from.
    pub seed: [u64; 2],
}

/// What a component adds to its answer where calls are recorded.
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

/// A call of a component that has ended, with all that it takes to make it again. It shares the data of the call; what is
/// asked of it is written when it is asked for.
pub struct RecordedCall {
    /// When it began, since 1970.
    pub at: Duration,
    /// The session.
    pub session: Arc<str>,
    /// The instance.
    pub instance: InstanceCall,
    /// What it got of the world.
    pub world: World,
    /// The directories that it was granted, if they are recorded.
    pub directories: Vec<RecordedDirectory>,
    /// How it went.
    pub run: HookRun,
    /// What the hook asked, answered, or ended the turn with, as JSON.
    pub said: Option<Vec<u8>>,
    pub(crate) setup: Arc<ComponentSetup>,
    pub(crate) profile: Arc<Profile>,
    pub(crate) secrets: Arc<Secrets>,
    pub(crate) input: Arc<dyn AnyInput>,
    /// The call as the hook left it, if it changed it.
    pub(crate) after: Option<Arc<dyn AnyInput>>,
}

impl RecordedCall {
    /// The point.
    pub fn point(&self) -> PointId {
        self.input.point()
    }

    /// Where in the agent's life it was.
    pub fn context(&self) -> &Context {
        self.input.context()
    }

    /// What the hook could see.
    pub fn views(&self) -> &Views {
        self.input.views()
    }

    /// The views that the hook imports.
    pub fn imported_views(&self) -> &[View] {
        &self.setup.views
    }

    /// Writes what the call was about, as JSON with the names of Rust.
    ///
    /// # Errors
    ///
    /// JSON cannot say it.
    pub fn subject(&self, into: &mut Vec<u8>) -> serde_json::Result<()> {
        self.input.subject(into)
    }

    /// The value as the hook left it, as JSON; `None` if it changed nothing.
    ///
    /// # Errors
    ///
    /// JSON cannot say it.
    pub fn value(&self) -> serde_json::Result<Option<Vec<u8>>> {
        let after = self.after.clone();
        after.map(AnyInput::payload).transpose()
    }

    /// The secrets that hooks of its host were granted, which must not be written down.
    pub fn secrets(&self) -> &Arc<Secrets> {
        &self.secrets
    }

    /// The data that it shares with other calls, to keep it in memory: its addresses identify it for so long.
    pub fn shared(&self) -> SharedData {
        SharedData {
            _setup: self.setup.clone(),
            _profile: self.profile.clone(),
            _secrets: self.secrets.clone(),
            _input: self.input.clone(),
            _directories: self.directories.clone(),
        }
    }

    /// A number that two calls share only if they have one setup in memory, while either is held.
    pub fn setup_key(&self) -> (usize, usize) {
        (
            Arc::as_ptr(&self.setup).addr(),
            Arc::as_ptr(&self.profile).addr(),
        )
    }

    /// How the hook was set up.
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
