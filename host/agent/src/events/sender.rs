//! The channel of events.

use std::fmt;
use std::sync::Arc;

use tokio::sync::broadcast;

use super::{AgentEvent, Emitted, Position, Tracer};

/// How many events a slow subscriber may fall behind before it loses the oldest.
const CAPACITY: usize = 1024;

/// The sending end. Cheap to clone; all clones have the same subscribers.
#[derive(Clone)]
pub struct EventSender {
    channel: broadcast::Sender<Arc<Emitted>>,
    /// Takes each event as it happens.
    tracer: Option<Arc<dyn Tracer>>,
}

impl fmt::Debug for EventSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventSender")
            .field("channel", &self.channel)
            .field("is_traced", &self.tracer.is_some())
            .finish()
    }
}

impl Default for EventSender {
    fn default() -> Self {
        Self::new()
    }
}

impl EventSender {
    /// A channel without subscribers.
    pub fn new() -> Self {
        Self {
            channel: broadcast::Sender::new(CAPACITY),
            tracer: None,
        }
    }

    /// The same channel, whose events are recorded as spans too.
    pub(crate) fn traced(self, tracer: Arc<dyn Tracer>) -> Self {
        Self {
            tracer: Some(tracer),
            ..self
        }
    }

    /// Returns the span recorder.
    pub(crate) fn tracer(&self) -> Option<&Arc<dyn Tracer>> {
        self.tracer.as_ref()
    }

    /// A new subscriber. It receives the events emitted from now on.
    pub fn subscribe(&self) -> EventReceiver {
        EventReceiver {
            channel: self.channel.subscribe(),
            lost: 0,
        }
    }

    /// Whether there is a subscriber.
    pub fn is_heard(&self) -> bool {
        self.channel.receiver_count() > 0
    }

    /// Emits the event that `event` builds. `event` is called only if there is a subscriber or a
    /// [`Tracer`].
    pub fn emit(&self, event: impl FnOnce() -> Emitted) {
        let is_heard = self.is_heard();
        if !is_heard && self.tracer.is_none() {
            return;
        }
        let event = event();
        if let Some(tracer) = &self.tracer {
            tracer.emitted(&event);
        }
        if is_heard {
            // The last subscriber may have left since.
            let _ = self.channel.send(Arc::new(event));
        }
    }

    /// Emits an event at this position. `event` is called only if there is a subscriber.
    pub(crate) fn emit_at(&self, position: &Position, event: impl FnOnce() -> AgentEvent) {
        self.emit(|| {
            let Position {
                session_id,
                turn,
                step,
            } = position;
            Emitted::new(session_id.clone(), *turn, *step, event())
        });
    }
}

/// The receiving end.
#[derive(Debug)]
pub struct EventReceiver {
    channel: broadcast::Receiver<Arc<Emitted>>,
    lost: u64,
}

impl EventReceiver {
    /// The next event, or `None` once every [`EventSender`] is gone.
    pub async fn next(&mut self) -> Option<Arc<Emitted>> {
        loop {
            match self.channel.recv().await {
                Ok(event) => return Some(event),
                Err(broadcast::error::RecvError::Lagged(n)) => self.lost += n,
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }

    /// The next event, or `None` if none is waiting.
    pub fn try_next(&mut self) -> Option<Arc<Emitted>> {
        loop {
            match self.channel.try_recv() {
                Ok(event) => return Some(event),
                Err(broadcast::error::TryRecvError::Lagged(n)) => self.lost += n,
                Err(_) => return None,
            }
        }
    }

    /// The number of events lost because this subscriber fell more than 1,024 behind.
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(turn: u32) -> Emitted {
        Emitted::new("s".into(), turn, 0, AgentEvent::TurnStarted)
    }

    #[test]
    fn events_without_a_subscriber_are_not_built() {
        let events = EventSender::new();
        events.emit(|| unreachable!("there is no subscriber"));
        let mut heard = events.subscribe();
        events.emit(|| started(1));
        drop(events.clone());
        assert_eq!(heard.try_next().map(|event| event.turn), Some(1));
        assert!(heard.try_next().is_none());
        drop(heard);
        events.emit(|| unreachable!("there is no subscriber any more"));
    }

    #[test]
    fn a_slow_subscriber_knows_what_it_lost() {
        let events = EventSender::new();
        let mut heard = events.subscribe();
        for turn in 0..CAPACITY as u32 + 10 {
            events.emit(|| started(turn));
        }
        assert_eq!(heard.try_next().map(|event| event.turn), Some(10));
        assert_eq!(heard.lost(), 10);
    }
}
