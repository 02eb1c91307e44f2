//! Converts the event stream to the lines that a row expects.
//!
//! A line of the hook under test is the point, and its answer unless that was `continue`. All other
//! lines are in brackets. Lines of a sub-agent begin with `sub`.

use portcullis::verdict::{HookRun, RunStatus};
use portcullis_agent::{AgentEvent, EventReceiver, RetryAction};
use serde_json::Value;

use super::effects::EFFECT;

/// The events of the stream that a row shows.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The points, by name. An empty list shows all.
    pub points: Vec<&'static str>,
    /// The events, by name, besides effects and the ends of turns.
    pub events: Vec<&'static str>,
}

/// Events that every row shows.
const ALWAYS: &[&str] = &["turn-ended", "turn-failed", "turn-suspended"];

/// Reads the events since the last call.
pub fn read(events: &mut EventReceiver, shown: &Shown, ids: &[&str], main: &str) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(told) = events.try_next() {
        let sub = match &told.event {
            AgentEvent::HookEmitted { hook, .. } if hook == EFFECT => "",
            _ if *told.session_id == *main => "",
            _ => "sub ",
        };
        let line = match &told.event {
            AgentEvent::HookRun { run } => hook_run(run, shown, ids),
            other => event(other, shown).map(|line| format!("({line})")),
        };
        lines.extend(line.map(|line| format!("{sub}{line}")));
    }
    assert_eq!(events.lost(), 0, "the stream was too long for its buffer");
    lines
}

fn hook_run(run: &HookRun, shown: &Shown, ids: &[&str]) -> Option<String> {
    let point = run.point.name();
    if !ids.contains(&run.hook.as_str()) {
        return None;
    }
    if !shown.points.is_empty() && !shown.points.contains(&point) {
        return None;
    }
    let answered = match &run.status {
        RunStatus::Completed { outcome, .. } if outcome.name() == "continue" => "",
        RunStatus::Completed { outcome, .. } => outcome.name(),
        RunStatus::Failed { fatal: true, .. } => "fails closed",
        RunStatus::Failed { fatal: false, .. } => "fails open",
        RunStatus::NotApplied { .. } => "not applied",
        RunStatus::Skipped => "skipped",
        RunStatus::Backgrounded => "backgrounded",
    };
    let id = match ids.len() {
        1 => "",
        _ => run.hook.as_str(),
    };
    Some(
        [id, point, answered]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" "),
    )
}

fn event(event: &AgentEvent, shown: &Shown) -> Option<String> {
    if let AgentEvent::HookEmitted { hook, name, .. } = event {
        return (hook == EFFECT).then(|| name.clone());
    }
    let json = serde_json::to_value(event).expect("events are JSON");
    let name = json["event"].as_str().unwrap_or_default();
    if !shown.events.contains(&name) && !ALWAYS.contains(&name) {
        return None;
    }
    let text = |key: &str| json[key].as_str().unwrap_or_default().to_owned();
    let words = match event {
        AgentEvent::TurnEnded { origin, .. } => {
            let origin = serde_json::to_value(origin).expect("origins are JSON");
            let code = origin["code"].as_str().map(|code| format!(" {code}"));
            let from = match origin["from"].as_str() {
                Some("model") | None => String::new(),
                Some(from) => format!(" {from}{}", code.unwrap_or_default()),
            };
            return Some(format!("turn-ended{from}: {}", text("text")));
        }
        AgentEvent::TurnFailed {
            cancelled: true, ..
        } => "cancelled".into(),
        AgentEvent::TurnFailed { error, .. } => short(error),
        AgentEvent::TurnSuspended {
            reason, pending, ..
        } => {
            format!("{reason} {}", pending.join(" "))
        }
        AgentEvent::StepEnded { .. } | AgentEvent::StepStarted => String::new(),
        AgentEvent::Steered { .. } => format!("{} {}", text("checkpoint"), text("text")),
        AgentEvent::Stopping { .. } => {
            // The duration differs each time.
            let said = text("message");
            let said = match said.split_once(" of ") {
                Some((_, most)) if text("code") == "time-limit" => format!("more than {most}"),
                _ => said,
            };
            format!("{}: {said}", text("code"))
        }
        AgentEvent::ToolStarted { .. } => format!("{} {}", text("call-id"), text("arguments")),
        AgentEvent::ToolProgress { .. } => text("text"),
        AgentEvent::ToolFinished { ran, is_error, .. } => {
            let how = match (ran, is_error) {
                (true, false) => "",
                (true, true) => " error",
                (false, false) => " not run",
                (false, true) => " not run, error",
            };
            format!("{}{how}", text("call-id"))
        }
        AgentEvent::TextDelta { text } | AgentEvent::ThinkingDelta { text } => text.clone(),
        AgentEvent::MessageAdded { role, .. } => (*role).into(),
        AgentEvent::StateChanged { keys, .. } => keys.join(" "),
        AgentEvent::SessionEnded { .. } => text("reason"),
        AgentEvent::LlmCallStarted {
            provider, attempt, ..
        } => format!("{provider} {attempt}"),
        AgentEvent::Retry { action, .. } => match action {
            RetryAction::Retry { .. } => "again".into(),
            RetryAction::SwitchProvider { provider, .. } => format!("switch to {provider}"),
            RetryAction::GiveUp { .. } => "give up".into(),
        },
        AgentEvent::SubagentStarted { agent, .. } | AgentEvent::SubagentFinished { agent, .. } => {
            agent.clone()
        }
        AgentEvent::Note { code, data, .. } => format!("{code} {data}"),
        AgentEvent::JobQueued { name, .. }
        | AgentEvent::JobSkipped { name, .. }
        | AgentEvent::JobDone { name, .. } => name.clone(),
        AgentEvent::Compacted { removed, .. } => removed.to_string(),
        _ => first_words(&json),
    };
    Some(match words.is_empty() {
        true => name.to_owned(),
        false => format!("{name}: {words}"),
    })
}

/// Returns an error without the parts that differ between kinds of hooks or come from the provider.
fn short(error: &str) -> String {
    for end in [" and fails closed", "): "] {
        if let Some((before, _)) = error.split_once(end) {
            return before.replace(" (scripted, scripted, ", ", ");
        }
    }
    error.to_owned()
}

fn first_words(json: &Value) -> String {
    let by = json["by"].as_str();
    by.map(|by| format!("by {by}")).unwrap_or_default()
}
