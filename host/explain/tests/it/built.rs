//! Records by turn, step and call, and the links between them.

use portcullis_agent::{JournalEvent, RunRecorder as _};
use portcullis_explain::{Explanation, Item, Run, ToolCall, Totals, TurnState};

use crate::sample::{self, Sample, continues};

fn tools(explanation: &Explanation) -> Vec<&ToolCall> {
    let items = explanation.turns.iter().flat_map(|turn| turn.items());
    items
        .filter_map(|item| match item {
            Item::Tool(call) => Some(&**call),
            _ => None,
        })
        .collect()
}

fn run<'a>(explanation: &'a Explanation, id: &str) -> &'a Run {
    let found = explanation.runs().find(|(_, run)| run.id == id);
    found.map(|(_, run)| run).unwrap()
}

#[test]
fn what_ended_a_call_or_a_turn_is_linked_both_ways() {
    let explanation = sample::session().journal.explain("s");
    let [changed, refused] = tools(&explanation)[..] else {
        panic!("{explanation:#?}");
    };
    assert!(changed.ran && changed.caused_by.is_none());
    let cause = run(&explanation, refused.caused_by.as_deref().unwrap());
    assert_eq!(
        (cause.hook.as_str(), cause.ended.as_ref()),
        ("guard", Some(&refused.id))
    );
    let skipped = &refused.chains[0].runs[1];
    assert_eq!(skipped.stopped_by.as_ref(), Some(&cause.id));
    let end = explanation.turns[1].end.as_ref().unwrap();
    assert_eq!(end.state, TurnState::Failed);
    let cause = run(&explanation, end.caused_by.as_deref().unwrap());
    assert_eq!(
        (cause.code.as_deref(), cause.ended.as_deref()),
        (Some("injection"), Some("turn-2"))
    );
}

#[test]
fn a_refusal_of_a_call_does_not_end_a_turn_that_ends() {
    let explanation = sample::session().journal.explain("s");
    assert_eq!(explanation.turns[0].end.as_ref().unwrap().caused_by, None);
}

#[test]
fn totals_tell_refusals_from_those_of_audit_mode() {
    let explanation = sample::session().journal.explain("s");
    let expected = Totals {
        turns: 2,
        model_calls: 1,
        tool_calls: 2,
        runs: 6,
        refusals: 2,
        would_refuse: 1,
        changes: 1,
        failures: 0,
        not_run: 2,
        hooks_us: 8 * 180,
        fuel: 8 * 4_200,
    };
    assert_eq!(explanation.totals, expected);
    assert_eq!(explanation.only(2).totals.refusals, 1);
}

#[test]
fn a_sub_agent_stands_in_the_call_that_started_it() {
    let mut sample = Sample::new();
    sample.turn = 1;
    sample.event(JournalEvent::SubagentStarted {
        call_id: "c".into(),
        agent: "researcher".into(),
        session: "below".into(),
    });
    sample.finished("c", true, "found");
    // It names itself, as no agent does.
    sample.event(JournalEvent::SubagentStarted {
        call_id: "c".into(),
        agent: "researcher".into(),
        session: "s".into(),
    });
    let explanation = sample.journal.explain("s");
    assert_eq!(tools(&explanation)[0].subagent, None, "not itself");
    let other = Sample::new();
    other.run("pre-turn", "guard", None, continues());
    assert!(other.journal.keeps_values());
}

#[test]
fn another_pass_of_a_chain_is_another_chain() {
    let mut sample = Sample::new();
    sample.turn = 1;
    for _ in 0..3 {
        sample.run("message-added", "guard", None, continues());
        sample.run("message-added", "audit", None, continues());
    }
    let explanation = sample.journal.explain("s");
    let turn = explanation.turns.last().unwrap();
    assert_eq!(turn.items().count(), 3);
}

#[test]
fn who_answered_stands_in_the_turn_and_at_the_run_that_asked() {
    let mut sample = Sample::new();
    sample.turn = 1;
    sample.event(JournalEvent::TurnBegan { input: None });
    sample.step = 2;
    let asks = sample::answers("ask");
    sample.run("pre-tool-call", "guard", Some("c"), asks);
    sample.event(JournalEvent::TurnSuspended {
        reason: "a question was deferred".into(),
    });
    sample.step = 0;
    sample.event(JournalEvent::Answered {
        call_id: "c".into(),
        by: "ann".into(),
        answer: "denied".into(),
    });
    sample.event(JournalEvent::TurnResumed);
    let explanation = sample.journal.explain("s");
    let turn = explanation.turns.last().unwrap();
    assert_eq!(turn.end, None, "it runs again");
    assert!(tools(&explanation)[0].chains[0].runs[0].refused());
    let notes = turn.items().filter_map(|item| match item {
        Item::Note(note) => Some(note.text.as_str()),
        _ => None,
    });
    assert_eq!(notes.collect::<Vec<_>>()[0], "ann denied: call c");
    assert_eq!(turn.steps[0].items.len(), 2, "the note is in the last step");
}
