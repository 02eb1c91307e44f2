//! Hook events of other agents.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use portcullis_bridge::Bridge;
use portcullis_dialects::{AnsweredEvent, Event, UnansweredEvent, answer_in_trace, failure};
use portcullis_telemetry::EntryContext;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// The sessions with recent events, by id.
#[derive(Default)]
pub(crate) struct Events(Mutex<HashMap<String, Arc<Session>>>);

struct Session {
    /// Held by the event that is being answered.
    turn: Arc<AsyncMutex<()>>,
    /// The time at which the last event was answered.
    used: Mutex<Instant>,
}

/// An event that is being answered, or waits for earlier events of its session.
struct Turn {
    session: Arc<Session>,
    _held: OwnedMutexGuard<()>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        *self.session.used.lock() = Instant::now();
    }
}

impl Events {
    /// Answers an event after the earlier events of its session. The hooks' state is saved before the agent
    /// continues: a budget that is not saved limits nothing.
    pub(crate) async fn answer(
        &self,
        event: &Event,
        bridge: &Bridge,
        within: Option<&EntryContext>,
    ) -> Result<AnsweredEvent, UnansweredEvent> {
        let turn = self.turn(event.session()).await;
        let answered = saved(event, bridge, within).await;
        drop(turn);
        answered
    }

    async fn turn(&self, id: &str) -> Turn {
        let session = self.0.lock().entry(id.to_owned()).or_default().clone();
        let held = session.turn.clone().lock_owned().await;
        Turn {
            session,
            _held: held,
        }
    }

    /// Returns the ids of the sessions that had no event for `idle` and have none now.
    pub(crate) fn idle(&self, idle: Duration) -> Vec<String> {
        let sessions = self.0.lock();
        let idle = sessions.iter().filter(|(_, session)| session.is_idle(idle));
        idle.map(|(id, _)| id.clone()).collect()
    }

    /// Removes a session, unless it had an event meanwhile.
    pub(crate) fn forget(&self, id: &str, idle: Duration) {
        let mut sessions = self.0.lock();
        if sessions
            .get(id)
            .is_some_and(|session| session.is_idle(idle))
        {
            sessions.remove(id);
        }
    }
}

impl Session {
    /// Returns whether the session had no event for `idle` and has none now. The locked map holds one reference.
    fn is_idle(self: &Arc<Self>, idle: Duration) -> bool {
        Arc::strong_count(self) == 1 && self.used.lock().elapsed() >= idle
    }
}

impl Default for Session {
    fn default() -> Self {
        Self {
            turn: Arc::default(),
            used: Mutex::new(Instant::now()),
        }
    }
}

/// Returns the answer to an event that was not decided: it blocks everything that can be blocked.
pub(crate) fn unanswered(event: &Event, error: &UnansweredEvent) -> AnsweredEvent {
    AnsweredEvent {
        answer: failure(event.dialect(), Some(event), &error.to_string()),
        calls: Vec::new(),
    }
}

async fn saved(
    event: &Event,
    bridge: &Bridge,
    within: Option<&EntryContext>,
) -> Result<AnsweredEvent, UnansweredEvent> {
    let trace = || within.map(EntryContext::of_call);
    let answered = answer_in_trace(event, bridge, &trace).await?;
    bridge.flush_session(event.session()).await?;
    Ok(answered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_session_is_used_until_its_event_is_answered() {
        let events = Events::default();
        let turn = events.turn("s").await;
        assert!(events.idle(Duration::ZERO).is_empty());
        let answered = Instant::now();
        drop(turn);
        assert_eq!(events.idle(Duration::ZERO), ["s"]);
        assert!(
            events
                .idle(answered.elapsed() + Duration::from_secs(1))
                .is_empty()
        );
        let used = *events.0.lock()["s"].used.lock();
        assert!(used >= answered);
    }
}
