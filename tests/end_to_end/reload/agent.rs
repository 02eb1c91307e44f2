//! An agent whose hooks change in the middle of its session.

use portcullis_agent::{Agent, AgentBuilder, AgentEvent, EventReceiver, NewSession, Script};
use portcullis_store::{RunFilter, Store};
use portcullis_tests::{HooksDir, probe, variant};

use super::{done, of_file};

const TWO_TURNS: &str = r#"{"responses": [{"text": "One."}, {"text": "Two."}]}"#;

fn builder(script: &str) -> AgentBuilder {
    Agent::builder().providers(Script::parse(script).expect("a script").providers())
}

/// Returns the reload events, as JSON.
fn told(events: &mut EventReceiver) -> Vec<serde_json::Value> {
    let mut told = Vec::new();
    while let Some(emitted) = events.try_next() {
        if let AgentEvent::HooksReloaded { .. } | AgentEvent::HooksNotReloaded { .. } =
            emitted.event
        {
            told.push(serde_json::to_value(&*emitted).expect("JSON"));
        }
    }
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn subscribers_are_told_and_the_journal_says_which_component_answered() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-turn = \"append !\""));
    let old = of_file(&dir, "probe.wasm").to_string();
    let journal = Store::temporary()
        .expect("a store")
        .journal()
        .expect("a journal");
    let hooks = dir.load();
    let agent = builder(TWO_TURNS)
        .hooks(hooks.clone())
        .journal(journal.clone())
        .build()
        .expect("an agent");
    let mut events = agent.context().events.subscribe();
    let mut session = agent
        .session(NewSession::default())
        .await
        .expect("a session");
    session.turn("hello").await.expect("a turn");
    dir.put("probe.wasm", &variant("probe", "new"));
    let new = of_file(&dir, "probe.wasm").to_string();
    done(hooks.reload());
    session.turn("hello again").await.expect("a turn");
    dir.put("probe.wasm", b"nonsense");
    done(hooks.reload());
    dir.put("hooks.toml", b"nonsense");
    hooks.reload();
    session.close().await;
    let [reloaded, kept, refused] = &told(&mut events)[..] else {
        panic!("three are told");
    };
    assert_eq!(reloaded["event"], "hooks-reloaded");
    let change = &reloaded["changes"][0];
    assert_eq!(
        (&change["hook"], &change["change"], &change["disarmed"]),
        (&"probe".into(), &"changed".into(), &false.into())
    );
    assert_eq!(
        (&change["before"], &change["after"]),
        (&old.clone().into(), &new.clone().into())
    );
    assert_eq!(
        (&kept["event"], &kept["all"]),
        (&"hooks-not-reloaded".into(), &false.into())
    );
    assert_eq!(kept["kept"][0]["component"], new.as_str());
    assert!(
        kept["errors"][0]
            .as_str()
            .expect("text")
            .contains("probe.wasm"),
        "{kept}"
    );
    assert_eq!(
        (&refused["all"], &refused["kept"]),
        (&true.into(), &serde_json::json!([]))
    );
    journal.flush_async().await.expect("written");
    let runs = tokio::task::spawn_blocking(move || journal.runs(&RunFilter::default()));
    let runs = runs.await.expect("no panic").expect("runs");
    let of_turn = |turn: u32| -> Vec<&str> {
        let of_turn = runs.iter().filter(|run| run.row.turn == turn);
        of_turn
            .filter_map(|run| run.row.component.as_deref())
            .collect()
    };
    assert!(!of_turn(1).is_empty() && of_turn(1).iter().all(|digest| *digest == old));
    assert!(!of_turn(2).is_empty() && of_turn(2).iter().all(|digest| *digest == new));
}

#[tokio::test(flavor = "multi_thread")]
async fn hooks_of_sub_agents_are_told_where_their_parents_events_go_and_once() {
    let dir = HooksDir::new().with("tiny");
    let hooks = dir.load();
    let child = |name: &str| {
        let child = builder(TWO_TURNS)
            .hooks(hooks.clone())
            .build()
            .expect("an agent");
        (name.to_owned(), child)
    };
    let parent = [child("one"), child("two")]
        .into_iter()
        .fold(builder(TWO_TURNS), |builder, (name, child)| {
            builder.subagent(name, "Helps.", child)
        })
        .build()
        .expect("an agent");
    let mut events = parent.context().events.subscribe();
    dir.put("tiny.wasm", &variant("tiny", "new"));
    done(hooks.reload());
    let told = told(&mut events);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["changes"][0]["hook"], "tiny");
}
