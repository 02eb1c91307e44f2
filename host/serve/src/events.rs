//! Hook events of other agents.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use portcullis_bridge::Bridge;
use portcullis_dialects::{AnsweredEvent, Event, UnansweredEvent, answer_in_session, failure};
use tokio::sync::Mutex as AsyncMutex;

/// The sessions whose events are being answered.
#[derive(Default)]
pub(crate) struct Events(Mutex<HashMap<String, Weak<AsyncMutex<()>>>>);

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

    /// Held by the event of a session that is being answered.
    fn turn(&self, session: &str) -> Arc<AsyncMutex<()>> {
        let mut turns = self.0.lock();
        if let Some(turn) = turns.get(session).and_then(Weak::upgrade) {
            return turn;
        }
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::default();
        turns.insert(session.to_owned(), Arc::downgrade(&turn));
        turn
    }
}

async fn saved(event: &Event, bridge: &Bridge) -> Result<AnsweredEvent, UnansweredEvent> {
    let answered = answer_in_session(event, bridge).await?;
    bridge.flush_session(event.session()).await?;
    Ok(answered)
}
