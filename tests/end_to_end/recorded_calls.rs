//! Recorded calls that are replayed: clocks and random numbers are as recorded. Calls that were too
//! large are counted, sessions that share instances have recordings of all their calls, and no
//! recording has a secret.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use portcullis::SessionOptions;
use portcullis::observer::{HookEvent, HookObserver, LogLine, TracingSink};
use portcullis::recording::RecordedCall;
use portcullis::reload::Reload;
use portcullis_agent::JournalObserver;
use portcullis_store::{Journal, RecordingFilter, RecordingOptions, Redaction, Rule, Store};
use portcullis_tests::{HooksDir, cache, component, hook, probe, turn};
use portcullis_workbench::replay::{Kind, ReplayOptions, replay};
use serde_json::{Value, json};
use tokio::task::block_in_place;

use crate::recorded_directories::record;

/// Records turns of one session, in each of which the probe performs this action.
async fn recorded(
    action: &str,
    options: RecordingOptions,
    turns: &[&str],
) -> anyhow::Result<(Store, RecordingFilter)> {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe(&format!("pre-turn = \"{action}\"")));
    record(dir.path(), options, turns).await
}

/// Returns options that replay with the component that made the calls.
fn options() -> ReplayOptions {
    ReplayOptions {
        cache: cache(),
        ..ReplayOptions::new(component("probe"), "probe".into())
    }
}

/// Returns the value that the probe left.
fn text(value: Option<&Value>) -> String {
    value.expect("a value").to_string()
}

const TURNS: [&str; 3] = ["a", "b", "c"];

#[tokio::test(flavor = "multi_thread")]
async fn the_clock_says_what_it_said() -> anyhow::Result<()> {
    let (store, filter) = recorded("now", RecordingOptions::default(), &TURNS).await?;
    let mut calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    for call in &calls {
        let said = text(call.outcome.value.as_ref());
        let mut read = call.world.wall.iter();
        let is_read = read.any(|time| said.contains(&time.as_millis().to_string()));
        assert!(is_read, "{said}: {:?}", call.world);
    }
    let report = block_in_place(|| replay(calls.clone(), &options()))?;
    assert_eq!((report.calls, report.identical), (3, 3), "{report:#?}");
    assert_eq!(report.fuel.recorded, report.fuel.now);

    // The recording has the time, and not this machine.
    for call in &mut calls {
        call.world.wall = vec![Duration::from_millis(1_234_567_890_123)];
    }
    let report = block_in_place(|| replay(calls, &options()))?;
    assert_eq!(report.changed, 3, "{report:#?}");
    for difference in &report.differences {
        let said = text(difference.now.value.as_ref());
        assert!(said.contains("1234567890123"), "{said}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn random_numbers_are_what_they_were() -> anyhow::Result<()> {
    let mut drawn = Vec::new();
    for _ in 0..2 {
        let (store, filter) = recorded("random", RecordingOptions::default(), &TURNS).await?;
        let mut calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
        let values = calls.iter().map(|call| text(call.outcome.value.as_ref()));
        drawn.push(values.collect::<Vec<_>>());
        let report = block_in_place(|| replay(calls.clone(), &options()))?;
        assert_eq!((report.calls, report.identical), (3, 3), "{report:#?}");
        assert_eq!(report.fuel.recorded, report.fuel.now);

        // The random numbers come from the recorded seed.
        for call in &mut calls {
            call.instance.seed = [1, 2];
        }
        let report = block_in_place(|| replay(calls, &options()))?;
        assert_eq!(report.changed, 3, "{report:#?}");
    }
    assert_ne!(drawn[0], drawn[1], "each instance has a seed of its own");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_call_that_is_too_large_only_its_outcome_is_kept() -> anyhow::Result<()> {
    let recording = RecordingOptions {
        call_bytes: NonZeroUsize::new(4_000).expect("some"),
        ..RecordingOptions::default()
    };
    let long = "x".repeat(20_000);
    let (store, filter) = recorded("count", recording, &["a", &long, "c"]).await?;
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    let [first, large, third] = &calls[..] else {
        panic!("{calls:#?}");
    };
    assert_eq!((first.too_large, third.too_large), (None, None));
    assert!(!first.views.is_empty() && first.outcome.value.is_some());
    let bytes = large.too_large.expect("its bytes");
    assert!(bytes > 20_000, "{bytes}");
    assert_eq!(large.outcome.status["completed"]["outcome"], "transform");
    assert!(large.outcome.fuel.is_some());
    assert_eq!(large.outcome.value, None);
    assert!(large.views.is_empty() && large.subject.is_null() && large.context.is_none());

    let report = block_in_place(|| replay(calls, &options()))?;
    assert_eq!((report.calls, report.replayed), (3, 2), "{report:#?}");
    let why = format!("it was too large to be recorded: {bytes} bytes (`call-bytes`)");
    assert_eq!(report.not_replayed, BTreeMap::from([(why, 1)]));
    // The replayed hook has not had the large call, so it counts one less after it.
    assert_eq!((report.identical, report.incomplete), (1, 1), "{report:#?}");
    let [after] = &report.differences[..] else {
        panic!("{report:#?}");
    };
    assert_eq!((after.kind, after.incomplete), (Kind::Changed, true));
    assert!(
        text(after.recorded.value.as_ref()).contains('3'),
        "{after:?}"
    );
    assert!(text(after.now.value.as_ref()).contains('2'), "{after:?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_call_is_counted_and_the_others_are_made() -> anyhow::Result<()> {
    let (store, filter) = recorded("append !", RecordingOptions::default(), &TURNS).await?;
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    for damaged in ["view", "subject", "point"] {
        let mut calls = calls.clone();
        let call = &mut calls[1];
        let said = match damaged {
            "view" => "the recording is damaged: ",
            _ => "it does not fit its point as it is in this version: ",
        };
        match damaged {
            "view" => drop(call.views.insert("content".into(), Arc::new(json!(7)))),
            "subject" => call.subject = json!("no facts"),
            _ => call.point = "pre-nothing".into(),
        }
        let report = block_in_place(|| replay(calls, &options()))?;
        assert_eq!((report.calls, report.replayed), (3, 2), "{report:#?}");
        let (why, calls) = report.not_replayed.first_key_value().expect("a reason");
        assert!(why.starts_with(said), "{why}");
        assert_eq!((report.not_replayed.len(), *calls), (1, 1));
        assert_eq!((report.identical, report.incomplete), (2, 1), "{report:#?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn state_that_is_too_large_is_missing_in_its_call_only() -> anyhow::Result<()> {
    let dir = HooksDir::new().with("spender").settings(
        "[hooks.spender.grants]\nstate = true\nshared-state = [\"sums\"]\n\
         [hooks.spender.limits]\nfuel = 5_000_000_000\ndeadline-ms = 10_000\nwall-ms = 20_000\n",
    );
    let recording = RecordingOptions {
        call_bytes: NonZeroUsize::new(16 << 20).expect("some"),
        ..RecordingOptions::default()
    };
    // The quota refuses it, but the hook has passed it.
    let large = format!("set {}", "z".repeat(1_100_000));
    let (store, filter) = record(dir.path(), recording, &["set a", &large, "get"]).await?;
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    let worlds = calls.iter().map(|call| &call.world);
    let kept = worlds.map(|world| (world.calls.len(), world.missing.as_deref()));
    let missing = "more than 4 MiB of arguments and results of state";
    let expected = [(1, None), (0, Some(missing)), (1, None)];
    assert_eq!(kept.collect::<Vec<_>>(), expected);

    let options = ReplayOptions {
        cache: cache(),
        ..ReplayOptions::new(component("spender"), "spender".into())
    };
    let report = block_in_place(|| replay(calls, &options))?;
    assert_eq!((report.calls, report.replayed), (3, 2), "{report:#?}");
    let why = format!("it was not recorded as a whole: {missing}");
    assert_eq!(report.not_replayed, BTreeMap::from([(why, 1)]));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_ended_at_its_deadline_is_not_made() -> anyhow::Result<()> {
    let limits = "[hooks.probe.limits]\nfuel = false\ndeadline-ms = 20\n";
    let dir = HooksDir::new()
        .with("probe")
        .settings(&format!("{}{limits}", probe("pre-turn = \"spin\"")));
    let (store, filter) = record(dir.path(), RecordingOptions::default(), &["a"]).await?;
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    assert_eq!(calls[0].outcome.status["failed"]["cause"], "deadline");
    // A file that is no component cannot be called.
    let file = dir.path().join("hooks.toml");
    let report = block_in_place(|| replay(calls, &ReplayOptions::new(file, "probe".into())))?;
    assert_eq!((report.calls, report.replayed), (1, 0), "{report:#?}");
    Ok(())
}

/// Returns an observer that records calls in this journal.
fn recorder(journal: &Journal) -> Arc<dyn HookObserver> {
    let to = Arc::new(TracingSink);
    Arc::new(JournalObserver::new(to, Some(Arc::new(journal.clone()))))
}

/// Counts the calls that it receives, although it requests none.
#[derive(Default)]
struct Unrecorded(AtomicUsize);

impl HookObserver for Unrecorded {
    fn log(&self, _: LogLine<'_>) {}

    fn event(&self, _: HookEvent) {}

    fn call_ended(&self, _: RecordedCall) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_that_record_share_instances_with_each_other_only() -> anyhow::Result<()> {
    let unrecorded_first = ["plain", "one", "plain", "two", "one"];
    let recorded_first = ["one", "plain", "two", "plain", "one"];
    // The probe counts in the memory of the instance, or in the state of the session.
    for (action, sessions, counts) in [
        ("count", unrecorded_first, ["1", "1", "2", "2", "3"]),
        ("count", recorded_first, ["1", "1", "2", "2", "3"]),
        ("remember", unrecorded_first, ["1", "1", "2", "1", "2"]),
    ] {
        let shared = "isolation = \"shared\"";
        let settings = hook("probe", shared, &format!("pre-turn = \"{action}\""));
        let hooks = HooksDir::new().with("probe").settings(&settings).load();
        let store = Store::temporary()?;
        let journal = store.journal()?;
        let journal = journal.recording(store.recorder(RecordingOptions::default())?);
        let recorder = recorder(&journal);
        let unrecorded = Arc::new(Unrecorded::default());
        let open = |id: &str| {
            let sink: Arc<dyn HookObserver> = match id {
                "plain" => unrecorded.clone(),
                _ => recorder.clone(),
            };
            hooks.session(SessionOptions {
                sink,
                ..SessionOptions::new(id)
            })
        };
        let open = BTreeMap::from(["plain", "one", "two"].map(|id| (id, open(id))));
        let mut counted = Vec::new();
        for id in sessions {
            let mut call = turn("hello");
            let verdict = open[id].run(&mut call).await;
            assert!(verdict.decision.passed(), "{:?}", verdict.decision);
            counted.push(portcullis_tests::text(&call));
        }
        assert_eq!(counted, counts, "{action} {sessions:?}");
        assert_eq!(unrecorded.0.load(Ordering::Relaxed), 0);

        block_in_place(|| journal.flush())?;
        let calls = block_in_place(|| store.recorded_calls(&RecordingFilter::default()))?.calls;
        let numbers = calls.iter();
        let numbers = numbers.map(|call| (call.session.to_string(), call.instance.call));
        let numbers: Vec<(String, u64)> = numbers.collect();
        let expected = [("one", 0_u64), ("two", 1), ("one", 2)];
        assert_eq!(numbers, expected.map(|(id, call)| (id.to_owned(), call)));
        let instance = calls[0].instance.instance;
        assert!(calls.iter().all(|it| it.instance.instance == instance));
        // The last call is replayed after all calls of its instance, including those of other
        // sessions.
        let filter = RecordingFilter {
            since_ms: Some(calls[2].at_ms),
            ..RecordingFilter::default()
        };
        let since = block_in_place(|| store.recorded_calls(&filter))?.calls;
        assert_eq!(since.len(), calls.len());

        let report = block_in_place(|| replay(calls, &options()))?;
        assert_eq!((report.identical, report.incomplete), (3, 0), "{report:#?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_has_no_secret_of_a_hook_that_was_loaded_after_its_instance_began()
-> anyhow::Result<()> {
    const KEY: &str = "k-4711-loaded-later";
    let settings = probe("pre-turn = \"count\"");
    let dir = HooksDir::new()
        .with("probe")
        .with_file("key", KEY.as_bytes())
        .settings(&settings);
    let hooks = dir.load();
    let store = Store::temporary()?;
    let journal = store.journal()?;
    let journal = journal.recording(store.recorder(RecordingOptions::default())?);
    let session = hooks.session(SessionOptions {
        sink: recorder(&journal),
        ..SessionOptions::new("s")
    });
    session.run(&mut turn(KEY)).await;
    let granted = "[hooks.keyholder.grants]\nevents = true\nsecrets = [\"KEY\"]\n\
                   [secrets]\nKEY = { file = \"key\" }\n";
    let dir = dir.with("keyholder");
    dir.put("hooks.toml", format!("{settings}{granted}").as_bytes());
    let reloaded = hooks.reload();
    assert!(matches!(reloaded, Reload::Done(_)), "{reloaded:?}");
    session.run(&mut turn(KEY)).await;

    block_in_place(|| journal.flush())?;
    let filter = RecordingFilter {
        hook: Some("probe".to_owned()),
        ..RecordingFilter::default()
    };
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    let [before, after] = &calls[..] else {
        panic!("{calls:#?}");
    };
    let numbers = [before, after].map(|call| (call.instance.instance, call.instance.call));
    let instance = before.instance.instance;
    assert_eq!(numbers, [(instance, 0), (instance, 1)]);
    // The key was not a secret when it was recorded.
    assert!(format!("{before:?}").contains(KEY));
    let after_text = format!("{after:?}");
    assert!(!after_text.contains(KEY), "{after_text}");
    assert!(after_text.contains("[secret KEY]"), "{after_text}");
    let lengths = BTreeMap::from([("KEY".to_owned(), KEY.len())]);
    assert_eq!(after.setup.of.secrets, lengths);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn recorded_state_has_no_secret_and_is_read_again() -> anyhow::Result<()> {
    const KEY: &str = "k-4711-in-state";
    let dir = HooksDir::new()
        .with("spender")
        .with("keyholder")
        .with_file("key", KEY.as_bytes())
        .settings(
            "[hooks.spender.grants]\nstate = true\nshared-state = [\"sums\"]\n\
             [hooks.keyholder.grants]\nevents = true\nsecrets = [\"KEY\"]\n\
             [secrets]\nKEY = { file = \"key\" }\n",
        );
    let (set, put) = (format!("set {KEY}"), format!("put {KEY}"));
    let lines = [set.as_str(), "get", put.as_str(), "read"];
    let (store, filter) = record(dir.path(), RecordingOptions::default(), &lines).await?;
    let filter = RecordingFilter {
        hook: Some("spender".to_owned()),
        ..filter
    };
    let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
    assert_eq!(calls.len(), lines.len());
    for call in &calls {
        let world = serde_json::to_string(&call.world)?;
        let has = |text: &str| {
            let bytes: Vec<String> = text.bytes().map(|byte| byte.to_string()).collect();
            world.contains(&bytes.join(","))
        };
        assert!(!has(KEY) && has("[secret KEY]"), "{world}");
        assert!(!call.redacted);
    }
    let options = ReplayOptions {
        cache: cache(),
        ..ReplayOptions::new(component("spender"), "spender".into())
    };
    let report = block_in_place(|| replay(calls, &options))?;
    assert_eq!((report.replayed, report.changed), (4, 0), "{report:#?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_whose_configuration_a_rule_changed_is_redacted() -> anyhow::Result<()> {
    for (rule, is_redacted) in [("^count$", true), ("^counts$", false)] {
        let options = RecordingOptions {
            redaction: Redaction::new(vec![Rule::new(rule)?]),
            ..RecordingOptions::default()
        };
        let (store, filter) = recorded("count", options, &TURNS).await?;
        let calls = block_in_place(|| store.recorded_calls(&filter))?.calls;
        assert_eq!(calls.len(), TURNS.len());
        assert!(calls.iter().all(|call| call.redacted == is_redacted));
    }
    Ok(())
}
