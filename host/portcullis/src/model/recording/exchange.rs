//! The requests of a running call, whose bodies are kept while they pass.

use std::sync::{Arc, Mutex, PoisonError};

use super::world::{Body, World, WorldRequest};

/// The most bytes of bodies of requests and responses of one call that are kept.
const MOST_BYTES: usize = 4 << 20;

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
