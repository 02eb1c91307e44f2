//! The recording and the replay of the outside world that an instance's calls see.

use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rand_core::{Rng as _, TryRng};
use serde_json::Value;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtxBuilder};

use crate::contract::linked::{self, Replay, TapedInterface, bare};
use crate::model::playback::Playback;
use crate::model::recording::{
    CallRecording, ComponentSetup, Exchanges, InstanceCall, MOST_CALL_BYTES, Recording, World,
    WorldCall,
};
use crate::model::secrets::{AllSecrets, Secrets};

/// The tape of an instance's calls.
pub(crate) struct Tape {
    reel: Arc<Reel>,
    setup: Arc<ComponentSetup>,
    /// The secrets of all hooks when `setup` was made.
    secrets: Arc<Secrets>,
    all: Arc<AllSecrets>,
}

/// The state that the instance's clocks, random numbers and imports share.
pub(crate) struct Reel {
    /// Whether calls are recorded; otherwise they are only played.
    keeps: bool,
    /// Whether listings of directories are sorted by name.
    #[cfg_attr(
        not(unix),
        expect(dead_code, reason = "only Unix has listings of ours")
    )]
    orders: bool,
    kept: Mutex<Kept>,
    playback: Option<Playback>,
    /// The time when the monotonic clock began.
    begun: Instant,
}

struct Kept {
    instance: InstanceCall,
    world: World,
    /// The bytes of arguments and results of imports that the call may still record.
    room: usize,
    exchanges: Exchanges,
    drawn: Drawn,
}

/// The number of bytes of each kind of random numbers that a call has drawn.
#[derive(Default)]
struct Drawn {
    call: u64,
    secure: u64,
    insecure: u64,
}

/// The functions that requests use.
#[cfg(feature = "http")]
impl Reel {
    /// Returns whether requests are recorded.
    pub(crate) fn keeps(&self) -> bool {
        self.keeps
    }

    /// Notes that a request is sent.
    pub(crate) fn sends(
        &self,
        request: crate::model::recording::WorldRequest,
    ) -> crate::model::recording::SharedExchange {
        self.hold().exchanges.begin(request)
    }
}

impl Reel {
    /// Creates the reel of a new instance. `None` if its calls are neither recorded nor played.
    pub(crate) fn new(
        opening: u64,
        records: CallRecording,
        playback: Option<&Playback>,
    ) -> Option<Arc<Self>> {
        static INSTANCES: AtomicU64 = AtomicU64::new(1);
        let keeps = records.is_on();
        if !keeps && playback.is_none() {
            return None;
        }
        let mut random = wasmtime_wasi::random::thread_rng();
        let instance = match playback {
            Some(playback) => playback.seed(),
            None => InstanceCall {
                opening,
                instance: INSTANCES.fetch_add(1, Ordering::Relaxed),
                call: 0,
                seed: [random.next_u64(), random.next_u64()],
            },
        };
        Some(Arc::new(Self {
            keeps,
            orders: playback.is_some() || matches!(records, CallRecording::WithDirectories(_)),
            kept: Mutex::new(Kept {
                instance,
                world: World::default(),
                room: MOST_CALL_BYTES,
                exchanges: Exchanges::default(),
                drawn: Drawn::default(),
            }),
            playback: playback.cloned(),
            begun: Instant::now(),
        }))
    }

    fn hold(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the opening whose private state the next calls use.
    pub(crate) fn bind(&self, opening: u64) {
        self.hold().instance.opening = opening;
    }

    fn wall(&self) -> Duration {
        let now = match &self.playback {
            Some(playback) => playback.wall(),
            None => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default(),
        };
        if self.keeps {
            self.hold().world.read_wall(now);
        }
        now
    }

    fn monotonic(&self) -> u64 {
        let now = match &self.playback {
            Some(playback) => playback.monotonic(),
            None => u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX),
        };
        if self.keeps {
            self.hold().world.read_monotonic(now);
        }
        now
    }

    fn draw(&self, kind: Kind, into: &mut [u8]) {
        let mut kept = self.hold();
        let instance = match &self.playback {
            Some(playback) => playback.seed(),
            None => kept.instance,
        };
        if kept.drawn.call != instance.call {
            kept.drawn = Drawn {
                call: instance.call,
                ..Drawn::default()
            };
        }
        let drawn = match kind {
            Kind::Secure => &mut kept.drawn.secure,
            Kind::Insecure => &mut kept.drawn.insecure,
        };
        let mut reader = stream(kind, instance);
        reader.set_position(*drawn);
        reader.fill(into);
        *drawn = drawn.saturating_add(into.len() as u64);
    }

    /// Gives clocks and random numbers to an instance.
    pub(crate) fn give(self: &Arc<Self>, builder: &mut WasiCtxBuilder) {
        let random = |kind| Random {
            reel: self.clone(),
            kind,
        };
        let seed = match &self.playback {
            Some(playback) => playback.seed().seed,
            None => self.hold().instance.seed,
        };
        let [high, low] = seed;
        builder
            .wall_clock(Wall(self.clone()))
            .monotonic_clock(Monotonic(self.clone()))
            .secure_random(random(Kind::Secure))
            .insecure_random(random(Kind::Insecure))
            .insecure_random_seed(u128::from(high) << 64 | u128::from(low.rotate_left(17)));
    }
}

/// Returns the random numbers of a call. They cannot be derived from those of another call or
/// another instance.
fn stream(kind: Kind, instance: InstanceCall) -> blake3::OutputReader {
    let [high, low] = instance.seed;
    let mut hasher = blake3::Hasher::new_derive_key("portcullis recorded random numbers 1");
    hasher.update(&high.to_le_bytes());
    hasher.update(&low.to_le_bytes());
    hasher.update(&instance.call.to_le_bytes());
    hasher.update(&[kind as u8]);
    hasher.finalize_xof()
}

#[derive(Clone, Copy)]
enum Kind {
    Secure,
    Insecure,
}

struct Wall(Arc<Reel>);

impl HostWallClock for Wall {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        self.0.wall()
    }
}

struct Monotonic(Arc<Reel>);

impl HostMonotonicClock for Monotonic {
    fn resolution(&self) -> u64 {
        1
    }

    fn now(&self) -> u64 {
        self.0.monotonic()
    }
}

struct Random {
    reel: Arc<Reel>,
    kind: Kind,
}

impl TryRng for Random {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.reel.draw(self.kind, &mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.reel.draw(self.kind, &mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, into: &mut [u8]) -> Result<(), Infallible> {
        self.reel.draw(self.kind, into);
        Ok(())
    }
}

impl Tape {
    pub(crate) fn new(
        reel: Arc<Reel>,
        setup: ComponentSetup,
        secrets: Arc<Secrets>,
        all: &Arc<AllSecrets>,
    ) -> Self {
        Self {
            reel,
            setup: Arc::new(setup),
            secrets,
            all: all.clone(),
        }
    }

    /// Returns whether listings of directories are sorted by name.
    #[cfg(unix)]
    pub(crate) fn orders(&self) -> bool {
        self.reel.orders
    }

    pub(crate) fn reel(&self) -> &Arc<Reel> {
        &self.reel
    }

    /// Ends the call. Returns its recording.
    pub(crate) fn take(&mut self) -> Option<Box<Recording>> {
        let mut kept = self.reel.hold();
        let mut world = std::mem::take(&mut kept.world);
        kept.room = MOST_CALL_BYTES;
        if !kept.exchanges.is_empty() {
            kept.exchanges.end(&mut world);
        }
        let instance = kept.instance;
        kept.instance.call += 1;
        drop(kept);
        if !self.reel.keeps {
            return None;
        }
        self.learn();
        Some(Box::new(Recording {
            setup: self.setup.clone(),
            secrets: self.secrets.clone(),
            instance,
            world,
            directories: Vec::new(),
        }))
    }

    /// Learns the secrets of hooks that were loaded since: they may be in this hook's inputs.
    fn learn(&mut self) {
        let all = self.all.get();
        if !Arc::ptr_eq(&all, &self.secrets) {
            Arc::make_mut(&mut self.setup).secrets = all.lengths();
            self.secrets = all;
        }
    }
}

impl linked::Tape for Reel {
    fn returned(&self, interface: &str, function: &str, arguments: &Value) -> Option<Value> {
        let playback = self.playback.as_ref()?;
        playback.returned(bare(interface), function, arguments)
    }

    fn is_played(&self, interface: &str) -> bool {
        let replay = TapedInterface::of(interface).map(TapedInterface::replay);
        self.playback.is_some() && replay == Some(Replay::Played)
    }

    fn room(&self) -> usize {
        match self.keeps {
            true => self.hold().room,
            false => 0,
        }
    }

    fn overflow(&self) {
        if self.keeps {
            let mut kept = self.hold();
            // Later calls would be recorded without the one before them.
            kept.room = 0;
            kept.world.called_with_more();
        }
    }

    fn keep(
        &self,
        interface: &str,
        function: &str,
        arguments: Value,
        returned: Option<Value>,
        bytes: usize,
    ) {
        if self.keeps {
            let mut kept = self.hold();
            kept.room = kept.room.saturating_sub(bytes);
            kept.world.called(WorldCall {
                interface: bare(interface).to_owned(),
                function: function.to_owned(),
                arguments,
                returned,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::linked::Tape as _;
    use super::*;

    const STATE: &str = "portcullis:hooks/state@1.0.0";

    #[test]
    fn calls_of_imports_share_their_room_until_one_is_too_large() {
        let reel = Reel::new(1, CallRecording::Calls, None).expect("a reel");
        let keep = |bytes| reel.keep(STATE, "get", json!(["key"]), Some(json!([null])), bytes);
        keep(1_000);
        keep(2_000);
        assert_eq!(reel.room(), MOST_CALL_BYTES - 3_000);
        assert_eq!(reel.hold().world.missing, None);

        reel.overflow();
        assert_eq!(reel.room(), 0);
        let world = reel.hold().world.clone();
        assert_eq!(world.calls.len(), 2);
        let missing = "more than 4 MiB of arguments and results of state";
        assert_eq!(world.missing.as_deref(), Some(missing));
    }

    #[test]
    fn a_reel_that_does_not_record_has_no_room() {
        let playback = Playback::default();
        let reel = Reel::new(1, CallRecording::Off, Some(&playback)).expect("a reel");
        reel.overflow();
        assert_eq!(reel.room(), 0);
        assert_eq!(reel.hold().world, World::default());
    }
}
