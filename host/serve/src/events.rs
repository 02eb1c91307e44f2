//! Hook events of other agents.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use portcullis_bridge::Bridge;
use portcullis_dialects::{AnsweredEvent, Event, UnansweredEvent, answer_in_session, failure};
use tokio::sync::Mutex as AsyncMutex;

/// The sessions whose events were answered lately.
#[derive(Default)]
pub(crate) struct Events(Mutex<HashMap<String, Session>>);

struct Session {
    /// Held by the event that is being answered.
    turn: Arc<AsyncMutex<()>>,
    used: Instant,
}

impl Events {
    /// Answers an event, behind those of the same session that came before. What hooks remember of it is in the store
    /// before the agent continues: a budget that is not kept is none.
    pub(crate) async fn answer(&self, event: &Event, bridge: &Bridge) -> AnsweredEvent {
        let turn = self.turn(event.session());
        let turn = turn.lock().await;
        let answered = saved(event, bridge).await;
        drop(turn);
        answered.unwrap_or_else(|error| AnsweredEvent {
            answer: failure(event.dialect(), Some(event), &error.to_string()),
            calls: Vec::new(),
        })
    }

    fn turn(&self, session: &str) -> Arc<AsyncMutex<()>> {
        let mut sessions = self.0.lock();
        let used = Instant::now();
        if let Some(session) = sessions.get_mut(session) {
            session.used = used;
            return session.turn.clone();
        }
        let turn = Arc::<AsyncMutex<()>>::default();
        let new = Session {
            turn: turn.clone(),
            used,
        };
        sessions.insert(session.to_owned(), new);
        turn
    }

    /// Forgets the sessions that had no event for so long and have none now, and gives their ids.
    pub(crate) fn take_idle(&self, idle: Duration) -> Vec<String> {
        let mut sessions = self.0.lock();
        let idle = sessions.extract_if(|_, session| {
            Arc::strong_count(&session.turn) == 1 && session.used.elapsed() >= idle
        });
        idle.map(|(id, _)| id).collect()
    }
}

async fn saved(event: &Event, bridge: &Bridge) -> Result<AnsweredEvent, UnansweredEvent> {
    let answered = answer_in_session(event, bridge).await?;
    bridge.flush_session(event.session()).await?;
    Ok(answered)
}
