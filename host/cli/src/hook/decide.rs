//! Deciding an event in this process.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use portcullis::ErrorReport;
use portcullis::settings::TelemetryTable;
use portcullis::trace::TraceContext;
use portcullis_agent::SavedSessionError;
use portcullis_bridge::{Bridge, BridgeError, BridgeOptions, ClaimWait, change_memo};
use portcullis_dialects::{
    Answer, AnsweredEvent, Event, UnansweredEvent, answer_in_trace, failure, refused_until_decided,
    starts,
};
use portcullis_store::Store;
use portcullis_telemetry::{EntryContext, Telemetry};
use tokio::runtime::Builder;

use super::collector::Collector;
use super::deadline::Deadline;
use super::running::Running;
use super::{HookArgs, Incoming};

/// The time that detached runs have once the event is decided.
const DRAIN: Duration = Duration::from_secs(10);

/// The time that a collector has for the event's telemetry. The agent waits for it.
const FLUSH: Duration = Duration::from_millis(500);

/// The time that work cancelled at the deadline has to end.
const GRACE: Duration = Duration::from_secs(2);

/// The time that refusing a start may take, however late it is. The agent waits ten seconds longer
/// than the deadline.
const REFUSE: Duration = Duration::from_secs(8);

/// The part of [`REFUSE`] that may be spent waiting for a session that another event has open, even
/// after the deadline.
const REFUSE_CLAIM: Duration = Duration::from_secs(5);

/// Decides the event in this process. A panic and a missed deadline are failures of the host.
pub fn here(incoming: Incoming, args: HookArgs) -> Answer {
    crate::logging::start();
    let Incoming {
        event, deadline, ..
    } = incoming;
    let failed = |message: &str| failure(event.dialect(), Some(&event), message);
    // A start is refused first, however late it is.
    if deadline.left().is_zero() && !starts(&event) {
        return failed(&deadline.passed(None));
    }
    let (done, answer) = mpsc::channel();
    let deciding = event.clone();
    let running = Running::default();
    let runs = running.clone();
    let started = std::thread::Builder::new().spawn(move || {
        let decided = decided(&deciding, &args, deadline, &runs);
        let failed = |error: anyhow::Error| {
            let message = in_use(&error, &deadline);
            let message = message.unwrap_or_else(|| ErrorReport::line(error.as_ref()));
            failure(deciding.dialect(), Some(&deciding), &message)
        };
        // After the deadline the agent has no use for the answer.
        let _ = done.send(decided.unwrap_or_else(failed));
    });
    if let Err(error) = started {
        return failed(&format!("no thread can be started: {error}"));
    }
    let wait = match starts(&event) {
        true => REFUSE.max(deadline.left() + GRACE),
        false => deadline.left() + GRACE,
    };
    match answer.recv_timeout(wait) {
        Ok(answer) => answer,
        // The thread is loading hooks, or runs one that does not wait, which cannot be cancelled.
        Err(RecvTimeoutError::Timeout) => failed(&deadline.passed(running.in_words().as_deref())),
        Err(RecvTimeoutError::Disconnected) => {
            failed("an internal error; the standard error has it")
        }
    }
}

/// Returns the error text, if the error is that another event has the session open.
fn in_use(error: &anyhow::Error, deadline: &Deadline) -> Option<String> {
    let bridge = match error.downcast_ref() {
        Some(UnansweredEvent::Bridge(error)) => Some(error),
        _ => error.downcast_ref::<BridgeError>(),
    };
    match bridge? {
        BridgeError::Session(SavedSessionError::Held {
            id, pid, machine, ..
        }) => Some(deadline.session_in_use(id, *pid, machine)),
        _ => None,
    }
}

fn decided(
    event: &Event,
    args: &HookArgs,
    deadline: Deadline,
    running: &Running,
) -> anyhow::Result<Answer> {
    // One event needs no other threads.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let mut options = BridgeOptions {
        store: args.hooks.open_store()?,
        claim_wait: ClaimWait::Until(deadline.claim_until()),
        ..BridgeOptions::default()
    };
    if let Some(store) = options.store.as_ref().filter(|_| starts(event)) {
        let until = deadline.claim_until().max(Instant::now() + REFUSE_CLAIM);
        runtime.block_on(refuse_start(event, store, ClaimWait::Until(until)))?;
    }
    if deadline.left().is_zero() {
        return Err(anyhow::Error::msg(deadline.passed(None)));
    }
    let hooks = args.hooks.directory()?;
    // This process ends at once, so nobody could request its metrics.
    let table = crate::hooks::settings_of(&hooks)?
        .telemetry
        .map(|table| TelemetryTable {
            prometheus: None,
            ..table
        });
    let collector = Collector::of(&hooks);
    let telemetry = match collector.is_away() {
        true => None,
        false => runtime.block_on(Telemetry::start_if_on(table.as_ref()))?,
    };
    if let Some(telemetry) = &telemetry {
        options.observer = telemetry.observer(event.session());
    }
    options.observer = running.observer(options.observer);
    let bridge = args.hooks.bridge(&hooks, options)?;
    let deciding = async {
        let answered = in_span(event, &bridge, telemetry.as_ref()).await?;
        // The hooks' state must be kept before the agent continues: a budget that is not kept has
        // no effect.
        let left = bridge.close(DRAIN).await?;
        if left > 0 {
            tracing::warn!("{left} background runs did not end within {DRAIN:?}, and are lost");
        }
        anyhow::Ok(answered)
    };
    // Dropping the future ends its work, such as a script hook's command.
    let within = tokio::time::Instant::from_std(deadline.until());
    let decided = runtime.block_on(async { tokio::time::timeout_at(within, deciding).await });
    if let Some(telemetry) = telemetry {
        let left = deadline.left().min(FLUSH);
        let in_time = runtime.block_on(telemetry.end(left));
        if !in_time && left == FLUSH {
            collector.did_not_answer();
        }
    }
    let passed = |_| anyhow::Error::msg(deadline.passed(running.in_words().as_deref()));
    let answered = decided.map_err(passed)??;
    if args.verbose {
        super::say(&answered.calls, "in this process");
    }
    Ok(answered.answer)
}

/// Records a refusal of the work that an event starts, before the decision can fail: agents
/// continue in spite of a failure. The decision replaces the refusal.
async fn refuse_start(event: &Event, store: &Store, wait: ClaimWait) -> Result<(), BridgeError> {
    let (session, agent) = (event.session(), event.dialect().agent_id());
    let refused = |memo| refused_until_decided(event, memo);
    change_memo(store, session, agent, wait, refused).await
}

/// Answers an event as a part of the agent's trace, if it named one.
async fn in_span(
    event: &Event,
    bridge: &Bridge,
    telemetry: Option<&Telemetry>,
) -> anyhow::Result<AnsweredEvent> {
    let parent = TraceContext::of_environment();
    let mut entry = telemetry.map(|telemetry| {
        let name = format!("hook {}", event.known_name());
        let mut entry = telemetry.enter(name, parent.as_ref());
        entry.set("gen_ai.conversation.id", event.session().to_owned());
        entry.set("portcullis.event", event.known_name());
        entry
    });
    let within = match &entry {
        Some(entry) => entry.within(),
        None => parent.map(EntryContext::passed_on),
    };
    let trace = || within.as_ref().map(EntryContext::of_call);
    let answered = answer_in_trace(event, bridge, &trace).await;
    if let (Err(_), Some(entry)) = (&answered, &mut entry) {
        entry.fail("not-decided");
    }
    Ok(answered?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_that_another_event_has_is_no_advice_to_release_it() {
        let held = || SavedSessionError::Held {
            id: "s".into(),
            pid: 7,
            machine: "here".into(),
            since_ms: 0,
        };
        let deadline = Deadline::new(50, None);
        for error in [
            anyhow::Error::from(BridgeError::from(held())),
            anyhow::Error::from(UnansweredEvent::from(BridgeError::from(held()))),
        ] {
            let text = in_use(&error, &deadline).expect("its text");
            for part in [
                "session `s`",
                "process 7 on here",
                "50 s",
                "one after another",
                "--deadline",
            ] {
                assert!(text.contains(part), "{text}");
            }
            assert!(!text.contains("release"), "{text}");
        }
        let lost = SavedSessionError::Lost { id: "s".into() };
        let lost = anyhow::Error::from(BridgeError::from(lost));
        assert_eq!(in_use(&lost, &deadline), None);
    }
}
