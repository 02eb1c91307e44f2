//! A budget that several processes spend at the same time.

use portcullis::state::StateStore as _;
use portcullis_store::directory_scope;
use serde_json::{Value, json};

use super::{in_store, on_both};
use crate::agent::live::Live;
use crate::agent::scene::Scene;

const WORKERS: usize = 4;
const TURNS: usize = 10;
/// The tokens that each call uses.
const USED: u64 = 50;
/// Half of the tokens that all turns would use.
const BUDGET: u64 = 1_000;

#[test]
fn processes_never_spend_more_than_one_budget() {
    on_both("a budget of several processes", spend);
}

fn spend(store: &str) {
    let file = format!(
        "durable = true\n[model]\nmax-output-tokens = {USED}\n[stores]\nurl = \"{store}\"\n\
         [[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n"
    );
    let settings = format!(
        "[hooks.spend-limit.grants]\nstate = true\nshared-state = [\"spend\"]\n\
         [hooks.spend-limit.config.shared]\ntokens = {BUDGET}\n"
    );
    let scene = Scene::new(&file).hook("guards/spend-limit.wasm", &settings);
    // The calls take time, so that they overlap.
    let usage = json!({ "input_tokens": 5, "output_tokens": USED - 5 });
    let response = json!({ "text": "Done.", "delay_ms": 30, "usage": usage });
    let script = json!({ "responses": vec![response; TURNS] });
    scene.write("script.json", &script.to_string());
    let mut workers: Vec<Live> = (0..WORKERS)
        .map(|worker| Live::run(&scene, &["--session", &format!("s{worker}")]))
        .collect();
    for worker in &mut workers {
        for _ in 0..TURNS {
            worker.request(json!({ "type": "input", "text": "go" }));
        }
        worker.request(json!({ "type": "end" }));
    }
    let (mut spent, mut refused) = (0, 0);
    for worker in &mut workers {
        worker.end();
        let of = |name| worker.seen.iter().filter(move |it| it["event"] == name);
        spent += USED * of("turn-ended").count() as u64;
        for failed in of("turn-failed") {
            assert!(failed["error"].to_string().contains("budget"), "{failed}");
            refused += 1;
        }
    }
    assert!(spent <= BUDGET, "{spent} of {BUDGET} were spent");
    // The tokens held for a call are a little more than it uses.
    assert!(
        spent >= BUDGET - WORKERS as u64 * 2 * USED,
        "only {spent} were spent"
    );
    assert_eq!(spent / USED + refused, (WORKERS * TURNS) as u64);
    let scope = directory_scope(&scene.path("hooks"));
    let ledger = in_store(store, async |store| {
        let state = store.hook_state(&scope);
        state.get("spend", "total").await.unwrap()
    });
    let ledger: Value = serde_json::from_slice(&ledger.unwrap()).unwrap();
    assert_eq!(
        (&ledger["spent"]["tokens"], &ledger["held"]),
        (&json!(spent), &json!({}))
    );
}
