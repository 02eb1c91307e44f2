//! The requests of a running call, with their bodies as they are transferred.

#[cfg(feature = "http")]
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::world::{Body, World, WorldRequest};

/// The most bytes of bodies that are kept for one call, over all its requests and responses.
#[cfg(feature = "http")]
const MOST_BYTES: usize = 4 << 20;

/// A body that is kept while it is transferred. The default keeps nothing.
#[derive(Debug, Default)]
pub(crate) struct Passing {
    pieces: Vec<Vec<u8>>,
    /// The number of bytes that the bodies of the call may still add.
    #[cfg(feature = "http")]
    room: Option<Arc<AtomicUsize>>,
    /// Whether bytes were left out.
    over: bool,
    broken: bool,
}

/// The methods that transfer bodies use.
#[cfg(feature = "http")]
impl Passing {
    fn new(room: &Arc<AtomicUsize>) -> Self {
        Self {
            room: Some(room.clone()),
            ..Self::default()
        }
    }

    pub(crate) fn add(&mut self, piece: &[u8]) {
        let Some(room) = &self.room else {
            return;
        };
        let left = |room: usize| room.checked_sub(piece.len());
        let fits = room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        match fits {
            Ok(_) => self.pieces.push(piece.to_vec()),
            Err(_) => {
                // Later pieces would be kept without this one.
                room.store(0, Ordering::Relaxed);
                self.over = true;
            }
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

/// A request of a running call, shared with the code that transfers its bodies.
pub(crate) type SharedExchange = Arc<Mutex<Exchanged>>;

/// The requests of a running call.
#[derive(Debug, Default)]
pub(crate) struct Exchanges {
    begun: Vec<SharedExchange>,
    /// The number of bytes that the bodies may still add; `None` before the first request.
    #[cfg(feature = "http")]
    room: Option<Arc<AtomicUsize>>,
}

impl Exchanges {
    #[cfg(feature = "http")]
    pub(crate) fn begin(&mut self, request: WorldRequest) -> SharedExchange {
        let most = || Arc::new(AtomicUsize::new(MOST_BYTES));
        let room = self.room.get_or_insert_with(most);
        let exchange = Arc::new(Mutex::new(Exchanged {
            request,
            sent: Passing::new(room),
            received: Passing::new(room),
        }));
        self.begun.push(exchange.clone());
        exchange
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.begun.is_empty()
    }

    /// Moves the bodies so far into a world. Later pieces are not kept.
    pub(crate) fn end(&mut self, world: &mut World) {
        #[cfg(feature = "http")]
        {
            self.room = None;
        }
        for exchange in self.begun.drain(..) {
            let mut exchange = exchange.lock().unwrap_or_else(PoisonError::into_inner);
            let Exchanged {
                request,
                sent,
                received,
            } = std::mem::take(&mut *exchange);
            if sent.over || received.over {
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

#[cfg(all(test, feature = "http"))]
mod tests {
    use super::super::world::WorldResponse;
    use super::*;

    /// Adds a request to a call, with bodies of these lengths.
    fn exchange(exchanges: &mut Exchanges, sent: usize, received: usize) -> SharedExchange {
        let exchange = exchanges.begin(WorldRequest {
            response: Some(WorldResponse::default()),
            ..WorldRequest::default()
        });
        let mut held = exchange.lock().unwrap_or_else(PoisonError::into_inner);
        held.sent.add(&vec![b's'; sent]);
        held.received.add(&vec![b'r'; received]);
        drop(held);
        exchange
    }

    /// Returns the lengths of the bodies that are kept, and the reason that data is missing.
    fn ended(exchanges: &mut Exchanges) -> (Vec<[usize; 2]>, Option<String>) {
        let mut world = World::default();
        exchanges.end(&mut world);
        let kept = world.requests.iter().map(|request| {
            let response = request.response.as_ref();
            let received = response.map_or(0, |response| response.body.content().len());
            [request.body.content().len(), received]
        });
        (kept.collect(), world.missing)
    }

    #[test]
    fn the_bodies_of_a_call_share_their_room_until_a_piece_is_too_large() {
        const QUARTER: usize = MOST_BYTES / 4;
        let mut exchanges = Exchanges::default();
        exchange(&mut exchanges, QUARTER, QUARTER);
        exchange(&mut exchanges, QUARTER, QUARTER);
        let all = vec![[QUARTER; 2]; 2];
        assert_eq!(ended(&mut exchanges), (all, None));

        exchange(&mut exchanges, 2 * QUARTER, QUARTER);
        // The first piece does not fit, and the next would without it.
        exchange(&mut exchanges, 2 * QUARTER, 1);
        let kept = vec![[2 * QUARTER, QUARTER], [0, 0]];
        let missing = "more than 4 MiB of requests and responses".to_owned();
        assert_eq!(ended(&mut exchanges), (kept, Some(missing)));

        // The next call has the whole limit again.
        exchange(&mut exchanges, MOST_BYTES, 0);
        assert_eq!(ended(&mut exchanges), (vec![[MOST_BYTES, 0]], None));
    }

    #[test]
    fn what_passes_after_its_call_is_not_kept() {
        let mut exchanges = Exchanges::default();
        let late = exchange(&mut exchanges, 1, 1);
        assert_eq!(ended(&mut exchanges), (vec![[1, 1]], None));
        let mut late = late.lock().unwrap_or_else(PoisonError::into_inner);
        late.received.add(b"late");
        assert!(late.received.pieces.is_empty());
    }
}
