//! The item that a refusal ended: a call, a turn or a result, with links both ways.

use portcullis_agent::{JournalEvent, RunEnd};
use portcullis_explain::{Explanation, Run, TurnState, page};

use super::{stepping, tools};
use crate::sample::{self, Sample, continues, fails_closed, refuses};

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

/// Returns the hook runs that the turn's failure is linked to, by their points.
fn blamed(sample: &Sample) -> Vec<String> {
    sample.event(JournalEvent::TurnFailed {
        error: "the model is overloaded".into(),
        cancelled: false,
        elapsed_ms: 1,
    });
    let explanation = sample.journal.explain("s");
    let end = explanation.turns.last().unwrap().end.as_ref().unwrap();
    let ended = explanation.runs().filter(|(_, run)| run.ended.is_some());
    let ended: Vec<_> = ended.collect();
    assert_eq!(
        ended.iter().map(|(_, run)| &run.id).collect::<Vec<_>>(),
        end.caused_by.iter().collect::<Vec<_>>()
    );
    ended
        .into_iter()
        .map(|(chain, _)| chain.point.clone())
        .collect()
}

#[test]
fn a_failed_turn_is_blamed_on_a_refusal_only_where_a_refusal_fails_it() {
    let refuses = || refuses("no", "No.");
    let cases: [(&str, RunEnd, bool); 12] = [
        ("pre-step", refuses(), true),
        ("pre-llm-call", refuses(), true),
        ("post-llm-call", refuses(), true),
        ("post-step", fails_closed(), true),
        ("llm-delta", fails_closed(), true),
        ("llm-delta", refuses(), false),
        ("pre-compaction", refuses(), false),
        ("pre-compaction", fails_closed(), false),
        ("tool-update", refuses(), false),
        ("tool-update-sent", fails_closed(), false),
        ("turn-error", fails_closed(), false),
        ("a-later-point", refuses(), false),
    ];
    for (point, end, is_blamed) in cases {
        let sample = stepping();
        let said = format!("{point}: {end:?}");
        sample.run(point, "guard", None, end);
        let expected = if is_blamed { vec![point] } else { vec![] };
        assert_eq!(blamed(&sample), expected, "{said}");
    }
}

#[test]
fn a_refusal_within_a_compaction_does_not_fail_the_turn() {
    let mut sample = stepping();
    sample.run("pre-llm-call", "guard", None, refuses("no", "No summary."));
    sample.run("pre-llm-call", "guard", None, continues());
    sample.model(0);
    assert_eq!(blamed(&sample), Vec::<String>::new());

    let mut sample = stepping();
    sample.run("pre-llm-call", "guard", None, continues());
    sample.run("llm-delta", "guard", None, fails_closed());
    sample.model(0);
    assert_eq!(blamed(&sample), ["llm-delta"]);
}

#[test]
fn a_withheld_result_is_linked_to_the_hook_that_refused_it() {
    let mut sample = stepping();
    sample.run("pre-tool-call", "jail", Some("a"), continues());
    sample.event(JournalEvent::ToolStarted {
        call_id: "a".into(),
        name: "write_file".into(),
        arguments: None,
    });
    let noise = refuses("noise", "Too much.");
    sample.run("tool-update", "jail", Some("a"), noise);
    let secret = refuses("secret", "Not for the model.");
    sample.run("post-tool-call", "guard", Some("a"), secret);
    sample.finished("a", true, "[The tool ran]");
    let explanation = sample.journal.explain("s");
    let [call] = tools(&explanation)[..] else {
        panic!("{explanation:#?}");
    };
    assert_eq!(call.caused_by, None, "it ran");
    let withheld = run(&explanation, call.withheld_by.as_deref().unwrap());
    assert_eq!(
        (withheld.hook.as_str(), withheld.ended.as_ref()),
        ("guard", Some(&call.id))
    );
    let ended = explanation.runs().filter(|(_, run)| run.ended.is_some());
    assert_eq!(ended.count(), 1, "an update that is withheld ends nothing");
    let page = page(&explanation);
    for part in ["Result withheld because of", "It withheld the result of"] {
        assert!(page.contains(part), "no `{part}`");
    }
}
