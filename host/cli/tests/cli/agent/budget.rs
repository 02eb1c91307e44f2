//! A budget that hooks share outlives the process, and applies to two processes at once.

use serde_json::{Value, json};

use super::live::Live;
use super::scene::Scene;
use crate::support::run;

const STORE: &str = "[stores]\nurl = \"sqlite:store.sqlite\"\n";

#[test]
fn what_one_process_spends_another_may_not() {
    let costs = "{ text = \"Bought.\", usage = { input_tokens = 1_000_000, output_tokens = 0 } }";
    let scene = Scene::scripted(costs, STORE).hook(
        "hooks/cost-tracker.wasm",
        "[hooks.cost-tracker.grants]\nshared-state = [\"costs\"]\n[hooks.cost-tracker.config]\n\
         budget_usd = 1.0\n[hooks.cost-tracker.config.prices.default]\ninput = 1.0\noutput = 1.0\n",
    );
    let first = scene.run(&["Buy."]);
    assert_eq!(
        (first.code, first.out.as_str()),
        (Some(0), "Bought.\n"),
        "{first:?}"
    );
    let second = scene.run(&["Buy."]);
    assert_eq!(
        (second.code, second.out.as_str()),
        (Some(1), ""),
        "{second:?}"
    );
    assert!(
        second.err.contains("The budget of $1.00 is spent"),
        "{second:?}"
    );
}

/// The number of tries of each of two processes, and the budget that they share.
const TRIES: usize = 15;

#[test]
fn two_processes_at_once_spend_what_there_is_and_no_more() {
    let accepted = "{ text = \"Spent.\" }, ".repeat(TRIES);
    let scene = Scene::scripted(&accepted, STORE).hook(
        "test-hooks/spender.wasm",
        "[hooks.spender.grants]\nstate = true\nshared-state = [\"sums\"]\n",
    );
    let mut processes = [Live::run(&scene, &[]), Live::run(&scene, &[])];
    for process in &mut processes {
        process.wait("session-started");
    }
    for _ in 0..TRIES {
        for process in &mut processes {
            let text = format!("spend 1 {TRIES}");
            process.request(json!({ "type": "input", "text": text }));
        }
    }
    let mut spent = Vec::new();
    for process in &mut processes {
        process.close_input();
        process.end();
        let calls = |event: &&Value| event["event"] == "llm-call-finished";
        spent.push(process.seen.iter().filter(calls).count());
    }
    assert_eq!(spent.iter().sum::<usize>(), TRIES, "{spent:?}");
    // The budget is used up for a third process.
    let over = scene.run(&[&format!("spend 1 {TRIES}")]);
    assert!(over.err.contains("over its limit"), "{over:?}");
}

#[test]
fn a_hook_that_waits_for_the_store_does_not_run_without_one() {
    let scene = Scene::scripted("{ text = \"Hello.\" }", "").hook(
        "test-hooks/spender.wasm",
        "[hooks.spender]\nwrite-state = \"before-answer\"\n[hooks.spender.grants]\n\
         state = true\nshared-state = [\"sums\"]\n",
    );
    // The user's store cannot be made below a file.
    let without = |scene: &Scene, args: &[&str]| {
        let mut command = scene.command(args);
        run(command.env("XDG_STATE_HOME", scene.path("agent.toml")))
    };
    let run_without = |scene: &Scene| without(scene, &["run", "Hi"]);
    let (refused, checked) = (run_without(&scene), without(&scene, &["check"]));
    assert_eq!((refused.code, checked.code), (Some(1), Some(1)));
    for words in ["`spender`", "no store is open", "stores.url"] {
        assert!(refused.err.contains(words), "{words}: {refused:?}");
        assert!(checked.out.contains(words), "{words}: {checked:?}");
    }
    // The hook has no fault, and neither has the agent if it can have a store.
    let right = [vec!["check"], vec!["hooks", "check", "--hooks", "hooks"]];
    for args in right {
        let checked = run(&mut scene.command(&args));
        assert_eq!(checked.code, Some(0), "{checked:?}");
    }
    scene.write(
        "hooks/hooks.toml",
        "[hooks.spender.grants]\nstate = true\nshared-state = [\"sums\"]\n",
    );
    assert_eq!(run_without(&scene).out, "Hello.\n");
}
