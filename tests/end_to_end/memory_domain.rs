//! Memory, built of hooks alone: six components that share a namespace.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use portcullis::contract::{ContentPart, HookRole, Message, Role};
use portcullis::points::{PostTurn, PreLlmCall, post_turn, pre_llm_call};
use portcullis::{Call, Hooks, NativeHook};
use portcullis_agent::{Agent, AgentEvent, EventReceiver, NewSession, Script};
use portcullis_tests::{HooksDir, root};

const HOOKS: [&str; 6] = [
    "memory-policy",
    "memory-recall",
    "memory-active-recall",
    "memory-tools",
    "memory-prompt",
    "memory-extractor",
];

const FACTS: &str = "Hi, my name is Ann. I like dark roast coffee.";
const QUESTION: &str = "Which coffee should I order?";

/// Returns the grants that the example's settings give these hooks: they must be enough.
fn grants(ids: &[&str]) -> String {
    let path = root().join("example-hooks/hooks.toml");
    let settings = std::fs::read_to_string(path).expect("the example's settings");
    let sections = settings.split("\n\n");
    sections
        .filter(|section| {
            ids.iter()
                .any(|id| section.contains(&format!("[hooks.{id}.grants]")))
        })
        .map(|section| format!("{section}\n\n"))
        .collect()
}

/// The model's requests, and the last hook's view.
#[derive(Default)]
struct Seen {
    /// The messages of role `system` of each request.
    system: Vec<String>,
    /// The tools of each request.
    tools: Vec<Vec<String>>,
    /// The policy at the end of each turn.
    policies: Vec<Option<String>>,
    /// The number of context items in each turn.
    items: Vec<usize>,
}

struct Stage {
    agent: Agent,
    events: EventReceiver,
    seen: Arc<Mutex<Seen>>,
}

/// Returns an agent with all memory hooks except these, and a model that follows the script.
fn stage(without: &[&str], script: &str) -> Stage {
    let ids: Vec<&str> = HOOKS
        .into_iter()
        .filter(|id| !without.contains(id))
        .collect();
    let dir = HooksDir::new().settings(&grants(&ids));
    let hooks = ids.iter().fold(dir, |dir, id| dir.with(id)).load();
    let seen = Arc::new(Mutex::new(Seen::default()));
    let agent = Agent::builder()
        .providers(Script::parse(script).expect("a script").providers())
        .hooks(watched(&hooks, &seen))
        .build()
        .expect("an agent");
    let events = agent.context().events.subscribe();
    Stage {
        agent,
        events,
        seen,
    }
}

fn watched(hooks: &Hooks, seen: &Arc<Mutex<Seen>>) -> Hooks {
    let (requests, turns) = (seen.clone(), seen.clone());
    let watch = NativeHook::new("watch")
        .role(HookRole::Observe)
        .on::<PreLlmCall>(move |call: &Call<PreLlmCall>| {
            let messages = call.views.conversation.iter();
            let system = messages.filter(|message| message.role == Role::System);
            let mut seen = requests.lock().expect("no panic");
            seen.system.push(system.map(text).collect());
            seen.tools
                .push(call.views.tools.names().map(str::to_owned).collect());
            Ok(pre_llm_call::Outcome::Continue)
        })
        .on::<PostTurn>(move |call: &Call<PostTurn>| {
            let prompt = &call.views.prompt;
            let policy = prompt.policy("memory").map(|policy| policy.rules.clone());
            let mut seen = turns.lock().expect("no panic");
            seen.policies.push(policy);
            seen.items.push(prompt.items.len());
            Ok(post_turn::Outcome::Continue)
        });
    hooks.with([watch]).expect("the hooks and a watch")
}

fn text(message: &Message) -> String {
    let parts = message.content.iter().filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    parts.collect()
}

impl Stage {
    /// Runs one session of one turn, and all its remaining jobs.
    async fn session(&self, user: &str, says: &str) {
        let mut session = self
            .agent
            .session(NewSession {
                user: Some(user.into()),
                ..NewSession::default()
            })
            .await
            .expect("a session");
        session.turn(says).await.expect("a turn");
        let kept = session.conversation();
        assert!(kept.iter().all(|message| message.role != Role::System));
        session.close().await;
        assert_eq!(self.agent.drain(Duration::from_secs(30)).await, 0);
    }

    fn seen(&self) -> Seen {
        std::mem::take(&mut self.seen.lock().expect("no panic"))
    }

    /// Returns the counts that the extractor has noted.
    fn notes(&mut self) -> Vec<serde_json::Value> {
        let mut notes = Vec::new();
        while let Some(emitted) = self.events.try_next() {
            if let AgentEvent::Note { hook, code, data } = &emitted.event {
                assert_eq!(
                    (hook.as_str(), code.as_str()),
                    ("memory-extractor", "memory.extracted")
                );
                notes.push(data.clone());
            }
        }
        notes
    }
}

const TALK: &str = r#"{"responses": [{"text": "1"}, {"text": "2"}, {"text": "3"}]}"#;

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_in_one_session_is_known_in_the_next() {
    let mut stage = stage(&[], TALK);
    stage.session("ann", FACTS).await;
    assert_eq!(stage.seen().system, [""]);
    let counts = serde_json::json!({ "stored": 2, "unchanged": 0, "no_room": 0 });
    assert_eq!(stage.notes(), [counts]);

    stage.session("ann", QUESTION).await;
    let seen = stage.seen();
    for known in ["## Memory", "called Ann", "likes dark roast coffee"] {
        assert!(seen.system[0].contains(known), "{known}: {:?}", seen.system);
    }
    assert_eq!(seen.items, [2], "each is recalled once");

    // Another user has another memory.
    stage.session("bob", QUESTION).await;
    assert_eq!(stage.seen().system, [""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_to_be_remembered_is_not() {
    let mut stage = stage(&[], TALK);
    stage
        .session("ann", "Don't remember this: my name is Ann.")
        .await;
    let seen = stage.seen();
    assert_eq!(
        seen.policies,
        [Some(r#"{"read":true,"write":false}"#.to_owned())]
    );
    assert!(seen.system[0].contains("does not want this turn to be remembered"));
    assert_eq!(
        seen.tools,
        [["memory_search"]],
        "there is nothing to save with"
    );
    assert_eq!(stage.notes(), [] as [serde_json::Value; 0]);

    stage.session("ann", "What is my name?").await;
    let seen = stage.seen();
    assert_eq!(seen.system, [""]);
    assert_eq!(seen.items, [0]);

    stage
        .session("ann", "Forget what you know, and say hello.")
        .await;
    assert_eq!(
        stage.seen().policies,
        [Some(r#"{"read":false,"write":true}"#.to_owned())]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_saves_and_searches_with_its_tools() {
    let stage = stage(
        &[],
        r#"{"responses": [
            {"tool_calls": [{"name": "memory_save", "arguments": {"text": "Ann's dog is called Rex.", "tags": ["pets"]}}]},
            {"expect": "Saved.", "text": "I will know."},
            {"tool_calls": [{"name": "memory_search", "arguments": {"query": "dogs"}}]},
            {"expect": "- Ann's dog is called Rex. [pets]", "text": "Rex."},
            {"tool_calls": [{"name": "memory_search", "arguments": {"query": "dogs", "limit": 0}}]},
            {"expect": "break its schema", "text": "Oh."},
            {"tool_calls": [{"name": "memory_save", "arguments": {"text": "A secret."}}]},
            {"expect": "no tool called `memory_save` was offered", "text": "I forgot."}
        ]}"#,
    );
    stage.session("ann", "This is my dog Rex.").await;
    assert_eq!(stage.seen().tools[0], ["memory_search", "memory_save"]);
    stage.session("ann", "Hello").await;
    stage.session("ann", "Anything on pets?").await;
    let seen = stage.seen();
    assert!(
        seen.system[2].contains("Rex"),
        "named by its tag: {:?}",
        seen.system
    );
    stage.session("ann", "Off the record: hello").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_one_hook_only_its_part_is_missing() {
    let facts = format!("Don't remember this. {FACTS}");
    for (without, says, name, coffee, tools) in [
        ("", FACTS, true, true, 2),
        ("", &*facts, false, false, 2),
        ("memory-policy", &facts, true, true, 2),
        ("memory-recall", FACTS, false, true, 2),
        ("memory-active-recall", FACTS, true, false, 2),
        ("memory-prompt", FACTS, false, false, 2),
        ("memory-extractor", FACTS, false, false, 2),
        ("memory-tools", FACTS, true, true, 0),
    ] {
        let stage = stage(&[without], TALK);
        stage.session("ann", says).await;
        stage.seen();
        stage.session("ann", QUESTION).await;
        let seen = stage.seen();
        let system = &seen.system[0];
        assert_eq!(system.contains("called Ann"), name, "{without}: {system}");
        assert_eq!(system.contains("dark roast"), coffee, "{without}: {system}");
        assert_eq!(seen.tools[0].len(), tools, "{without}");
        // Recalled items are available to other hooks that write prompts.
        if without == "memory-prompt" {
            assert_eq!(seen.items, [2]);
        }
    }
}
