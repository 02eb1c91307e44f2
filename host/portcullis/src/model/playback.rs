//! A replay of recorded calls, in place of the real world.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use serde_json::Value;

use crate::model::http_responder::{HttpFailure, HttpResponder};
use crate::model::recording::{Body, InstanceCall, World, WorldRequest};

/// The time by which a clock advances on each reading after the recorded ones.
const STEP: u64 = 1_000;

/// A replay of recorded calls, for
/// [`EngineOptions::playback`](crate::limits::EngineOptions::playback): clocks, random numbers, the
/// model and servers return the recorded values. Cloning is cheap, and clones share one state. One
/// call runs at a time.
#[derive(Clone, Default)]
pub struct Playback(Arc<Mutex<Playing>>);

#[derive(Default)]
struct Playing {
    instance: InstanceCall,
    world: World,
    wall: usize,
    monotonic: usize,
    /// Whether each recorded call and request was played.
    calls: Vec<bool>,
    requests: Vec<bool>,
    last: (Duration, u64),
    /// The hook's requests that were not recorded.
    missing: Vec<String>,
}

impl Playback {
    /// Loads the recorded world of the next call.
    pub fn load(&self, instance: InstanceCall, world: World) {
        let mut playing = self.hold();
        *playing = Playing {
            instance,
            calls: vec![false; world.calls.len()],
            requests: vec![false; world.requests.len()],
            last: (
                world.wall.last().copied().unwrap_or_default(),
                world.monotonic.last().copied().unwrap_or_default(),
            ),
            world,
            ..Playing::default()
        };
    }

    /// Takes the list of the call's requests that were not recorded, each once, in order.
    pub fn take_missing(&self) -> Vec<String> {
        std::mem::take(&mut self.hold().missing)
    }

    pub(crate) fn wall(&self) -> Duration {
        let mut playing = self.hold();
        let read = playing.world.wall.get(playing.wall).copied();
        playing.wall += 1;
        read.unwrap_or_else(|| {
            playing.last.0 += Duration::from_nanos(STEP);
            playing.last.0
        })
    }

    pub(crate) fn monotonic(&self) -> u64 {
        let mut playing = self.hold();
        let read = playing.world.monotonic.get(playing.monotonic).copied();
        playing.monotonic += 1;
        read.unwrap_or_else(|| {
            playing.last.1 += STEP;
            playing.last.1
        })
    }

    /// Returns the instance's seed and the number of the instance's call.
    pub(crate) fn seed(&self) -> InstanceCall {
        self.hold().instance
    }

    /// Returns the recorded result of an import with these arguments: the first that was not played
    /// yet.
    pub(crate) fn returned(
        &self,
        interface: &str,
        function: &str,
        arguments: &Value,
    ) -> Option<Value> {
        let mut playing = self.hold();
        let Playing { world, calls, .. } = &mut *playing;
        let mut recorded = world.calls.iter().zip(calls.iter_mut());
        let found = recorded.find(|(call, played)| {
            !**played
                && call.interface == interface
                && call.function == function
                && call.arguments == *arguments
                && call.returned.is_some()
        });
        if let Some((call, played)) = found {
            *played = true;
            return call.returned.clone();
        }
        playing.misses(format!("a call of `{interface}` `{function}`"));
        None
    }

    fn hold(&self) -> MutexGuard<'_, Playing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Playing {
    fn misses(&mut self, what: String) {
        if !self.missing.contains(&what) {
            self.missing.push(what);
        }
    }

    /// Finds the recorded request with the same body, or else with the same address.
    fn find(&mut self, request: &Request<Bytes>) -> Option<WorldRequest> {
        let url = request.uri().to_string();
        let is_open = |index: usize, of: &[bool]| of.get(index) == Some(&false);
        let same = |recorded: &WorldRequest, body: bool| {
            recorded.method == request.method().as_str()
                && recorded.url == url
                && (!body || recorded.body.content() == &request.body()[..])
        };
        let find = |body| {
            let mut all = self.world.requests.iter().enumerate();
            all.find(|(index, recorded)| is_open(*index, &self.requests) && same(recorded, body))
                .map(|(index, recorded)| (index, recorded.clone()))
        };
        let (index, found) = find(true).or_else(|| find(false))?;
        if let Some(played) = self.requests.get_mut(index) {
            *played = true;
        }
        Some(found)
    }
}

impl HttpResponder for Playback {
    fn respond(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpFailure> {
        let mut playing = self.hold();
        let Some(recorded) = playing.find(&request) else {
            let what = format!("a request {} {}", request.method(), request.uri());
            playing.misses(what);
            return Err(HttpFailure::ConnectionRefused);
        };
        if let Some(failure) = &recorded.failure {
            return Err(HttpFailure::from_name(failure).unwrap_or(HttpFailure::ResponseIncomplete));
        }
        let Some(response) = recorded.response else {
            return Err(HttpFailure::ResponseTimeout);
        };
        Ok(response_of(
            response.status,
            &response.headers,
            &response.body,
        ))
    }
}

fn response_of(status: u16, headers: &[(String, String)], body: &Body) -> Response<Bytes> {
    let mut response = Response::new(Bytes::copy_from_slice(body.content()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().append(name, value);
        }
    }
    if !body.pieces.is_empty() || body.broken {
        // The pieces of the body, and whether it ended early.
        response.extensions_mut().insert(body.clone());
    }
    response
}

impl fmt::Debug for Playback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Playback")
    }
}

impl PartialEq for Playback {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Playback {}
