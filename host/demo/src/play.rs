//! Playing the story: one session, turn by turn.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use portcullis_agent::{Agent, AgentEvent, AgentSession, Emitted, EventReceiver, NewSession};

use crate::narrator::Narrator;
use crate::story::STORY;
use portcullis_terminal::activity::{RunRecord, TurnLog};
use portcullis_terminal::approval::Recorded;
use portcullis_terminal::json;

/// The time that background work may take after a turn.
const DRAIN: std::time::Duration = std::time::Duration::from_secs(10);

/// The session, and its output.
pub struct Play {
    agent: Agent,
    session: AgentSession,
    log: Log,
    /// `None`: each hook run is printed as a line of JSON, and nothing else.
    narrator: Option<Narrator>,
}

impl Play {
    /// Opens the session.
    pub async fn begin(
        agent: Agent,
        new: NewSession,
        approver: Recorded,
        narrator: Option<Narrator>,
    ) -> anyhow::Result<Self> {
        let log = Log {
            events: agent.context().events.subscribe(),
            approver,
            is_printed: narrator.is_none(),
            calls: Calls::new(),
        };
        let session = agent.session(new).await;
        let mut play = Self {
            session: session.context("the demo's session did not begin")?,
            agent,
            log,
            narrator,
        };
        let log = play.log.take()?;
        if let Some(narrator) = &mut play.narrator {
            narrator.outside_turns(&log)?;
        }
        Ok(play)
    }

    /// Plays a turn of the story. A turn that fails is part of the story.
    pub async fn turn(&mut self, index: usize) -> anyhow::Result<()> {
        let Some(scene) = STORY.get(index) else {
            return Ok(());
        };
        let _ended = self.session.turn(scene.says).await;
        // Background work belongs to the turn that started it.
        self.agent.drain(DRAIN).await;
        let log = self.log.take()?;
        if let Some(narrator) = &mut self.narrator {
            narrator.turn(index + 1, scene, &log)?;
        }
        Ok(())
    }

    /// Plays a turn of the story until this number of its tool calls have results, and shows it. Then calls `dies` with
    /// the number of calls of each provider, while the turn still runs.
    #[cfg(feature = "durable")]
    pub async fn turn_to_death<T>(
        &mut self,
        index: usize,
        tool_calls: usize,
        dies: impl FnOnce(&Calls) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let scene = STORY.get(index).context("the story has no such turn")?;
        let mut log = TurnLog::default();
        let turn = self.session.turn(scene.says);
        tokio::pin!(turn);
        let mut left = tool_calls;
        while left > 0 {
            tokio::select! {
                biased;
                Some(emitted) = self.log.events.next() => {
                    left -= usize::from(matches!(emitted.event, AgentEvent::ToolFinished { .. }));
                    self.log.add(&mut log, &emitted)?;
                }
                _ended = &mut turn => anyhow::bail!("the turn ended before it was interrupted"),
            }
        }
        log.asked = self.log.approver.take().into();
        if let Some(narrator) = &mut self.narrator {
            narrator.turn(index + 1, scene, &log)?;
        }
        dies(&self.log.calls)
    }

    /// Closes the session.
    pub async fn end(mut self) -> anyhow::Result<Option<Narrator>> {
        self.session.close().await;
        self.agent.drain(DRAIN).await;
        let log = self.log.take()?;
        if let Some(narrator) = &mut self.narrator {
            narrator.outside_turns(&log)?;
        }
        Ok(self.narrator)
    }
}

/// The number of calls of each provider.
pub type Calls = BTreeMap<String, usize>;

/// The session's events.
struct Log {
    events: EventReceiver,
    approver: Recorded,
    /// Whether hook runs are printed as they are taken.
    is_printed: bool,
    calls: Calls,
}

impl Log {
    /// Takes the events since the last call.
    fn take(&mut self) -> anyhow::Result<TurnLog> {
        let mut log = TurnLog::default();
        while let Some(emitted) = self.events.try_next() {
            self.add(&mut log, &emitted)?;
        }
        log.asked = self.approver.take().into();
        Ok(log)
    }

    fn add(&mut self, log: &mut TurnLog, emitted: &Arc<Emitted>) -> anyhow::Result<()> {
        match &emitted.event {
            AgentEvent::HookRun { run } if self.is_printed => {
                json::line(&RunRecord::new(&emitted.session_id, run))?;
            }
            AgentEvent::LlmCallStarted { provider, .. } => {
                *self.calls.entry(provider.clone()).or_default() += 1;
            }
            _ => {}
        }
        log.take(emitted);
        Ok(())
    }
}
