//! The changes that take effect, and the state that stays.

use portcullis::contract::HookRole;
use portcullis::points::{PointId, PreTurn, pre_turn};
use portcullis::reload::{ChangeKind, Reload};
use portcullis::verdict::Cause;
use portcullis::{NativeHook, SessionOptions};
use portcullis_tests::{HooksDir, digest, hook, probe, variant};

use super::{done, of_file, say, told};

#[tokio::test]
async fn a_changed_file_answers_at_the_next_call_and_remembers_what_the_old_one_did() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-turn = \"remember\""));
    let old = of_file(&dir, "probe.wasm");
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    let (verdict, said) = say(&session).await;
    assert_eq!((digest(&verdict), said.as_str()), (old, "1"));
    dir.put("probe.wasm", &variant("probe", "new"));
    let new = of_file(&dir, "probe.wasm");
    let reloaded = done(hooks.reload());
    let [change] = &reloaded.changes[..] else {
        panic!("{reloaded:?}");
    };
    assert_eq!(
        (change.change, change.before, change.after),
        (ChangeKind::Changed, Some(old), Some(new))
    );
    assert!(!change.disarmed && reloaded.errors.is_empty() && !reloaded.settings);
    let (verdict, said) = say(&session).await;
    assert_eq!(
        (digest(&verdict), said.as_str()),
        (new, "2"),
        "its state is its own still"
    );
    let other = hooks.session(SessionOptions::new("other"));
    assert_eq!(digest(&say(&other).await.0), new);
}

#[tokio::test]
async fn what_did_not_change_goes_on_with_its_instance() {
    for isolation in ["session", "shared"] {
        let settings = hook(
            "probe",
            &format!("isolation = \"{isolation}\""),
            "pre-turn = \"count\"",
        );
        let dir = HooksDir::new()
            .with("probe")
            .with("tiny")
            .settings(&settings);
        let hooks = dir.load();
        let session = hooks.session(SessionOptions::new("test"));
        assert_eq!(say(&session).await.1, "1");
        assert!(matches!(hooks.reload(), Reload::Unchanged));
        dir.put("tiny.wasm", &variant("tiny", "new"));
        assert_eq!(
            told(&done(hooks.reload()).changes),
            [("tiny", ChangeKind::Changed)]
        );
        assert_eq!(
            say(&session).await.1,
            "2",
            "{isolation}: it counts in its memory"
        );
        // Renamed, it is still the same hook.
        std::fs::rename(dir.path().join("probe.wasm"), dir.path().join("z.wasm")).expect("renamed");
        assert!(matches!(hooks.reload(), Reload::Unchanged), "{isolation}");
        assert_eq!(say(&session).await.1, "3", "{isolation}");
        // A changed hook starts with new state.
        dir.put("z.wasm", &variant("probe", "new"));
        assert_eq!(
            told(&done(hooks.reload()).changes),
            [("probe", ChangeKind::Changed)]
        );
        assert_eq!(say(&session).await.1, "1", "{isolation}");
    }
}

#[tokio::test]
async fn added_and_removed_files_take_effect_and_a_guard_that_goes_is_told() {
    let dir = HooksDir::new().with("tiny");
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    assert!(!session.serves::<PreTurn>());
    dir.put("sleeper.wasm", &variant("sleeper", "new"));
    let added = done(hooks.reload());
    assert_eq!(told(&added.changes), [("sleeper", ChangeKind::Added)]);
    assert!(session.serves::<PreTurn>() && session.decides::<PreTurn>());
    assert_eq!(hooks.order(PointId::PreTurn), ["sleeper"]);
    dir.take("sleeper.wasm");
    let removed = done(hooks.reload());
    assert_eq!(told(&removed.changes), [("sleeper", ChangeKind::Removed)]);
    let disarmed: Vec<_> = removed
        .disarmed()
        .map(|change| change.hook.as_str())
        .collect();
    assert_eq!(disarmed, ["sleeper"]);
    assert!(!session.serves::<PreTurn>());
}

#[tokio::test]
async fn settings_that_are_left_of_a_removed_hook_are_told_and_stop_nothing() {
    let dir = HooksDir::new()
        .with("tiny")
        .with("probe")
        .settings(&probe(""));
    let hooks = dir.load();
    dir.take("probe.wasm");
    let removed = done(hooks.reload());
    assert_eq!(told(&removed.changes), [("probe", ChangeKind::Removed)]);
    assert_eq!(removed.errors.len(), 1);
    assert!(
        removed.errors[0]
            .to_string()
            .contains("there is no hook `probe`")
    );
    dir.put("tiny.wasm", &variant("tiny", "new"));
    assert_eq!(
        told(&done(hooks.reload()).changes),
        [("tiny", ChangeKind::Changed)]
    );
    dir.put("hooks.toml", b"");
    let fixed = done(hooks.reload());
    assert!(fixed.errors.is_empty() && fixed.settings && fixed.changes.is_empty());
}

#[tokio::test]
async fn other_settings_hold_at_the_next_call() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-turn = \"transform one\""));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    assert_eq!(say(&session).await.1, "one");
    dir.put(
        "hooks.toml",
        probe("pre-turn = \"transform two\"").as_bytes(),
    );
    let reloaded = done(hooks.reload());
    let change = &reloaded.changes[0];
    assert!(reloaded.settings && change.before == change.after && !change.disarmed);
    assert_eq!(say(&session).await.1, "two");
    for off in ["enabled = false", "mode = \"audit\"", "role = \"observe\""] {
        dir.put(
            "hooks.toml",
            hook("probe", off, "pre-turn = \"continue\"").as_bytes(),
        );
        let reloaded = done(hooks.reload());
        assert_eq!(reloaded.disarmed().count(), 1, "{off}");
        dir.put("hooks.toml", probe("pre-turn = \"continue\"").as_bytes());
        let reloaded = done(hooks.reload());
        assert_eq!(
            (reloaded.changes.len(), reloaded.disarmed().count()),
            (1, 0),
            "{off}"
        );
    }
}

#[tokio::test]
async fn a_turns_budget_is_the_one_of_now() {
    let settings = |fuel: u32| format!("[turn]\nfuel = {fuel}\n") + &probe("pre-turn = \"count\"");
    let dir = HooksDir::new().with("probe").settings(&settings(1));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    say(&session).await;
    assert_eq!(
        say(&session).await.0.runs[0].cause(),
        Some(Cause::TurnBudget)
    );
    dir.put("hooks.toml", settings(1_000_000_000).as_bytes());
    assert!(done(hooks.reload()).settings);
    assert_eq!(say(&session).await.1, "2", "and nothing else has changed");
}

#[cfg(unix)]
#[tokio::test]
async fn a_script_is_what_hooks_toml_and_its_file_say_now() {
    let settings = |script: &str| {
        format!("[scripts.guard]\ncommand = [\"sh\", \"{script}\"]\npoints = [\"pre-turn\"]\n")
    };
    let dir = HooksDir::new()
        .settings(&settings("a.sh"))
        .with_file("a.sh", b"exit 0");
    let dir = dir.with_file("b.sh", b"exit 2");
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    assert!(say(&session).await.0.decision.passed());
    // The file is read at each call.
    dir.put("a.sh", b"exit 2");
    assert!(matches!(hooks.reload(), Reload::Unchanged));
    assert!(!say(&session).await.0.decision.passed());
    dir.put("a.sh", b"exit 0");
    dir.put("hooks.toml", settings("b.sh").as_bytes());
    assert_eq!(
        told(&done(hooks.reload()).changes),
        [("guard", ChangeKind::Changed)]
    );
    assert!(!say(&session).await.0.decision.passed());
    dir.put("hooks.toml", b"");
    let removed = done(hooks.reload());
    assert_eq!(
        (removed.changes[0].change, removed.changes[0].disarmed),
        (ChangeKind::Removed, true)
    );
    assert!(say(&session).await.0.decision.passed());
}

fn native(id: &'static str) -> NativeHook {
    NativeHook::new(id)
        .role(HookRole::Gate)
        .on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue))
}

fn ran(verdict: &portcullis::Verdict<PreTurn>) -> Vec<&str> {
    verdict.runs.iter().map(|run| run.hook.as_str()).collect()
}

#[tokio::test]
async fn native_hooks_stay_wherever_they_were_put_in() {
    let dir = HooksDir::new().with("probe").settings(&probe(""));
    let hooks = dir.load_beside([native("a-loaded")]);
    let with = hooks.with([native("b-beside")]).expect("hooks");
    let mut session = with.session(SessionOptions::new("test"));
    session.add(native("c-added")).expect("a hook");
    let mut plain = hooks.session(SessionOptions::new("plain"));
    plain.add(native("z-added")).expect("a hook");
    let settings = probe("") + "[hooks.a-loaded]\npriority = 300\n";
    dir.put("hooks.toml", settings.as_bytes());
    // Asked for through either of the two, it is for both.
    assert_eq!(
        told(&done(hooks.reload()).changes),
        [("a-loaded", ChangeKind::Changed)]
    );
    assert_eq!(
        ran(&say(&session).await.0),
        ["b-beside", "c-added", "probe", "a-loaded"]
    );
    assert_eq!(ran(&say(&plain).await.0), ["probe", "z-added", "a-loaded"]);
    assert_eq!(
        with.order(PointId::PreTurn),
        ["b-beside", "probe", "a-loaded"]
    );
}

#[tokio::test]
async fn a_session_whose_own_hook_does_not_go_with_the_new_ones_stays_as_it_is() {
    let dir = HooksDir::new().with("tiny");
    let hooks = dir.load();
    let sink = std::sync::Arc::new(portcullis_tests::Watcher::default());
    let mut session = hooks.session(SessionOptions {
        sink: sink.clone(),
        ..SessionOptions::new("test")
    });
    session.add(native("sleeper")).expect("a hook");
    dir.put("sleeper.wasm", &variant("sleeper", "new"));
    assert_eq!(
        told(&done(hooks.reload()).changes),
        [("sleeper", ChangeKind::Added)]
    );
    let (verdict, _) = say(&session).await;
    assert_eq!((verdict.runs.len(), verdict.runs[0].component), (1, None));
    assert!(
        sink.on_reload_rejected()[0].contains("`sleeper`"),
        "{:?}",
        sink.on_reload_rejected()
    );
    dir.take("sleeper.wasm");
    done(hooks.reload());
    assert_eq!(ran(&say(&session).await.0), ["sleeper"]);
    assert_eq!(sink.on_reload_rejected().len(), 1, "told once");
}

#[tokio::test]
async fn a_sub_agents_layers_are_all_taken_up() {
    let dir = |text: &str| {
        HooksDir::new()
            .with("probe")
            .settings(&probe(&format!("pre-turn = \"append {text}\"")))
    };
    let (parent, child) = (dir("-parent"), dir("-child"));
    let (parents, children) = (parent.load(), child.load());
    let mut session = parents.session(SessionOptions::new("test"));
    session.stack(&children);
    assert_eq!(say(&session).await.1, "hello-parent-child");
    parent.put(
        "hooks.toml",
        probe("pre-turn = \"append -guardian\"").as_bytes(),
    );
    done(parents.reload());
    assert_eq!(say(&session).await.1, "hello-guardian-child");
    child.put("hooks.toml", probe("pre-turn = \"append -kid\"").as_bytes());
    child.put("probe.wasm", &variant("probe", "new"));
    done(children.reload());
    let (verdict, said) = say(&session).await;
    assert_eq!(said, "hello-guardian-kid");
    let digests = [
        of_file(&parent, "probe.wasm"),
        of_file(&child, "probe.wasm"),
    ];
    assert_eq!(
        [verdict.runs[0].component, verdict.runs[1].component],
        digests.map(Some)
    );
}
