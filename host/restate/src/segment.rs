//! Running a segment: from the user's input or a resumption to the output or a suspension.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis_agent::{
    Agent, AgentSession, CheckpointError, CheckpointId, CheckpointStore, EventSender, NO_ANSWER,
    NewSession, Resolution, ResumeError, SavedSessionError, SessionError, TurnEnd, TurnError,
    TurnStore, TurnStoreError,
};
use portcullis_store::Store;
use tokio_util::sync::CancellationToken;

use crate::feed::Feeding;
use crate::log::{Entry, Log, Saving};
use crate::message::{Outcome, ResumeRequest, TurnRequest};

/// A wrapper around the turn store.
type Around = dyn Fn(Arc<dyn TurnStore>) -> Arc<dyn TurnStore> + Send + Sync;

/// A worker's agent, with its events, store and sessions.
pub(crate) struct Serving {
    pub(crate) agent: Agent,
    pub(crate) events: EventSender,
    pub(crate) store: Store,
    /// Creates a session from the agent's file.
    pub(crate) new_session: Box<dyn Fn() -> NewSession + Send + Sync>,
    /// A wrapper around the turn store.
    pub(crate) around_records: Box<Around>,
}

/// A segment of a session's work.
#[derive(Debug, Clone)]
pub(crate) enum Segment {
    /// A turn, from its beginning.
    Turn(TurnRequest),
    /// A suspended turn.
    Resume(ResumeRequest),
    /// A suspended turn whose questions were not answered in time.
    Expire(CheckpointId),
    /// The end of the session.
    Close,
}

impl Segment {
    /// Returns the id of the request, under which the segment's events are reported.
    fn request(&self) -> Option<&str> {
        match self {
            Self::Turn(request) => Some(&request.id),
            Self::Resume(request) => Some(&request.id),
            Self::Expire(_) | Self::Close => None,
        }
    }
}

/// The signals that stop a segment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stops {
    /// The turn is parked: another worker continues it.
    pub(crate) cancel: CancellationToken,
    /// Another worker continues.
    pub(crate) park: CancellationToken,
}

/// The outcome of a segment, and whether its session has begun.
pub(crate) type Ended = (Outcome, bool);

/// The reason why a segment cannot end now. The segment is tried again.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotNow(String);

fn not_now(cause: impl ToString) -> NotNow {
    NotNow(cause.to_string())
}

/// Runs a segment, or its unrecorded rest, and reports its events to the requester.
pub(crate) async fn run(
    serving: &Serving,
    session: &str,
    begun: bool,
    segment: Segment,
    log: &Arc<Log>,
    stops: Stops,
) -> Result<Ended, NotNow> {
    let request = segment.request().map(str::to_owned);
    let feeding = match &request {
        Some(request) => {
            let events = serving.events.subscribe();
            let feeding = Feeding::start(serving.store.feed(), events, session, request);
            Some(feeding.await.map_err(not_now)?)
        }
        None => None,
    };
    let flush = feeding.as_ref().map(Feeding::flush);
    let saving = Saving {
        sessions: serving.store.sessions(),
        log: log.clone(),
        flush,
    };
    let ended = run_quietly(serving, session, begun, segment, saving, stops).await;
    if let Some(feeding) = feeding {
        feeding.finish().await;
    }
    ended
}

async fn run_quietly(
    serving: &Serving,
    session: &str,
    begun: bool,
    segment: Segment,
    saving: Saving,
    stops: Stops,
) -> Result<Ended, NotNow> {
    let log = &saving.log.clone();
    let has_begun = log.has(|entry| matches!(entry, Entry::Began { .. }));
    let trace = match &segment {
        Segment::Turn(request) => request.trace.clone(),
        // A resumed turn has the trace of the suspended turn.
        Segment::Resume(_) | Segment::Expire(_) | Segment::Close => None,
    };
    let new = NewSession {
        id: session.to_owned(),
        sessions: Some(Arc::new(saving)),
        turns: Some((serving.around_records)(log.clone())),
        checkpoints: Some(Arc::new(serving.store.checkpoints())),
        park: stops.park.clone(),
        begun: begun || has_begun,
        trace,
        ..(serving.new_session)()
    };
    let turn = Turn {
        serving,
        new,
        log,
        stops,
    };
    match segment {
        Segment::Turn(request) => turn.open(has_begun, Some(request.text)).await,
        Segment::Close => turn.close().await,
        _ if has_begun => turn.open(true, None).await,
        Segment::Resume(request) => {
            let resolutions = request.resolutions;
            turn.resume(request.checkpoint, resolutions, false).await
        }
        Segment::Expire(checkpoint) => match turn.unanswered(&checkpoint).await? {
            Ok(resolutions) => turn.resume(checkpoint, resolutions, true).await,
            Err(outcome) => Ok((outcome, begun)),
        },
    }
}

/// A turn on this worker.
struct Turn<'a> {
    serving: &'a Serving,
    new: NewSession,
    log: &'a Arc<Log>,
    stops: Stops,
}

impl Turn<'_> {
    /// Finishes the turn that another worker began, or else runs a new one.
    async fn open(self, has_begun: bool, text: Option<String>) -> Result<Ended, NotNow> {
        let begun = self.new.begun;
        let mut session = match self.serving.agent.session(self.new.clone()).await {
            Ok(session) => session,
            Err(SessionError::Suspended { checkpoint, .. }) if has_begun => {
                return Ok((self.suspended(checkpoint).await?, true));
            }
            Err(error) => return Ok((self.not_open(error)?, begun)),
        };
        let cancel = self.stops.cancel.clone();
        let ended = match (session.finish_turn(cancel.clone()).await, text) {
            (Some(ended), _) => ended,
            (None, Some(text)) if !has_begun => session.turn_until(text, cancel).await,
            (None, _) => {
                session.release().await;
                let lost = || Outcome::Failed {
                    error:
                        "the turn was cancelled, or its worker died before it said why it failed"
                            .into(),
                    cancelled: true,
                };
                return Ok((self.log.saved().unwrap_or_else(lost), true));
            }
        };
        self.ended(session, ended).await
    }

    async fn resume(
        self,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
        expires: bool,
    ) -> Result<Ended, NotNow> {
        let begun = self.new.begun;
        if self.log.has(|entry| matches!(entry, Entry::Claims)) {
            // This invocation has claimed the checkpoint on a worker that died.
            match self.serving.store.checkpoints().release(&checkpoint).await {
                Ok(()) | Err(CheckpointError::Unknown(_)) => {}
                Err(error) => return Err(not_now(error)),
            }
        } else {
            self.log.write(Entry::Claims).await.map_err(not_now)?;
        }
        let cancel = self.stops.cancel.clone();
        let agent = &self.serving.agent;
        let resumed = agent.resume_until(checkpoint, resolutions, self.new.clone(), cancel);
        match resumed.await {
            Ok((session, ended)) => self.ended(session, ended).await,
            // A call was answered after the denials of an expired turn were made.
            Err(error @ ResumeError::Checkpoint(CheckpointError::Answered { .. })) if expires => {
                Err(not_now(error))
            }
            Err(
                error @ (ResumeError::Checkpoint(CheckpointError::Store(_))
                | ResumeError::Session(
                    SavedSessionError::Held { .. } | SavedSessionError::Store(_),
                )),
            ) => Err(not_now(error)),
            Err(error @ ResumeError::Cancelled) => Ok((self.cancelled(error)?, begun)),
            Err(error) => Ok((Outcome::failed(error), begun)),
        }
    }

    async fn close(self) -> Result<Ended, NotNow> {
        let done = Outcome::Done {
            text: String::new(),
        };
        if !self.new.begun {
            return Ok((done, false));
        }
        match self.serving.agent.session(self.new.clone()).await {
            Ok(session) => {
                session.close().await;
                Ok((done, false))
            }
            Err(error) => Ok((self.not_open(error)?, true)),
        }
    }

    /// Returns the denials for a turn that was not answered in time; the turn's outcome, if it no
    /// longer waits.
    async fn unanswered(
        &self,
        checkpoint: &CheckpointId,
    ) -> Result<Result<BTreeMap<String, Resolution>, Outcome>, NotNow> {
        let info = match self.serving.store.checkpoints().get(checkpoint).await {
            Ok(info) => info,
            Err(error @ CheckpointError::Store(_)) => return Err(not_now(error)),
            Err(error) => return Ok(Err(Outcome::failed(error))),
        };
        Ok(Ok(info.answered_with_no(NO_ANSWER)))
    }

    async fn ended(
        self,
        session: AgentSession,
        ended: Result<TurnEnd, TurnError>,
    ) -> Result<Ended, NotNow> {
        if let Err(error @ TurnError::Interrupted(_)) = &ended {
            return Err(not_now(error));
        }
        session.release().await;
        let outcome = match ended {
            Ok(TurnEnd::Done(report)) => Outcome::Done {
                text: report.text(),
            },
            Ok(TurnEnd::Suspended(suspension)) => Outcome::Suspended {
                checkpoint: suspension.checkpoint,
                reason: suspension.reason,
                pending: suspension.pending,
                until_ms: suspension.until_ms,
            },
            Err(error) => Outcome::Failed {
                cancelled: matches!(error, TurnError::Cancelled),
                error: error.to_string(),
            },
        };
        Ok((outcome, true))
    }

    /// Returns the outcome of a turn that was suspended before its worker died.
    async fn suspended(&self, checkpoint: CheckpointId) -> Result<Outcome, NotNow> {
        let info = self.serving.store.checkpoints().get(&checkpoint).await;
        let info = info.map_err(not_now)?;
        let reason = serde_json::from_value(info.reason.into());
        Ok(Outcome::Suspended {
            checkpoint,
            reason: reason.map_err(not_now)?,
            pending: info.pending,
            until_ms: info.until_ms,
        })
    }

    /// Returns the outcome for a session that does not open.
    fn not_open(&self, error: SessionError) -> Result<Outcome, NotNow> {
        match error {
            SessionError::Saved(SavedSessionError::Held { .. } | SavedSessionError::Store(_))
            | SessionError::Checkpoints(CheckpointError::Store(_))
            | SessionError::Unfinished(TurnStoreError::Failed(_))
            | SessionError::State(_) => Err(not_now(error)),
            SessionError::Cancelled => self.cancelled(error),
            error => Ok(Outcome::failed(error)),
        }
    }

    fn cancelled(&self, error: impl ToString) -> Result<Outcome, NotNow> {
        match self.stops.park.is_cancelled() {
            true => Err(not_now(error)),
            false => Ok(Outcome::Failed {
                error: error.to_string(),
                cancelled: true,
            }),
        }
    }
}
