//! People's actions: answer, continue, release, discard, cancel.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use portcullis_access::Failed;
use portcullis_agent::{
    Answerer, CheckpointError, CheckpointId, CheckpointInfo, CheckpointStore as _, ProcessState,
    Resolution, discard_suspended,
};
use serde::Deserialize;

use crate::ui::{Continued, Ui, UiError};

/// An answer to a waiting call.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Given {
    /// An approval.
    Approve,
    /// A denial, with the reason.
    Deny(String),
    /// These arguments, the text of a JSON object, are approved.
    Edit(String),
    /// The tool's result.
    Result(String),
}

/// An answer, and the call that it is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    checkpoint: String,
    call: String,
    answer: Given,
}

/// A suspended turn.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turn {
    checkpoint: String,
}

/// A session.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    session: String,
}

/// Records an answer, and continues the turn once all of its calls have one.
pub(crate) async fn answer(ui: Ui, given: Answer) -> Result<(), Failed> {
    let resolution = match given.answer {
        Given::Approve => Resolution::yes(),
        Given::Deny(reason) if reason.trim().is_empty() => Resolution::no("a person said no"),
        Given::Deny(reason) => Resolution::no(reason),
        Given::Edit(arguments) => Resolution::change(object(&arguments)?),
        Given::Result(text) => Resolution::result(text),
    };
    let info = find(&ui, &given.checkpoint).await?;
    let answers = BTreeMap::from([(given.call.clone(), resolution.clone())]);
    let by = Answerer::new(format!("{}, in a browser", ui.person()));
    let store = ui.store().checkpoints();
    let answered = store.resolve(&info.id, answers, by).await;
    let answered = answered.map_err(UiError::Checkpoints)?;
    note(&ui, &info, &given.call, &resolution).await;
    // Only the last answer continues the turn.
    if !answered.is_resolved() {
        return Ok(());
    }
    match store.get(&info.id).await {
        Ok(now) if now.claim.is_none() => drop(proceed(&ui, &info).await?),
        // Another process that waits for the answers has continued the turn.
        Ok(_) | Err(CheckpointError::Unknown(_)) => {}
        Err(error) => return Err(UiError::Checkpoints(error).into()),
    }
    Ok(())
}

/// Continues a turn whose calls have their answers.
pub(crate) async fn resume(ui: Ui, turn: Turn) -> Result<(), Failed> {
    let info = find(&ui, &turn.checkpoint).await?;
    if !info.is_resolved() && !info.is_over() {
        return Err(Failed::conflict("calls of the turn have no answer yet"));
    }
    match proceed(&ui, &info).await? {
        true => Ok(()),
        false => Err(Failed::conflict(
            "the process that has the session open continues the turn",
        )),
    }
}

/// Finishes the turn of a session that was interrupted.
pub(crate) async fn finish(ui: Ui, session: Session) -> Result<(), Failed> {
    let id = session.session;
    let saved = ui.store().sessions().row(&id).await;
    match saved.map_err(UiError::Store)? {
        Some(saved) if saved.is_interrupted() => {}
        _ => return Err(Failed::conflict("no turn of the session was interrupted")),
    }
    match ui.start(&id, Continued::Interrupted(id.clone())) {
        true => Ok(()),
        false => Err(Failed::conflict("it is being continued")),
    }
}

/// Cancels the turn of a durable agent's session.
pub(crate) async fn cancel(ui: Ui, session: Session) -> Result<(), Failed> {
    let cancelled = ui.store().turns().cancel(&session.session).await;
    match cancelled.map_err(UiError::Store)? {
        true => Ok(()),
        false => Err(Failed::conflict(
            "no turn of it is recorded; one of an agent that is not durable is cancelled in its own process",
        )),
    }
}

/// Releases a turn whose process died.
pub(crate) async fn release(ui: Ui, turn: Turn) -> Result<(), Failed> {
    let info = find(&ui, &turn.checkpoint).await?;
    dead(&info)?;
    let released = ui.store().checkpoints().release(&info.id).await;
    Ok(released.map_err(UiError::Checkpoints)?)
}

/// Discards a turn that waits, or whose process died.
pub(crate) async fn discard(ui: Ui, turn: Turn) -> Result<(), Failed> {
    let info = find(&ui, &turn.checkpoint).await?;
    if info.claim.is_some() {
        dead(&info)?;
    }
    let discarded = discard_suspended(&ui.store().checkpoints(), &info.id).await;
    Ok(discarded.map_err(UiError::Checkpoints)?)
}

async fn find(ui: &Ui, id: &str) -> Result<CheckpointInfo, Failed> {
    let wrong =
        |error: &dyn std::fmt::Display| Failed::new(StatusCode::BAD_REQUEST, error.to_string());
    let id: CheckpointId = id.parse().map_err(|error| wrong(&error))?;
    let info = ui.store().checkpoints().get(&id).await;
    let info = info.map_err(UiError::Checkpoints)?;
    match info.of_subagent {
        true => Err(wrong(
            &"this is the turn of a sub-agent; its parent's has its calls",
        )),
        false => Ok(info),
    }
}

fn dead(info: &CheckpointInfo) -> Result<(), Failed> {
    match info.claim.as_ref().map(|claim| claim.process_state()) {
        Some(ProcessState::Dead) => Ok(()),
        Some(_) => Err(Failed::conflict(
            "the process that continues the turn may be there; `portcullis approvals` can take it with --force",
        )),
        None => Err(Failed::conflict(
            "no process has claimed the turn: it waits",
        )),
    }
}

/// Returns the arguments, which must be an object.
fn object(arguments: &str) -> Result<String, Failed> {
    let arguments = arguments.trim();
    let wrong = |why: String| Failed::new(StatusCode::BAD_REQUEST, why);
    match serde_json::from_str(arguments) {
        Ok(serde_json::Value::Object(_)) => Ok(arguments.to_owned()),
        Ok(_) => Err(wrong("the arguments are not a JSON object".to_owned())),
        Err(error) => Err(wrong(format!("the arguments are not JSON: {error}"))),
    }
}

/// Continues a turn here, unless another process has its session open: that one waits for the answers.
async fn proceed(ui: &Ui, info: &CheckpointInfo) -> Result<bool, Failed> {
    let saved = ui.store().sessions().row(&info.session).await;
    let saved = saved.map_err(UiError::Store)?;
    if saved.is_some_and(|saved| saved.open_in.is_some()) {
        return Ok(false);
    }
    Ok(ui.start(&info.session, Continued::Suspended(info.id.clone())))
}

/// Records the answer and its person in the journal.
async fn note(ui: &Ui, info: &CheckpointInfo, call_id: &str, resolution: &Resolution) {
    let journal = ui.journal();
    let by = format!("{}, in a browser,", ui.person());
    journal.note_answer(info, call_id, resolution, &by);
    // The record is written before the turn continues.
    if let Err(error) = journal.flush_async().await {
        tracing::warn!("who answered is not noted: {error}");
    }
}
