//! Hook contributions to a turn's prompt.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use portcullis::contract::{
    ContextItem, ContributionKind, DomainPolicy, HookRole, Message, PromptSection, Role, ToolSpec,
};
use portcullis::points::prompt_compile::{NamedSchema, ResponseFormat};
use portcullis::points::{
    PostTurn, PreLlmCall, PromptCompile, PromptContext, PromptPolicy, PromptRecall, post_turn,
    pre_llm_call, prompt_compile, prompt_context, prompt_policy, prompt_recall,
};
use portcullis::verdict::Failure;
use portcullis::{Hooks, NativeHook};
use portcullis_agent::{
    AgentConfig, AgentEvent, ContextConfig, DeltaSink, LlmRequest, LlmResponse, NewSession,
    Preflight, PreflightError, PreflightPlan, PreflightTurn, Provider, ProviderError, Resolution,
    Script, ToolOutput, TurnEnd, TurnError, context_config,
};
use portcullis_store::Store;

use crate::support::{Bench, Trail, bench, calls_echo, lines, quick, recorder, responses, said};

/// A provider that records its requests.
struct Asked {
    inner: Arc<dyn Provider>,
    requests: Arc<Mutex<Vec<LlmRequest>>>,
}

#[async_trait]
impl Provider for Asked {
    fn default_model(&self) -> &str {
        self.inner.default_model()
    }

    async fn complete(
        &self,
        request: LlmRequest,
        deltas: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        self.requests.lock().unwrap().push(request.clone());
        self.inner.complete(request, deltas).await
    }
}

type Requests = Arc<Mutex<Vec<LlmRequest>>>;

/// Returns an agent with these hooks, and its recorded requests.
fn asked(script: &[&str], hooks: Vec<NativeHook>, config: AgentConfig) -> (Bench, Requests) {
    let requests = Requests::default();
    let played = Script::parse(&responses(script)).unwrap();
    let provider = Asked {
        inner: played.providers().first().unwrap().1.clone(),
        requests: requests.clone(),
    };
    let bench = bench(r#"{"responses": []}"#, |builder, _| {
        builder
            .providers(Default::default())
            .provider("p", Arc::new(provider))
            .hooks(Hooks::none().with(hooks).unwrap())
            .config(config)
    });
    (bench, requests)
}

fn sent(requests: &Requests, index: usize) -> Vec<String> {
    let role = |message: &Message| match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    requests.lock().unwrap()[index]
        .messages
        .iter()
        .map(|message| format!("{}: {}", role(message), said(message)))
        .collect()
}

fn section(id: &str, order: i32, text: &str) -> PromptSection {
    PromptSection {
        id: id.into(),
        title: None,
        text: text.into(),
        order,
        max_tokens: None,
        essential: false,
    }
}

fn writes(id: &str, sections: Vec<PromptSection>) -> NativeHook {
    NativeHook::new(id)
        .contributes([ContributionKind::Section])
        .on::<PromptCompile>(move |_| {
            let sections = sections.iter().cloned();
            Ok(prompt_compile::Outcome::Contribute(
                sections
                    .map(prompt_compile::Contribution::Section)
                    .collect(),
            ))
        })
}

fn with_system() -> AgentConfig {
    AgentConfig {
        system_prompt: Some("Be kind.".into()),
        ..quick()
    }
}

#[tokio::test]
async fn sections_are_sent_after_the_operators_prompt_and_not_kept() {
    let hooks = vec![
        writes(
            "a",
            vec![section("late", 9, "late"), section("soon", 1, "soon")],
        ),
        writes("b", vec![section("late", 9, "replaced")]),
    ];
    let script = [&calls_echo("hi"), r#"{"text": "done"}"#, r#"{"text": "2"}"#];
    let (mut bench, requests) = asked(&script, hooks, with_system());
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    session.turn("on").await.unwrap();
    let head = ["system: Be kind.", "system: soon\n\nreplaced", "user: go"];
    for index in 0..3 {
        assert_eq!(sent(&requests, index)[..3], head, "{index}");
    }
    let all = sent(&requests, 2);
    assert_eq!(all.iter().filter(|line| line.contains("soon")).count(), 1);
    assert_eq!(lines(&session)[..2], ["system: Be kind.", "user: go"]);
    let compiled = bench
        .events_so_far()
        .into_iter()
        .find_map(|event| match event {
            AgentEvent::PromptCompiled {
                sections,
                tokens,
                cuts,
            } => Some((sections, tokens, cuts.len())),
            _ => None,
        });
    assert_eq!(compiled, Some((2, 4, 0)));
}

#[tokio::test]
async fn sections_over_the_budget_are_cut_and_reported() {
    let hooks = vec![writes("a", vec![section("long", 1, &"word ".repeat(50))])];
    let config = AgentConfig {
        prompt_budget_tokens: 10,
        ..quick()
    };
    let (mut bench, requests) = asked(&[r#"{"text": "done"}"#], hooks, config);
    bench.session().await.turn("go").await.unwrap();
    let sections = &sent(&requests, 0)[0];
    assert!(sections.ends_with("word [cut]"), "{sections}");
    let cuts = bench
        .events_so_far()
        .into_iter()
        .find_map(|event| match event {
            AgentEvent::PromptCompiled { cuts, .. } => Some(cuts),
            _ => None,
        });
    let cuts = cuts.unwrap();
    assert_eq!(
        (cuts[0].section.as_str(), cuts[0].by.as_str()),
        ("long", "a")
    );
}

#[tokio::test]
async fn the_context_config_holds_only_for_the_turns_requests() {
    let format = ResponseFormat::Schema(NamedSchema {
        name: "answer".into(),
        schema: r#"{"type":"object"}"#.into(),
    });
    let config = ContextConfig {
        system: Some("Rhyme.".into()),
        response_format: Some(format.clone()),
    };
    let seen = Trail::default();
    let watch = seen.clone();
    let hooks = vec![
        context_config(config),
        NativeHook::new("watch")
            .role(HookRole::Observe)
            .on::<PreLlmCall>(move |call| {
                watch.add(said(&call.views.conversation[0]));
                Ok(pre_llm_call::Outcome::Continue)
            }),
    ];
    for (own, first) in [(with_system(), Some("system: Be kind.")), (quick(), None)] {
        let (bench, requests) = asked(&[r#"{"text": "done"}"#], hooks.clone(), own);
        let mut session = bench.session().await;
        session.turn("go").await.unwrap();
        assert_eq!(sent(&requests, 0), ["system: Rhyme.", "user: go"]);
        assert_eq!(seen.take(), ["Rhyme."]);
        assert_eq!(
            requests.lock().unwrap()[0].response_format,
            Some(format.clone())
        );
        let kept = lines(&session);
        assert_eq!(
            kept.first()
                .map(String::as_str)
                .filter(|l| l.starts_with("system")),
            first
        );
    }
}

#[tokio::test]
async fn an_empty_context_config_changes_nothing() {
    let hooks = vec![context_config(ContextConfig {
        system: Some(String::new()),
        response_format: None,
    })];
    let (bench, requests) = asked(&[r#"{"text": "done"}"#], hooks, with_system());
    bench.session().await.turn("go").await.unwrap();
    assert_eq!(sent(&requests, 0), ["system: Be kind.", "user: go"]);
    assert_eq!(requests.lock().unwrap()[0].response_format, None);
}

#[tokio::test]
async fn each_point_fires_once_in_a_turn_in_order() {
    let trail = Trail::default();
    let script = [&calls_echo("hi"), r#"{"text": "done"}"#];
    let (bench, _) = asked(&script, vec![recorder("recorder", &trail)], quick());
    bench.session().await.turn("go").await.unwrap();
    let fired = trail.take();
    let prompt: Vec<&str> = fired
        .iter()
        .map(String::as_str)
        .skip_while(|point| *point != "pre-turn")
        .take_while(|point| *point != "pre-llm-call" && *point != "pre-step")
        .filter(|point| point.starts_with("pre-turn") || point.starts_with("prompt"))
        .collect();
    assert_eq!(
        prompt,
        [
            "pre-turn",
            "prompt-policy",
            "prompt-context",
            "prompt-recall",
            "prompt-tools",
            "prompt-compile",
        ]
    );
    assert_eq!(fired.iter().filter(|p| p.starts_with("prompt")).count(), 5);
}

/// Returns a hook that contributes a policy and an item in the first turn only, and reports what it
/// sees at the end of every turn.
fn first_turn_only(trail: &Trail) -> NativeHook {
    let (seen, queries) = (trail.clone(), trail.clone());
    NativeHook::new("domain")
        .contributes([ContributionKind::Policy, ContributionKind::Context])
        .on::<PromptPolicy>(|call| {
            assert_eq!(call.subject.text_bytes, 15);
            let policy = DomainPolicy {
                domain: "memory".into(),
                rules: r#"{"write":false}"#.into(),
            };
            Ok(match call.context.turn {
                1 => prompt_policy::Outcome::Contribute(vec![prompt_policy::Contribution::Policy(
                    policy,
                )]),
                _ => prompt_policy::Outcome::Continue,
            })
        })
        .on::<PromptContext>(|call| {
            let item = ContextItem {
                kind: "fact".into(),
                text: "a fact".into(),
                data: None,
            };
            Ok(match call.subject.policies {
                1 => prompt_context::Outcome::Contribute(vec![
                    prompt_context::Contribution::Context(item),
                ]),
                _ => prompt_context::Outcome::Continue,
            })
        })
        .on::<PromptRecall>(move |call| {
            queries.add(call.views.prompt.queries.join("+"));
            Ok(prompt_recall::Outcome::Continue)
        })
        .on::<PostTurn>(move |call| {
            let prompt = &call.views.prompt;
            seen.add(format!("{} {}", prompt.policies.len(), prompt.items.len()));
            Ok(post_turn::Outcome::Continue)
        })
}

#[tokio::test]
async fn later_calls_see_the_turns_prompt_and_the_next_turn_does_not() {
    let trail = Trail::default();
    let hooks = vec![first_turn_only(&trail)];
    let (bench, _) = asked(&[r#"{"text": "1"}"#, r#"{"text": "2"}"#], hooks, quick());
    let mut session = bench.session().await;
    session.turn("find my red dog").await.unwrap();
    session.turn("find my red dog").await.unwrap();
    let words = "find+red+dog";
    assert_eq!(trail.take(), [words, "1 1", words, "0 0"]);
}

#[tokio::test]
async fn a_hook_that_fails_closed_fails_the_turn() {
    let broken =
        |hook: NativeHook| hook.on::<PromptContext>(|_| Err(Failure::Trap("unreachable".into())));
    let (bench, _) = asked(&[], vec![broken(NativeHook::new("guard"))], quick());
    let mut session = bench.session().await;
    let error = session.turn("go").await.unwrap_err();
    assert!(matches!(error, TurnError::Hook(_)), "{error}");
    assert!(lines(&session).is_empty());

    let open = NativeHook::new("guard").failure(portcullis::contract::FailurePolicy::FailOpen);
    let (bench, _) = asked(&[r#"{"text": "done"}"#], vec![broken(open)], quick());
    bench.session().await.turn("go").await.unwrap();
}

struct Planner(Result<PreflightPlan, PreflightError>);

#[async_trait]
impl Preflight for Planner {
    async fn plan(&self, turn: PreflightTurn<'_>) -> Result<PreflightPlan, PreflightError> {
        assert_eq!(turn.conversation.len(), 1);
        self.0.clone()
    }
}

#[tokio::test]
async fn the_embedders_plan_is_used_or_the_fallback_if_it_fails() {
    let plan = PreflightPlan {
        queries: vec!["planned".into()],
        max_items: 3,
        max_tokens: 30,
        fallback: false,
    };
    for (planned, expected) in [
        (Ok(plan), "planned 3 false"),
        (Err(PreflightError("no model".into())), "dog 8 true"),
    ] {
        let failing = planned.is_err();
        let trail = Trail::default();
        let seen = trail.clone();
        let hook = NativeHook::new("recall").on::<PromptRecall>(move |call| {
            let facts = &call.subject;
            let queries = call.views.prompt.queries.join("+");
            seen.add(format!("{queries} {} {}", facts.max_items, facts.fallback));
            Ok(prompt_recall::Outcome::Continue)
        });
        let mut bench = bench(&responses(&[r#"{"text": "done"}"#]), |builder, _| {
            builder
                .hooks(Hooks::none().with([hook]).unwrap())
                .preflight(Arc::new(Planner(planned)))
        });
        bench.session().await.turn("dog").await.unwrap();
        assert_eq!(trail.take(), [expected]);
        let failed = bench
            .events_so_far()
            .iter()
            .any(|event| matches!(event, AgentEvent::PreflightFailed { .. }));
        assert_eq!(failed, failing);
    }
}

#[tokio::test]
async fn a_suspended_turn_keeps_its_prompt() {
    let watch = Trail::default();
    let seen = watch.clone();
    let hooks = vec![
        writes("a", vec![section("once", 1, "the section")]),
        NativeHook::new("watch")
            .role(HookRole::Observe)
            .on::<PreLlmCall>(move |call| {
                seen.add(said(&call.views.conversation[0]));
                Ok(pre_llm_call::Outcome::Continue)
            }),
    ];
    let script = [
        r#"{"tool_calls": [{"id": "c1", "name": "pick", "arguments": {}}]}"#,
        r#"{"expect": "blue", "text": "done"}"#,
    ];
    let mut bench = bench(&responses(&script), |builder, _| {
        builder
            .hooks(Hooks::none().with(hooks).unwrap())
            .client_tool(ToolSpec {
                name: "pick".into(),
                description: "Asks for a colour.".into(),
                schema: "{}".into(),
            })
    });
    let new = || NewSession {
        checkpoints: Some(Arc::new(Store::temporary().unwrap().checkpoints())),
        ..NewSession::default()
    };
    let first = new();
    let second = NewSession {
        checkpoints: first.checkpoints.clone(),
        ..new()
    };
    let mut session = bench.agent.session(first).await.unwrap();
    let TurnEnd::Suspended(suspension) = session.turn("go").await.unwrap() else {
        panic!("the client runs the tool");
    };
    session.close().await;
    let picked = Resolution::Result(ToolOutput::ok("blue"));
    let resolutions = [("c1".to_owned(), picked)].into();
    let (_, end) = bench
        .agent
        .resume(suspension.checkpoint, resolutions, second)
        .await
        .unwrap();
    assert!(matches!(end.unwrap(), TurnEnd::Done(_)));
    assert_eq!(watch.take(), ["the section", "the section"]);
    let compiled = bench
        .events_so_far()
        .iter()
        .filter(|event| matches!(event, AgentEvent::PromptCompiled { .. }))
        .count();
    assert_eq!(compiled, 1, "it is put together once");
}
