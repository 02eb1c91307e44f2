//! Hooks that rely on a journal or a store are not loaded without it, whatever their kind.

use portcullis::NativeHook;
use portcullis::points::{PreTurn, pre_turn};
use portcullis_tests::HooksDir;

use super::{BEFORE, dir, load, load_beside};

#[test]
fn without_a_journal_or_a_store_a_hook_that_relies_on_it_does_not_load() {
    let wrong = |settings: &str| load(&dir(settings), false).err().unwrap_or_default();
    let text = wrong(BEFORE);
    assert!(
        text.contains("`editor` has `write-run = \"before-answer\"`, and there is no journal"),
        "{text}"
    );
    let state = "write-state = \"before-answer\"";
    let text = wrong(state);
    assert!(
        text.contains("`editor` has `write-state = \"before-answer\"`, and no store is open"),
        "{text}"
    );
    // A disabled hook relies on nothing.
    assert_eq!(wrong(&format!("enabled = false\n{BEFORE}\n{state}")), "");
}

#[tokio::test]
async fn a_reload_refuses_what_a_start_would_refuse() {
    let dir = dir("");
    let hooks = load(&dir, false).expect("hooks");
    let settings = "[hooks.editor]\nwrite-state = \"before-answer\"\n[hooks.editor.grants]\n\
                    events = true\nagent-state-edit = [\"risk\"]\n";
    let dir = dir.settings(settings);
    let reload = hooks.reload();
    assert!(format!("{reload:?}").contains("NoStateStore"), "{reload:?}");
    drop(dir);
}

const SCRIPT: &str = "[scripts.check]\ncommand = [\"true\"]\npoints = [\"pre-turn\"]\nwrite-run = \"before-answer\"\n";

#[test]
fn a_script_that_relies_on_a_journal_does_not_load_without_one() {
    let wrong = |more: &str, records_runs| {
        let dir = HooksDir::new().settings(&format!("{SCRIPT}{more}"));
        load(&dir, records_runs).err().unwrap_or_default()
    };
    let text = wrong("", false);
    assert!(
        text.contains("(script `check`)")
            && text
                .contains("`check` has `write-run = \"before-answer\"`, and there is no journal"),
        "{text}"
    );
    assert_eq!(wrong("enabled = false\n", false), "");
    assert_eq!(wrong("", true), "");
    // With the faults of components.
    let dir = HooksDir::new()
        .with("editor")
        .settings(&format!("{SCRIPT}[hooks.editor]\n{BEFORE}\n"));
    let text = load(&dir, false).err().unwrap_or_default();
    for id in ["check", "editor"] {
        assert!(text.contains(&format!("`{id}` has `write-run")), "{text}");
    }
}

#[test]
fn a_native_hook_that_relies_on_a_journal_does_not_load_without_one() {
    let wrong = |more: &str, records_runs| {
        let native = NativeHook::new("native").on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
        let settings = format!("[hooks.native]\n{BEFORE}\n{more}");
        let dir = HooksDir::new().settings(&settings);
        let loaded = load_beside(&dir, records_runs, [native]);
        loaded.err().unwrap_or_default()
    };
    let text = wrong("", false);
    assert!(
        text.contains("(native hook `native`)")
            && text
                .contains("`native` has `write-run = \"before-answer\"`, and there is no journal"),
        "{text}"
    );
    assert_eq!(wrong("enabled = false\n", false), "");
    assert_eq!(wrong("", true), "");
}
