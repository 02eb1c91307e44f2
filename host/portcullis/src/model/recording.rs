//! A call of a component, with all that it takes to make it again without the world.
//!
//! What the guest reads of its call is shared data, so to record a call copies nothing; what it got of the world is kept
//! while it runs. Whoever takes a [`RecordedCall`] writes it down elsewhere, at leisure.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::Context;
use crate::model::call::{Call, CallData, Views};
use crate::model::file_tree::RecordedDirectory;
use crate::model::hook::{HookId, Profile};
use crate::model::named::name_of;
use crate::model::points::{Point, PointId};
use crate::model::secrets::Secrets;
use crate::model::verdict::{Digest, HookRun};
use crate::model::view::View;

/// The most readings of a clock, calls of imports and requests of one call that are kept, each.
const MOST: usize = 10_000;

/// The most bytes of bodies of requests and responses of one call that are kept.
const MOST_BYTES: usize = 4 << 20;

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

/// What a call got of the world, beside the data of the call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct World {
    /// The readings of the wall clock, as times since 1970.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wall: Vec<Duration>,
    /// The readings of the monotonic clock, in nanoseconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub monotonic: Vec<u64>,
    /// The calls of state, of shared state and of the model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<WorldCall>,
    /// The requests that were sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<WorldRequest>,
    /// What is missing, so that the call cannot be made again as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

impl World {
    /// Something that the call got is not here. The first reason stays.
    pub(crate) fn misses(&mut self, what: &str) {
        self.missing.get_or_insert_with(|| what.to_owned());
    }

    pub(crate) fn read_wall(&mut self, now: Duration) {
        match self.wall.len() < MOST {
            true => self.wall.push(now),
            false => self.misses("more than 10,000 readings of a clock"),
        }
    }

    pub(crate) fn read_monotonic(&mut self, now: u64) {
        match self.monotonic.len() < MOST {
            true => self.monotonic.push(now),
            false => self.misses("more than 10,000 readings of a clock"),
        }
    }

    pub(crate) fn called(&mut self, call: WorldCall) {
        match self.calls.len() < MOST {
            true => self.calls.push(call),
            false => self.misses("more than 10,000 calls of state"),
        }
    }
}

/// A call of an import whose result is the world's: state, shared state, the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct WorldCall {
    /// The interface, without its version: `portcullis:hooks/state`.
    pub interface: String,
    /// The function.
    pub function: String,
    /// The arguments, in a list.
    pub arguments: Value,
    /// What it returned, in a list of at most one value; `None` if it ended the call.
    pub returned: Option<Value>,
}

/// A request that was let through, and its result.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct WorldRequest {
    /// The method.
    pub method: String,
    /// The whole URL.
    pub url: String,
    /// The headers, in their order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Body,
    /// The response; `None` if the call ended before there was one.
    pub response: Option<WorldResponse>,
    /// How it failed without a response, by the names of [`HttpFailure`](crate::http::HttpFailure).
    pub failure: Option<String>,
}

/// A response.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct WorldResponse {
    /// The status.
    pub status: u16,
    /// The headers, in their order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Body,
}

/// A body, in the pieces in which it came.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Body {
    /// The body as text, if it is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The body as bytes, if it is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<u8>,
    /// The lengths of its pieces, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<usize>,
    /// Whether it broke off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub broken: bool,
}

impl Body {
    /// A body of these pieces.
    pub fn of(pieces: &[Vec<u8>], broken: bool) -> Self {
        let whole = pieces.concat();
        let (text, bytes) = match String::from_utf8(whole) {
            Ok(text) => ((!text.is_empty()).then_some(text), Vec::new()),
            Err(other) => (None, other.into_bytes()),
        };
        Self {
            text,
            bytes,
            pieces: match pieces.len() {
                0 | 1 => Vec::new(),
                _ => pieces.iter().map(Vec::len).collect(),
            },
            broken,
        }
    }

    /// Its bytes.
    pub fn content(&self) -> &[u8] {
        match &self.text {
            Some(text) => text.as_bytes(),
            None => &self.bytes,
        }
    }
}

/// A body that is being kept while it passes.
#[derive(Debug, Default)]
pub(crate) struct Passing {
    pieces: Vec<Vec<u8>>,
    bytes: usize,
    broken: bool,
}

impl Passing {
    /// Whether there was more than is kept.
    fn is_over(&self) -> bool {
        self.bytes > MOST_BYTES
    }
}

/// What passes them on.
#[cfg(feature = "http")]
impl Passing {
    pub(crate) fn add(&mut self, piece: &[u8]) {
        self.bytes += piece.len();
        if !self.is_over() {
            self.pieces.push(piece.to_vec());
        }
    }

    pub(crate) fn breaks(&mut self) {
        self.broken = true;
    }
}

/// A request of a running call.
#[derive(Debug, Default)]
pub(crate) struct Exchanged {
    pub(crate) request: WorldRequest,
    pub(crate) sent: Passing,
    pub(crate) received: Passing,
}

/// A request of a running call, shared with what passes its bodies on.
pub(crate) type SharedExchange = Arc<Mutex<Exchanged>>;

/// The requests of a running call.
#[derive(Debug, Default)]
pub(crate) struct Exchanges(Vec<SharedExchange>);

impl Exchanges {
    #[cfg(feature = "http")]
    pub(crate) fn begin(&mut self, request: WorldRequest) -> SharedExchange {
        let exchange = Arc::new(Mutex::new(Exchanged {
            request,
            ..Exchanged::default()
        }));
        self.0.push(exchange.clone());
        exchange
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts what passed so far into a world.
    pub(crate) fn end(&mut self, world: &mut World) {
        for exchange in self.0.drain(..) {
            let mut exchange = exchange.lock().unwrap_or_else(PoisonError::into_inner);
            let Exchanged {
                request,
                sent,
                received,
            } = std::mem::take(&mut *exchange);
            if sent.is_over() || received.is_over() {
                world.misses("more than 4 MiB of requests and responses");
            }
            let mut request = request;
            request.body = Body::of(&sent.pieces, sent.broken);
            if let Some(response) = &mut request.response {
                response.body = Body::of(&received.pieces, received.broken);
            }
            world.requests.push(request);
        }
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

/// What a component was set up with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ComponentSetup {
    /// Its configuration.
    pub config: Value,
    /// Its limits, by their keys in `hooks.toml`.
    pub limits: Value,
    /// Its grants, by their keys.
    pub grants: Value,
    /// How long its instances live, by the name in `hooks.toml`.
    pub isolation: Value,
    /// The views that it imports.
    pub views: Vec<View>,
    /// The secrets that are replaced by their names, with their lengths in bytes.
    pub secrets: std::collections::BTreeMap<String, usize>,
    /// Whether it was granted directories.
    #[serde(default)]
    pub files: bool,
}

/// How a hook was set up: what it was granted, and how the chain treats it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RecordedSetup {
    /// The hook.
    pub hook: HookId,
    /// The digest of its component.
    pub component: Option<Digest>,
    /// Its role, by its name in `hooks.toml`.
    pub role: String,
    /// What its failure means, by its name.
    pub failure: String,
    /// Whether its answers count, by its name.
    pub mode: String,
    /// How the agent waits for it, by its name.
    pub execution: String,
    /// What its component was set up with.
    #[serde(flatten)]
    pub of: ComponentSetup,
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

/// The data of a call at some point.
pub(crate) trait AnyInput: Send + Sync {
    fn point(&self) -> PointId;
    fn context(&self) -> &Context;
    fn views(&self) -> &Views;
    fn subject(&self, into: &mut Vec<u8>) -> serde_json::Result<()>;
    fn payload(self: Arc<Self>) -> serde_json::Result<Vec<u8>>;
    /// The digest of the payload.
    fn digest(self: Arc<Self>) -> Digest;
}

impl<P: Point> AnyInput for CallData<P> {
    fn point(&self) -> PointId {
        P::ID
    }

    fn context(&self) -> &Context {
        &self.context
    }

    fn views(&self) -> &Views {
        &self.views
    }

    fn subject(&self, into: &mut Vec<u8>) -> serde_json::Result<()> {
        serde_json::to_writer(into, &self.subject)
    }

    fn payload(self: Arc<Self>) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&P::payload(&Call::of(self)))
    }

    fn digest(self: Arc<Self>) -> Digest {
        Digest::of_payload(&P::payload(&Call::of(self)))
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
