//! The waiting turns of a session.

use maud::{Markup, html};
use portcullis::approval::ApprovalDecision;
use portcullis::text::{indented_json, is_hidden};
use portcullis_agent::{CheckpointInfo, PendingCall, ProcessState, Resolution, Wanted};

use crate::row::shown;
use crate::ui::Progress;

/// The waiting turns of a session.
#[derive(Default)]
pub(crate) struct Waits {
    /// Its suspended turns, including those that a process has claimed.
    pub(crate) turns: Vec<CheckpointInfo>,
    /// Whether one of its turns was interrupted and no process has it open.
    pub(crate) interrupted: bool,
    /// The progress of the turn that was continued here.
    pub(crate) progress: Option<Progress>,
}

impl Waits {
    /// Returns the number of calls without an answer.
    pub(crate) fn asked(&self) -> usize {
        self.turns.iter().map(asked).sum()
    }
}

/// Returns the number of a turn's calls without an answer.
pub(crate) fn asked(turn: &CheckpointInfo) -> usize {
    let open = |call: &&PendingCall| !turn.resolutions.contains_key(&call.call_id);
    match &turn.claim {
        Some(_) => 0,
        None if turn.is_over() => 0,
        None => turn.pending.iter().filter(open).count(),
    }
}

/// Renders the waiting turns, with the possible actions.
pub(crate) fn panel(session: &str, waits: &Waits) -> Markup {
    let is_empty = waits.turns.is_empty() && !waits.interrupted && waits.progress.is_none();
    html! {
        section #waits .asks[!is_empty] hidden[is_empty] {
            @match waits.asked() {
                0 => "",
                1 => h2 { "A call waits for you" },
                n => h2 { (n) " calls wait for you" },
            }
            @match &waits.progress {
                Some(Progress::Runs) => p.answered { "The turn continues …" },
                Some(Progress::Failed(why)) => p.said-why { "Continuing the turn failed: " (shown(why)) },
                None => "",
            }
            @for turn in &waits.turns { (self::turn(turn, waits.progress.as_ref())) }
            @if waits.interrupted && waits.progress != Some(Progress::Runs) {
                div.ask data-session=(session) {
                    p.question { "The last turn was interrupted: its process died." }
                    div.does {
                        button.yes type="button" data-do="finish" { "Finish it" }
                        button.no type="button" data-do="cancel" { "Cancel it" }
                    }
                    p.said-why {}
                }
            }
        }
    }
}

fn turn(turn: &CheckpointInfo, progress: Option<&Progress>) -> Markup {
    let id = turn.id.to_string();
    html! {
        @if let Some(claim) = &turn.claim {
            @let state = claim.process_state();
            div.ask data-checkpoint=(id) {
                p { "Turn " (turn.turn) " is continued by process " (claim.process) " on " (shown(&claim.host))
                    @match state {
                        ProcessState::Alive => ".",
                        ProcessState::Dead => ", which is dead.",
                        ProcessState::Unknown => ", which cannot be seen from here.",
                    }
                }
                @if state == ProcessState::Dead {
                    p { "Released, it begins again where it was suspended: tools that ran since run once more." }
                    div.does {
                        button.yes type="button" data-do="release" { "Release it" }
                        button.no type="button" data-do="discard" data-sure="Discard the turn? It cannot be continued then." { "Discard it" }
                    }
                }
                p.said-why {}
            }
        } @else {
            @for call in &turn.pending { (self::call(turn, &id, call)) }
            @if (turn.is_resolved() || turn.is_over()) && progress != Some(&Progress::Runs) {
                div.ask data-checkpoint=(id) {
                    div.does {
                        button.yes type="button" data-do="resume" { "Continue the turn" }
                        span.quiet { @if turn.is_resolved() { "Every call has its answer." } @else { "The time for answers is over." } }
                    }
                    p.said-why {}
                }
            }
        }
    }
}

fn call(turn: &CheckpointInfo, checkpoint: &str, call: &PendingCall) -> Markup {
    let answer = turn.resolutions.get(&call.call_id);
    let by = turn.answered.get(&call.call_id);
    let arguments = indented(&call.arguments);
    html! {
        div.ask data-checkpoint=(checkpoint) data-call=(call.call_id) {
            @match &call.wants {
                Wanted::Decision { hook, request, then } => {
                    p.question { (shown(&request.question)) }
                    @if let Some(details) = &request.details { p { (shown(details)) } }
                    p.quiet { "asked by " b { (shown(hook)) } ", before the tool " b { (shown(&call.tool)) } " runs with" }
                    @for next in then {
                        p.quiet { "then " b { (shown(&next.hook)) } " asks: " (shown(&next.request.question)) }
                    }
                }
                Wanted::Result => p.question { "The tool " (shown(&call.tool)) " is yours to run: give its result." },
            }
            pre { (shown(&arguments)) }
            @match (answer, &call.wants) {
                (Some(answer), _) => p.answered { (words(answer)) @if let Some(by) = by { " " span.quiet { "by " (shown(&by.who)) } } },
                (None, _) if turn.is_over() => p.answered { "No answer came in time." },
                (None, Wanted::Decision { .. }) => {
                    div.does {
                        button.yes type="button" data-do="approve" { "Approve" }
                        input.why type="text" placeholder="Why not, for the model" aria-label="Reason" autocomplete="off";
                        button.no type="button" data-do="deny" { "Deny" }
                    }
                    details {
                        summary { "Approve other arguments" }
                        textarea aria-label="Arguments" spellcheck="false" { (arguments) }
                        div.does { button type="button" data-do="edit" { "Approve these" } }
                    }
                }
                (None, Wanted::Result) => {
                    textarea aria-label="Result" spellcheck="false" {}
                    div.does { button.yes type="button" data-do="result" { "Give the result" } }
                }
            }
            p.said-why {}
        }
    }
}

fn words(answer: &Resolution) -> Markup {
    html! {
        @match answer {
            Resolution::Decision(ApprovalDecision::Approve) => "Approved.",
            Resolution::Decision(ApprovalDecision::Deny(reason) | ApprovalDecision::Unanswered(reason)) => { "Denied: " (shown(reason)) },
            Resolution::Decision(ApprovalDecision::Edit(value)) => { "Approved with other arguments: " (shown(value)) },
            Resolution::Decision(ApprovalDecision::Defer) => "Deferred.",
            Resolution::Result(output) => { "Its result: " (shown(&output.content)) },
        }
    }
}

/// Returns the text of the arguments with a line for each field. Invisible characters are escaped
/// as in JSON, so that the arguments stay the same.
fn indented(arguments: &str) -> String {
    let text = indented_json(arguments);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) && c != '\n' {
            true => {
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units).iter();
                out.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
            false => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use portcullis_agent::{CheckpointId, Question};
    use serde_json::Value;

    use super::*;

    #[test]
    fn arguments_are_seen_whole_and_stay_the_same() {
        let hidden =
            serde_json::json!({ "path": "a\u{202e}b\u{e0041}\n", "long": "x".repeat(100_000) });
        let shown = indented(&hidden.to_string());
        assert!(
            shown.contains("a\\u202eb\\udb40\\udc41\\n"),
            "{}",
            &shown[..80]
        );
        assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), hidden);
    }

    #[test]
    fn the_text_that_is_approved_is_shown_and_is_what_is_edited() {
        let asked = PendingCall {
            call_id: "c1".into(),
            tool: "pay".into(),
            arguments: r#"{"to":"eve", "to":"ann","n":123456789012345678901234567890,"d":[0.10000000000000000001]}"#.into(),
            wants: Wanted::Decision {
                hook: "guard".into(),
                request: Question {
                    question: "Pay?".into(),
                    details: None,
                },
                then: Vec::new(),
            },
        };
        let turn = CheckpointInfo {
            id: CheckpointId::new(1, [1; 16]),
            saved_ms: 1,
            claim: None,
            session: "s".into(),
            agent: "a".into(),
            turn: 1,
            reason: "a question was deferred".into(),
            pending: vec![asked.clone()],
            resolutions: BTreeMap::new(),
            answered: BTreeMap::new(),
            until_ms: None,
            of_subagent: false,
        };
        let page = call(&turn, "1", &asked).into_string();
        let expected = r#"{
  "to": "eve",
  "to": "ann",
  "n": 123456789012345678901234567890,
  "d": [
    0.10000000000000000001
  ]
}"#;
        let expected = expected.replace('"', "&quot;");
        for (from, to) in [
            ("<pre><bdi>", "</bdi></pre>"),
            ("spellcheck=\"false\">", "</textarea>"),
        ] {
            let (_, rest) = page.split_once(from).unwrap();
            assert_eq!(rest.split_once(to).unwrap().0, expected);
        }
    }
}
