//! Counts of the actions of hooks.

use portcullis::hooks::Mode;
use portcullis::verdict::Effect;
use portcullis_agent::{
    EventRow, JournalEvent, RunEnd, RunRecorder as _, RunRow, RunState, next_run_id,
};
use portcullis_store::RunFilter;

use crate::journal::{ended, journal, row, would};
use crate::support::{Empty, cases};

cases![
    statistics_are_of_a_hook_and_of_its_points,
    shadows_are_compared_with_what_was_enforced,
    outcomes_are_those_since_a_time,
    what_was_used_is_known_of_all_runs_or_of_none,
    repairs_are_those_that_agents_made_for_the_hook,
];

async fn statistics_are_of_a_hook_and_of_its_points(empty: Empty) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    let run = |hook: &str, point: &str, end: RunEnd| {
        let id = next_run_id();
        let point = point.to_owned();
        journal.begin(RunRow {
            point,
            ..row(id, hook)
        });
        journal.end(id, end);
    };
    for latency in 1..=100 {
        let end = RunEnd {
            outcome: Some("continue".into()),
            fuel: Some(latency * 1_000),
            memory: Some(2 << 20),
            ..ended(RunState::Completed, latency)
        };
        run("busy", "pre-turn", end);
    }
    let answered = |outcome: &str, mode| RunEnd {
        outcome: Some(outcome.to_owned().into()),
        mode: Some(mode),
        ..ended(RunState::Completed, 1_000_000)
    };
    run("busy", "pre-tool-call", answered("reject", Mode::Enforce));
    run("busy", "pre-tool-call", answered("reject", Mode::Audit));
    run("busy", "pre-tool-call", answered("reject", Mode::Audit));
    let failed = |cause: &str, fatal| RunEnd {
        cause: Some(cause.to_owned().into()),
        fatal,
        ..ended(RunState::Failed, 7)
    };
    run("busy", "pre-tool-call", failed("trap", true));
    run("busy", "pre-tool-call", failed("trap", false));
    run("busy", "pre-tool-call", ended(RunState::NotApplied, 7));
    run("later", "pre-turn", ended(RunState::Skipped, 0));
    // A model call is a part of the run that makes the call.
    run("busy", "model", ended(RunState::Completed, 5));

    let [busy, later] = &*journal.stats(&RunFilter::default())? else {
        anyhow::bail!("two hooks");
    };
    let all = &busy.total;
    assert_eq!(
        (busy.hook.as_str(), all.runs, all.calls),
        ("busy", 106, 106)
    );
    assert_eq!((all.outcome("continue"), all.outcome("reject")), (100, 1));
    assert_eq!(all.audited.get("reject"), Some(&2));
    assert_eq!(all.failures.get("trap"), Some(&2));
    assert_eq!(
        (all.failed(), all.fatal, all.not_applied, all.not_run()),
        (2, 1, 1, 3)
    );
    let latency = all.latency_us.as_ref().expect("a latency");
    assert_eq!((latency.p50, latency.max), (50, 1_000_000));
    assert_eq!(
        latency.buckets.iter().map(|(_, count)| count).sum::<u64>(),
        106
    );
    let near = |value: u64, to: u64| value.abs_diff(to) as f64 <= to as f64 * 0.016;
    let fuel = all.fuel.as_ref().expect("fuel");
    assert!(near(fuel.p50, 50_000) && near(fuel.p99, 99_000), "{fuel:?}");
    assert_eq!(all.memory.as_ref().map(|memory| memory.p99), Some(2 << 20));
    let points: Vec<(&str, u64)> = busy
        .points
        .iter()
        .map(|(p, it)| (p.as_str(), it.runs))
        .collect();
    assert_eq!(points, [("pre-tool-call", 6), ("pre-turn", 100)]);
    assert_eq!(
        (later.total.runs, later.total.skipped, later.total.calls),
        (1, 1, 0)
    );
    assert_eq!(later.total.latency_us, None);

    let only = journal.stats(&RunFilter {
        hook: Some("busy".into()),
        point: Some("pre-turn".into()),
        limit: 1,
        ..RunFilter::default()
    })?;
    assert_eq!((only.len(), only[0].total.runs), (1, 100));
    Ok(())
}

async fn shadows_are_compared_with_what_was_enforced(empty: Empty) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    let run = |hook: &str, session: &str, end: RunEnd| {
        let id = next_run_id();
        let session = session.to_owned();
        let point = "pre-turn".to_owned();
        journal.begin(RunRow {
            session,
            point,
            ..row(id, hook)
        });
        journal.end(id, end);
        id
    };
    let answered = |mode, outcome: &str| RunEnd {
        mode: Some(mode),
        outcome: Some(outcome.to_owned().into()),
        ..ended(RunState::Completed, 5)
    };
    let refused = |mode, code: &str| RunEnd {
        code: Some(code.into()),
        message: Some("because".into()),
        would: (mode == Mode::Audit).then(|| would(Effect::Refused)),
        ..answered(mode, "reject")
    };
    for _ in 0..8 {
        run("guard", "s", answered(Mode::Audit, "continue"));
        run("guard", "t", answered(Mode::Enforce, "continue"));
        run("other", "t", answered(Mode::Enforce, "continue"));
    }
    for n in 0..4 {
        run("guard", &format!("s-{n}"), refused(Mode::Audit, "words"));
    }
    let newest = run("guard", "s-4", refused(Mode::Audit, "words"));
    run("guard", "t", refused(Mode::Enforce, "words"));
    run("guard", "s", refused(Mode::Audit, "links"));
    let failed = RunEnd {
        cause: Some("trap".into()),
        mode: Some(Mode::Audit),
        outcome: None,
        ..self::ended(RunState::Failed, 5)
    };
    run("guard", "s", failed);

    let shadows = journal.shadow(&RunFilter::default())?;
    let [shadow] = shadows.as_slice() else {
        anyhow::bail!("only one hook was audited: {shadows:#?}");
    };
    assert_eq!(
        (shadow.hook.as_str(), shadow.point.as_str()),
        ("guard", "pre-turn")
    );
    assert_eq!((shadow.audited, shadow.enforced), (15, 9));
    let found: Vec<_> = shadow
        .findings
        .iter()
        .map(|it| {
            (
                it.outcome.as_deref(),
                it.cause.as_deref(),
                it.audited,
                it.would,
                it.enforced,
            )
        })
        .collect();
    assert_eq!(found[0], (Some("reject"), Some("words"), 5, 5, 1));
    assert!(
        found.contains(&(Some("reject"), Some("links"), 1, 1, 0)),
        "{found:?}"
    );
    assert!(found.contains(&(None, Some("trap"), 1, 0, 0)), "{found:?}");
    let examples = &shadow.findings[0].examples;
    assert_eq!(examples.len(), 3);
    assert_eq!(
        (examples[0].id, examples[0].session.as_str()),
        (newest, "s-4")
    );
    assert_eq!(examples[0].message.as_deref(), Some("because"));
    assert_eq!(examples[0].would, Some(would(Effect::Refused)));
    let none = journal.shadow(&RunFilter {
        hook: Some("other".into()),
        ..RunFilter::default()
    })?;
    assert!(none.is_empty());
    Ok(())
}

async fn outcomes_are_those_since_a_time(empty: Empty) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    for (id, point, at, state, outcome) in [
        (
            1,
            "session-start",
            500,
            RunState::Completed,
            Some("continue"),
        ),
        (
            2,
            "pre-tool-call",
            1_000,
            RunState::Completed,
            Some("reject"),
        ),
        (
            3,
            "pre-tool-call",
            1_001,
            RunState::Completed,
            Some("continue"),
        ),
        (
            4,
            "pre-tool-call",
            1_002,
            RunState::Completed,
            Some("continue"),
        ),
        (5, "post-turn", 1_003, RunState::Failed, None),
        (6, "pre-turn", 1_004, RunState::Skipped, None),
    ] {
        journal.begin(RunRow {
            point: point.into(),
            started_ms: at,
            ..row(id, "a")
        });
        journal.end(
            id,
            RunEnd {
                outcome: outcome.map(|outcome| outcome.to_owned().into()),
                ..RunEnd::of(state)
            },
        );
    }
    journal.begin(row(7, "b"));
    let read = journal.activity("a", 1_000)?.outcomes;
    let read: Vec<(&str, Vec<&str>)> = read
        .iter()
        .map(|(point, outcomes)| {
            (
                point.as_str(),
                outcomes.iter().map(String::as_str).collect(),
            )
        })
        .collect();
    assert_eq!(
        read,
        [
            ("post-turn", vec![]),
            ("pre-tool-call", vec!["continue", "reject"])
        ]
    );
    Ok(())
}

async fn what_was_used_is_known_of_all_runs_or_of_none(empty: Empty) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    let run = |hook: &str, used: &[&str], contributions: &[&str]| {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let id = next_run_id();
        journal.begin(row(id, hook));
        let end = RunEnd {
            used: Some(owned(used)),
            contributions: owned(contributions),
            ..ended(RunState::Completed, 1)
        };
        journal.end(id, end);
    };
    run("new", &[], &[]);
    run("new", &["secrets = \"KEY\""], &[]);
    run("new", &["contribute = \"note\""], &["d"]);
    run("new", &["agent-state-edit = \"plan\""], &["d"]);
    run("old", &["secrets = \"KEY\""], &["d"]);
    run("old", &["contribute = \"note\""], &["d"]);
    let used = journal.activity("new", 0)?.used.unwrap_or_default();
    assert_eq!(used.len(), 3, "{used:?}");
    assert_eq!(journal.activity("old", 0)?.used, None);
    Ok(())
}

async fn repairs_are_those_that_agents_made_for_the_hook(empty: Empty) -> anyhow::Result<()> {
    let journal = journal(&empty).await?;
    let repaired = |hook: &str, session: &str, action: &str, by: Option<&str>, at_ms: u64| {
        let id = next_run_id();
        journal.begin(RunRow {
            point: "llm-error".into(),
            session: session.into(),
            started_ms: at_ms,
            ..row(id, hook)
        });
        let end = RunEnd {
            outcome: Some("replace".into()),
            ..ended(RunState::Completed, 1)
        };
        journal.end(id, end);
        journal.event(EventRow {
            id: next_run_id(),
            session: session.into(),
            turn: 1,
            step: 1,
            at_ms,
            event: JournalEvent::Retry {
                action: serde_json::json!({ "do": action }),
                by: by.map(str::to_owned),
            },
        });
    };
    repaired("a", "s", "give-up", Some("a"), 500);
    repaired("a", "s", "retry", Some("a"), 1_000);
    repaired("a", "t", "switch-provider", Some("a"), 1_001);
    repaired("b", "s", "give-up", Some("b"), 1_002);
    repaired("a", "t", "give-up", None, 1_003);
    let repairs = |hook| Ok::<_, anyhow::Error>(journal.activity(hook, 1_000)?.repairs);
    assert_eq!(Vec::from_iter(repairs("a")?), ["retry", "switch-provider"]);
    assert_eq!(Vec::from_iter(repairs("b")?), ["give-up"]);
    assert!(repairs("c")?.is_empty());
    Ok(())
}
