//! Deciding an event in this process.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use portcullis_bridge::BridgeOptions;
use portcullis_dialects::{Answer, Event, answer_in_session, failure};
use tokio::runtime::Builder;

use super::deadline::Deadline;
use super::{HookArgs, Incoming};

/// How long detached runs may take once the event is decided.
const DRAIN: Duration = Duration::from_secs(10);

/// How long what is cancelled at the deadline may take to end.
const GRACE: Duration = Duration::from_secs(2);

/// Decides the event, whatever happens: a panic and a missed deadline are failures of the host.
pub fn here(incoming: Incoming, args: HookArgs) -> Answer {
    crate::logging::start();
    let Incoming {
        event, deadline, ..
    } = incoming;
    let failed = |message: &str| failure(event.dialect(), Some(&event), message);
    if deadline.left().is_zero() {
        return failed(&deadline.passed());
    }
    let (done, answer) = mpsc::channel();
    let deciding = event.clone();
    let started = std::thread::Builder::new().spawn(move || {
        let decided = decided(&deciding, &args, deadline);
        let failed = |error| failure(deciding.dialect(), Some(&deciding), &described(&error));
        // After the deadline the agent has no use for the answer.
        let _ = done.send(decided.unwrap_or_else(failed));
    });
    if let Err(error) = started {
        return failed(&format!("no thread can be started: {error}"));
    }
    match answer.recv_timeout(deadline.left() + GRACE) {
        Ok(answer) => answer,
        // It is loading hooks, which cannot be cancelled.
        Err(RecvTimeoutError::Timeout) => failed(&deadline.passed()),
        Err(RecvTimeoutError::Disconnected) => {
            failed("an internal error; the standard error has it")
        }
    }
}

/// The error with its causes, but for those that it quotes already.
fn described(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

fn decided(event: &Event, args: &HookArgs, deadline: Deadline) -> anyhow::Result<Answer> {
    let bridge = args
        .hooks
        .bridge(&args.hooks.directory()?, BridgeOptions::default())?;
    // One event needs no other threads.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let deciding = async {
        let answered = answer_in_session(event, &bridge).await?;
        // What hooks remember must be kept before the agent continues: a budget that is not kept is none.
        let left = bridge.close(DRAIN).await?;
        if left > 0 {
            tracing::warn!("{left} background runs did not end within {DRAIN:?}, and are lost");
        }
        anyhow::Ok(answered)
    };
    // What is dropped then ends, such as the command of a script hook.
    let within = tokio::time::Instant::from_std(deadline.until());
    let decided = runtime.block_on(async { tokio::time::timeout_at(within, deciding).await });
    let answered = decided.map_err(|_| anyhow::Error::msg(deadline.passed()))??;
    if args.verbose {
        super::say(&answered.calls, "in this process");
    }
    Ok(answered.answer)
}
