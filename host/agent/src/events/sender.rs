//! The channel events go through.

use std::sync::Arc;

use tokio::sync::broadcast;

use super::Emitted;

/// How many events a slow subscriber may fall behind before it loses the oldest.
const CAPACITY: usize = 1024;

/// Where events go in. Cheap to clone; all clones feed the same subscribers.
#[derive(Debug, Clone)]
pub struct EventSender {
    channel: broadcast::Sender<Arc<Emitted>>,
}

impl Default for EventSender {
    fn default() -> Self {
        Self::new()
    }
}

impl EventSender {
    /// A channel that nobody listens to yet.
    pub fn new() -> Self {
        Self {
            channel: broadcast::Sender::new(CAPACITY),
        }
    }

    /// A new subscriber. It receives what is emitted from now on.
    pub fn subscribe(&self) -> EventReceiver {
        EventReceiver {
            channel: self.channel.subscribe(),
            lost: 0,
        }
    }

    /// Whether anybody listens.
    pub fn is_heard(&self) -> bool {
        self.channel.receiver_count() > 0
    }

    /// Emits what `event` builds. It is not called while nobody listens.
    pub fn emit(&self, event: impl FnOnce() -> Emitted) {
        if self.is_heard() {
            // The last subscriber may have left since; then nobody wants it.
            let _ = self.channel.send(Arc::new(event()));
        }
    }
}

/// Where events come out.
#[derive(Debug)]
pub struct EventReceiver {
    channel: broadcast::Receiver<Arc<Emitted>>,
    lost: u64,
}

impl EventReceiver {
    /// The next event, or nothing once every [`EventSender`] is gone.
    pub async fn next(&mut self) -> Option<Arc<Emitted>> {
        loop {
            match self.channel.recv().await {
                Ok(event) => return Some(event),
                Err(broadcast::error::RecvError::Lagged(n)) => self.lost += n,
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }

    /// The next event, or nothing if none is waiting.
    pub fn try_next(&mut self) -> Option<Arc<Emitted>> {
        loop {
            match self.channel.try_recv() {
                Ok(event) => return Some(event),
                Err(broadcast::error::TryRecvError::Lagged(n)) => self.lost += n,
                Err(_) => return None,
            }
        }
    }

    /// How many events were lost because this subscriber fell more than 1,024 behind.
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::AgentEvent;

    fn started(turn: u32) -> Emitted {
        Emitted::new("s".into(), turn, 0, AgentEvent::TurnStarted)
    }

    #[test]
    fn unheard_events_are_not_built() {
        let events = EventSender::new();
        events.emit(|| unreachable!("nobody listens"));
        let mut heard = events.subscribe();
        events.emit(|| started(1));
        drop(events.clone());
        assert_eq!(heard.try_next().map(|event| event.turn), Some(1));
        assert!(heard.try_next().is_none());
        drop(heard);
        events.emit(|| unreachable!("nobody listens any more"));
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
