//! The record of a running turn, and the unfinished turn of a dead process.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::contract::ContentPart;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::state::{HookSet, SessionState};
use crate::basics::units::now_ms;
use crate::checkpoint::{CheckpointError, CheckpointId, Resolution};
use crate::effects::{Local, NewTurn, Scope, TurnStoreError, UnfinishedTurn};
use crate::events::{TurnFrom, TurnTrace};
use crate::exchange::{TurnError, new_session_id};

/// The start of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Began {
    /// The user's input.
    Said(Vec<ContentPart>),
    /// A checkpoint, and the decisions.
    Resumed {
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
        /// The user's input of the suspended turn.
        #[serde(default)]
        said: Vec<ContentPart>,
    },
}

/// The data recorded when a turn begins.
#[derive(Debug, Serialize, Deserialize)]
struct Data {
    #[serde(flatten)]
    began: Began,
    /// The hooks that it begins with.
    #[serde(default)]
    hooks: Option<HookSet>,
    /// Its span.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trace: Option<TurnTrace>,
}

/// Begins to record a turn, if the session records turns. An unfinished turn is replaced.
pub(crate) async fn begin(session: &mut SessionState, began: Began) -> Result<(), TurnError> {
    // A turn with additional hooks would be finished without them.
    let (Some(store), None) = (session.turns.clone(), &session.turn_hooks) else {
        return Ok(());
    };
    session.unfinished = None;
    let turn = NewTurn {
        id: new_session_id(),
        session: session.id().to_owned(),
        agent: session.agent().to_owned(),
        turn: session.position.turn,
        began_ms: now_ms(),
        data: json!(Data {
            began,
            hooks: Some(HookSet::of(&session.shared.context.hooks)),
            trace: session.trace.turn(),
        }),
    };
    let id = turn.id.clone();
    let local = Local::begin(store, turn).await;
    let local = local.map_err(|error| TurnError::Interrupted(error.into()))?;
    session.effects = Scope::of_turn(Arc::new(local));
    session.recorded_turn = Some(id);
    Ok(())
}

/// Begins to record a resumed turn, or continues its record if another process has resumed it.
/// Returns the decisions that it was first resumed with.
pub(crate) async fn begin_resumed(
    session: &mut SessionState,
    checkpoint: CheckpointId,
    resolutions: BTreeMap<String, Resolution>,
    said: &[ContentPart],
    trace: Option<&TurnTrace>,
) -> Result<BTreeMap<String, Resolution>, TurnError> {
    let found = session.unfinished.as_deref().and_then(began_with);
    if let Some(Began::Resumed {
        checkpoint: of,
        resolutions: then,
        ..
    }) = found
        && of == checkpoint
    {
        resume(session);
        session.continue_trace();
        session.record_continued();
        return Ok(then);
    }
    session.begin_trace(TurnFrom::Resumed(trace));
    let began = Began::Resumed {
        checkpoint,
        resolutions: resolutions.clone(),
        said: said.to_vec(),
    };
    begin(session, began).await?;
    Ok(resolutions)
}

/// Continues with the record of an unfinished turn. Returns the start of the turn.
pub(crate) fn resume(session: &mut SessionState) -> Option<Began> {
    let (store, unfinished) = (session.turns.clone()?, session.unfinished.take()?);
    let Data {
        began,
        hooks,
        trace,
    } = data_of(&unfinished)?;
    session.trace.continued = trace;
    session.began_under = hooks;
    session.recorded_turn = Some(unfinished.turn.id.clone());
    session.effects = Scope::of_turn(Arc::new(Local::continued(store, *unfinished)));
    Some(began)
}

/// Removes the record of the turn, which has ended.
pub(crate) async fn end(session: &mut SessionState) {
    let Some(id) = session.recorded_turn.take() else {
        return;
    };
    session.effects = Scope::default();
    forget(session, &id).await;
}

/// Looks for an unfinished turn of another process. Call it once the session is claimed and
/// restored.
pub(crate) async fn find(session: &mut SessionState) -> Result<(), TurnStoreError> {
    let (Some(store), Some(_)) = (&session.turns, &session.sessions) else {
        session.turns = None;
        return Ok(());
    };
    let Some(found) = store.unfinished(session.id()).await? else {
        return Ok(());
    };
    // The session was saved, and its process died before it removed the record.
    if found.turn.turn <= session.position.turn {
        forget(session, &found.turn.id).await;
        return Ok(());
    }
    let cause = match began_with(&found) {
        None => "is of another version of the agent",
        Some(Began::Resumed { checkpoint, .. }) if is_discarded(session, &checkpoint).await => {
            "was discarded after it was resumed"
        }
        Some(_) => {
            // A dropped turn counts, but is not saved.
            session.position.turn = found.turn.turn - 1;
            session.unfinished = Some(Box::new(found));
            return Ok(());
        }
    };
    tracing::warn!(
        session = session.id(),
        "the turn that was interrupted {cause}, and is not finished"
    );
    forget(session, &found.turn.id).await;
    Ok(())
}

/// Returns whether a person has discarded the turn of a checkpoint.
async fn is_discarded(session: &SessionState, checkpoint: &CheckpointId) -> bool {
    match &session.checkpoints {
        Some(store) => matches!(
            store.get(checkpoint).await,
            Err(CheckpointError::Unknown(_))
        ),
        None => false,
    }
}

/// Returns the start of the unfinished turn.
pub(crate) fn unfinished(session: &SessionState) -> Option<Began> {
    began_with(session.unfinished.as_deref()?)
}

/// Returns the checkpoint that the unfinished turn was resumed from.
pub(crate) fn resumed_from(session: &SessionState) -> Option<CheckpointId> {
    match unfinished(session)? {
        Began::Resumed { checkpoint, .. } => Some(checkpoint),
        Began::Said(_) => None,
    }
}

/// Discards the unfinished turn.
pub(crate) async fn discard_unfinished(session: &mut SessionState) {
    if let Some(unfinished) = session.unfinished.take() {
        forget(session, &unfinished.turn.id).await;
    }
}

fn began_with(unfinished: &UnfinishedTurn) -> Option<Began> {
    data_of(unfinished).map(|data| data.began)
}

fn data_of(unfinished: &UnfinishedTurn) -> Option<Data> {
    serde_json::from_value(unfinished.turn.data.clone()).ok()
}

async fn forget(session: &SessionState, id: &str) {
    if let Some(store) = &session.turns
        && let Err(error) = store.end(id).await
    {
        tracing::warn!(session = session.id(), "{error}");
    }
}
