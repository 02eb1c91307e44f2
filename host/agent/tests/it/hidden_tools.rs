//! Tools that hooks hide with a policy of the domain `tools`.

use std::sync::{Arc, Mutex};

use portcullis::contract::{ContributionKind, DomainPolicy, ToolRoute};
use portcullis::points::{PreLlmCall, PromptPolicy, pre_llm_call, prompt_policy};
use portcullis::{Hooks, NativeHook};
use portcullis_agent::AgentEvent;

use crate::support::{Bench, bench, calls_echo, lines, responses};

type Offered = Arc<Mutex<Vec<Vec<String>>>>;

/// Returns a hook with this policy of the domain `tools` in the first turn.
fn policy(id: &'static str, priority: i32, rules: &'static str) -> NativeHook {
    NativeHook::new(id)
        .priority(priority)
        .contributes([ContributionKind::Policy])
        .on::<PromptPolicy>(move |call| {
            let policy = prompt_policy::Contribution::Policy(DomainPolicy {
                domain: "tools".into(),
                rules: rules.into(),
            });
            Ok(match call.context.turn {
                1 => prompt_policy::Outcome::Contribute(vec![policy]),
                _ => prompt_policy::Outcome::Continue,
            })
        })
}

/// Returns an agent with the tools `echo` and `other`, these hooks, and a hook that records the
/// offered tools. In each turn the model calls the tool.
fn calling(tool: &str, hooks: impl IntoIterator<Item = NativeHook>) -> (Bench, Offered) {
    let offered = Offered::default();
    let kept = offered.clone();
    let keeps = NativeHook::new("keeps").on::<PreLlmCall>(move |call| {
        let names = call.views.tools.names().map(str::to_owned).collect();
        kept.lock().unwrap().push(names);
        Ok(pre_llm_call::Outcome::Continue)
    });
    let done = r#"{"text": "done"}"#;
    let calls = calls_echo("a").replace("echo", tool);
    let script = responses(&[&calls, done, &calls, done]);
    let hooks = hooks.into_iter().chain([keeps]);
    let bench = bench(&script, |builder, _| {
        builder.hooks(Hooks::none().with(hooks).unwrap())
    });
    (bench, offered)
}

#[tokio::test]
async fn a_hidden_tool_is_not_offered_and_does_not_run() {
    for rules in [r#"{"offered":{"echo":false}}"#, r#"{"only":["other"]}"#] {
        let (bench, offered) = calling("echo", [policy("policy", 1, rules)]);
        let mut session = bench.session().await;
        session.turn("go").await.unwrap();
        assert_eq!(offered.lock().unwrap()[0], ["other"], "{rules}");
        let said = lines(&session).join("\n");
        assert!(said.contains("no tool called `echo` was offered"), "{said}");
        // The policy applied to one turn.
        session.turn("again").await.unwrap();
        let said = lines(&session).join("\n");
        assert!(said.contains("tool: echo a"), "{said}");
    }
}

#[tokio::test]
async fn a_policy_that_cannot_be_read_fails_the_turn() {
    let (bench, offered) = calling("echo", [policy("policy", 1, r#"{"hidden":["echo"]}"#)]);
    let mut session = bench.session().await;
    let error = session.turn("go").await.unwrap_err().to_string();
    assert!(
        error.contains("hook `policy` failed at prompt-policy")
            && error.contains("there is no such key here; there are: `only`, `offered`"),
        "{error}"
    );
    assert!(offered.lock().unwrap().is_empty());
}

#[tokio::test]
async fn the_hook_whose_policy_cannot_be_read_is_named() {
    let hooks = [
        policy("wrong", 1, r#"{"hidden":["echo"]}"#),
        policy("right", 2, r#"{"only":["other"]}"#),
    ];
    let (bench, _) = calling("echo", hooks);
    let error = bench.session().await.turn("go").await.unwrap_err();
    let error = error.to_string();
    assert!(error.contains("hook `wrong` failed"), "{error}");
}

#[tokio::test]
async fn no_hook_lifts_the_list_of_another() {
    let (null, list) = (r#"{"only":null}"#, r#"{"only":["other"]}"#);
    for [first, second] in [[null, list], [list, null]] {
        let hooks = [policy("first", 1, first), policy("second", 2, second)];
        let (bench, offered) = calling("echo", hooks);
        bench.session().await.turn("go").await.unwrap();
        assert_eq!(offered.lock().unwrap()[0], ["other"], "{first} {second}");
    }
}

#[tokio::test]
async fn a_hidden_tool_does_not_run_under_another_name() {
    let hooks = [
        policy("policy", 1, r#"{"offered":{"echo":false}}"#),
        crate::bundles::offers("alias", ToolRoute::Agent("echo".into())),
    ];
    let (mut bench, offered) = calling("alias", hooks);
    bench.session().await.turn("go").await.unwrap();
    assert_eq!(offered.lock().unwrap()[0], ["other"]);
    assert!(bench.trail.take().is_empty(), "nothing runs");
    let left_out = bench.events_so_far().into_iter().any(|event| {
        matches!(event, AgentEvent::ToolLeftOut { name, reason, .. }
            if name == "alias" && reason.contains("`echo`"))
    });
    assert!(left_out);
}
