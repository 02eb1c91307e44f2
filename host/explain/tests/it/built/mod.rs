//! Records by turn, step and call, and the links between them.

mod approvals;
mod calls;
mod causes;

use portcullis::hooks::Mode;
use portcullis_agent::{
    FieldChange, JournalEvent, RetryAction, RunEnd, RunRecorder as _, RunState,
};
use portcullis_explain::{Explanation, Item, ToolCall, Totals, TurnState, page};
use serde_json::json;

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

/// Returns a session in the first step of its first turn.
fn stepping() -> Sample {
    let mut sample = Sample::new();
    sample.turn = 1;
    sample.event(JournalEvent::TurnBegan { input: None });
    sample.step = 1;
    sample
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
fn a_turn_that_was_interrupted_is_not_the_one_that_began_in_its_place() {
    let mut sample = stepping();
    sample.finished("a", true, "slept");
    // Another process opens the session, which was saved before that turn.
    for input in ["first", "second"] {
        sample.step = 0;
        let input = Some(input.to_owned());
        sample.event(JournalEvent::TurnBegan { input });
        sample.step = 1;
        sample.finished("a", true, "read");
    }
    let explanation = sample.journal.explain("s");
    let turns = explanation.turns.iter();
    let turns = turns.map(|turn| (turn.id(), turn.input.as_deref(), turn.items().count()));
    assert_eq!(
        turns.collect::<Vec<_>>(),
        [
            ("turn-1".to_owned(), None, 1),
            ("turn-1-1".to_owned(), Some("first"), 1),
            ("turn-1-2".to_owned(), Some("second"), 1),
        ]
    );
    let ends = explanation.turns.iter().map(|turn| turn.end.as_ref());
    let ends = ends.map(|end| end.map(|end| end.state));
    let interrupted = Some(TurnState::Interrupted);
    assert_eq!(ends.collect::<Vec<_>>(), [interrupted, interrupted, None]);
    let page = page(&explanation);
    assert!(page.contains("its process died or dropped it"));
    assert!(page.contains("id=\"turn-1-2\"") && page.contains("href=\"#turn-1-2\""));
}

#[test]
fn it_is_not_known_what_followed_a_run_whose_process_died() {
    let sample = stepping();
    let lost = RunEnd::of(RunState::Lost);
    sample.run("pre-tool-call", "guard", Some("a"), lost);
    let page = page(&sample.journal.explain("s"));
    assert!(page.contains("Its process died: it is not known what followed."));
    assert!(!page.contains("It fails open"));
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
    // The session names itself as its sub-agent, which no agent does.
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
fn what_was_done_about_a_failed_model_call_is_said_in_words() {
    let json = |action: RetryAction| serde_json::to_value(action).unwrap();
    let switch = RetryAction::SwitchProvider {
        provider: "backup".into(),
        model: "small-1".into(),
    };
    let reason = "the budget is spent".to_owned();
    let cases = [
        (
            json(RetryAction::Retry { delay_ms: 40 }),
            "the model is called again after 40 ms",
        ),
        (json(switch), "switched to backup/small-1"),
        (
            json(RetryAction::GiveUp { reason }),
            "gave up: the budget is spent",
        ),
        (
            json!({ "do": "wait" }),
            r#"after the failed model call: {"do":"wait"}"#,
        ),
    ];
    for (action, expected) in cases {
        let sample = stepping();
        sample.event(JournalEvent::Retry { action, by: None });
        let explanation = sample.journal.explain("s");
        let items = explanation.turns.last().unwrap().items();
        let notes: Vec<_> = items
            .filter_map(|item| match item {
                Item::Note(note) => Some(note.text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(notes, [expected]);
    }
}

#[test]
fn what_a_hook_contributed_is_shown_where_the_journal_has_it() {
    let mut sample = Sample::new();
    sample.turn = 1;
    let adds = |added: Option<Vec<FieldChange>>| RunEnd {
        contributions: vec!["d".into()],
        added,
        ..sample::answers("contribute")
    };
    let field = FieldChange {
        path: "/0/section/text".into(),
        before: None,
        after: Some("Be brief.".into()),
    };
    sample.run("prompt-compile", "brief", None, adds(Some(vec![field])));
    let shown = page(&sample.journal.explain("s"));
    for part in [
        "It contributed 1 thing.",
        "/0/section/text",
        "<ins>Be brief.</ins>",
    ] {
        assert!(shown.contains(part), "no `{part}`");
    }
    // A journal without values has a digest alone.
    let mut sample = Sample::new();
    sample.turn = 1;
    sample.run("prompt-compile", "brief", None, adds(None));
    let explanation = sample.journal.explain("s");
    let (_, run) = explanation.runs().next().unwrap();
    assert_eq!((run.contributed, run.added.len()), (1, 0));
    assert!(page(&explanation).contains("It contributed 1 thing."));
    // In audit mode nothing is contributed.
    let mut sample = Sample::new();
    sample.turn = 1;
    let audited = RunEnd {
        mode: Some(Mode::Audit),
        ..adds(None)
    };
    sample.run("prompt-compile", "brief", None, audited);
    let shown = page(&sample.journal.explain("s"));
    assert!(shown.contains("Enforced, it would have contributed 1 thing."));
    assert!(!shown.contains("It contributed"));
}
