//! Tools that hooks hide with a policy of the domain `tools`.

use std::sync::{Arc, Mutex};

use portcullis::contract::{ContributionKind, DomainPolicy};
use portcullis::points::{PreLlmCall, PromptPolicy, pre_llm_call, prompt_policy};
use portcullis::{Hooks, NativeHook};

use crate::support::{Bench, bench, calls_echo, lines, responses};

type Offered = Arc<Mutex<Vec<Vec<String>>>>;

/// An agent with the tools `echo` and `other`, with a hook that has this policy of the domain `tools` in the first
/// turn, and a hook that keeps which tools the model is offered.
fn hides(rules: &'static str) -> (Bench, Offered) {
    let policy = NativeHook::new("policy")
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
        });
    let offered = Offered::default();
    let kept = offered.clone();
    let keeps = NativeHook::new("keeps").on::<PreLlmCall>(move |call| {
        let names = call.views.tools.names().map(str::to_owned).collect();
        kept.lock().unwrap().push(names);
        Ok(pre_llm_call::Outcome::Continue)
    });
    let done = r#"{"text": "done"}"#;
    let script = responses(&[&calls_echo("a"), done, &calls_echo("a"), done]);
    let bench = bench(&script, |builder, _| {
        builder.hooks(Hooks::none().with([policy, keeps]).unwrap())
    });
    (bench, offered)
}

#[tokio::test]
async fn a_hidden_tool_is_not_offered_and_does_not_run() {
    for rules in [r#"{"offered":{"echo":false}}"#, r#"{"only":["other"]}"#] {
        let (bench, offered) = hides(rules);
        let mut session = bench.session().await;
        session.turn("go").await.unwrap();
        assert_eq!(offered.lock().unwrap()[0], ["other"], "{rules}");
        let said = lines(&session).join("\n");
        assert!(said.contains("no tool called `echo` was offered"), "{said}");
        // The policy was one turn's.
        session.turn("again").await.unwrap();
        let said = lines(&session).join("\n");
        assert!(said.contains("tool: echo a"), "{said}");
    }
}

#[tokio::test]
async fn a_policy_that_cannot_be_read_fails_the_turn() {
    let (bench, offered) = hides(r#"{"hidden":["echo"]}"#);
    let mut session = bench.session().await;
    let error = session.turn("go").await.unwrap_err().to_string();
    assert!(
        error.contains("hook `policy` failed at prompt-policy") && error.contains("`hidden`"),
        "{error}"
    );
    assert!(offered.lock().unwrap().is_empty());
}
