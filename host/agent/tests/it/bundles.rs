//! Tools that hooks contribute: their targets, and the hooks that run.

use std::sync::Arc;

use portcullis::contract::{BundledTool, ContributionKind, ToolBundle, ToolRoute, ToolSpec};
use portcullis::points::pre_tool_call::ToolAnswer;
use portcullis::points::{PreToolCall, PromptTools, pre_tool_call, prompt_tools};
use portcullis::{Hooks, NativeHook};
use portcullis_agent::{AgentEvent, RulePolicy};

use crate::support::{Bench, Trail, bench, lines, rejection, responses};

/// Returns a hook that offers a tool of this name, which takes a string `text` of three characters
/// or more.
pub fn offers(name: &'static str, route: ToolRoute) -> NativeHook {
    NativeHook::new("bundler")
        .contributes([ContributionKind::Tools])
        .on::<PromptTools>(move |_| {
            let tool = BundledTool {
                spec: ToolSpec {
                    name: name.into(),
                    description: "A tool of a hook.".into(),
                    schema: r#"{"type":"object","properties":{"text":{"minLength":3}}}"#.into(),
                },
                route: route.clone(),
            };
            Ok(prompt_tools::Outcome::Contribute(vec![
                prompt_tools::Contribution::Tools(ToolBundle {
                    name: "bundle".into(),
                    tools: vec![tool],
                }),
            ]))
        })
}

fn answers(hook: NativeHook, tool: &'static str) -> NativeHook {
    hook.on::<PreToolCall>(move |call| {
        Ok(if call.subject.name == tool {
            pre_tool_call::Outcome::Answer(ToolAnswer {
                content: "from the hook".into(),
                is_error: false,
            })
        } else {
            pre_tool_call::Outcome::Continue
        })
    })
}

/// Runs one turn in which the model calls the tool `alias` with these arguments. Returns the
/// result.
async fn result(hooks: Vec<NativeHook>, policy: RulePolicy, arguments: &str) -> (Bench, String) {
    let call = format!(r#"{{"tool_calls": [{{"name": "alias", "arguments": {arguments}}}]}}"#);
    let bench = bench(&responses(&[&call, r#"{"text": "done"}"#]), |builder, _| {
        builder
            .hooks(Hooks::none().with(hooks).unwrap())
            .policy(Arc::new(policy))
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    let result = lines(&session)
        .into_iter()
        .find_map(|line| line.strip_prefix("tool: ").map(str::to_owned));
    (bench, result.unwrap())
}

fn denies(tool: &str) -> RulePolicy {
    RulePolicy {
        deny: vec![tool.into()],
        ..RulePolicy::default()
    }
}

#[tokio::test]
async fn a_tool_of_the_agent_runs_under_another_name() {
    let echo = || vec![offers("alias", ToolRoute::Agent("echo".into()))];
    for (name, policy, arguments, expected) in [
        (
            "it runs",
            RulePolicy::default(),
            r#"{"text": "hello"}"#,
            "echo hello",
        ),
        (
            "it is not offered where the policy denies its target",
            denies("echo"),
            r#"{"text": "hello"}"#,
            "no tool called `alias` was offered",
        ),
        (
            "and not about the alias",
            denies("alias"),
            r#"{"text": "hello"}"#,
            "echo hello",
        ),
        (
            "the contributed schema holds",
            RulePolicy::default(),
            r#"{"text": "hi"}"#,
            "break its schema",
        ),
        (
            "and so does the target's",
            RulePolicy::default(),
            r#"{"text": "hello", "x": 1}"#,
            "the arguments for `echo` break its schema",
        ),
    ] {
        let (_, result) = result(echo(), policy, arguments).await;
        assert!(result.contains(expected), "{name}: {result}");
    }
}

#[tokio::test]
async fn guards_see_the_tool_that_runs() {
    let trail = Trail::default();
    let seen = trail.clone();
    let guard = NativeHook::new("guard").on::<PreToolCall>(move |call| {
        seen.add(call.subject.name.clone());
        Ok(match call.subject.name.as_str() {
            "echo" => pre_tool_call::Outcome::Reject(rejection("no", "no echo")),
            _ => pre_tool_call::Outcome::Continue,
        })
    });
    let hooks = vec![offers("alias", ToolRoute::Agent("echo".into())), guard];
    let (_, result) = result(hooks, RulePolicy::default(), r#"{"text": "hello"}"#).await;
    assert!(result.contains("no echo"), "{result}");
    assert_eq!(trail.take(), ["echo"]);
}

/// The error names the hook whose change does not fit the schema that the model was given, as for
/// any other tool.
#[tokio::test]
async fn a_hooks_change_must_fit_the_contributed_schema_and_the_targets() {
    for (changed, wrong) in [
        (
            r#"{"text":"hi"}"#,
            "the arguments for `alias` break its schema",
        ),
        (
            r#"{"text":"hello","x":1}"#,
            "the arguments for `echo` break its schema",
        ),
    ] {
        let changes = NativeHook::new("changes")
            .on::<PreToolCall>(move |_| Ok(pre_tool_call::Outcome::Transform(changed.into())));
        let hooks = vec![offers("alias", ToolRoute::Agent("echo".into())), changes];
        let (_, result) = result(hooks, RulePolicy::default(), r#"{"text": "hello"}"#).await;
        assert!(result.contains("hook `changes`"), "{result}");
        assert!(result.contains(wrong), "{result}");
    }
}

#[tokio::test]
async fn only_the_hook_that_offers_a_tool_answers_it() {
    let own = || offers("alias", ToolRoute::Hook);
    for (name, hooks, policy, expected) in [
        (
            "answered",
            vec![answers(own(), "alias")],
            RulePolicy::default(),
            "from the hook",
        ),
        (
            "not answered",
            vec![answers(own(), "another")],
            RulePolicy::default(),
            "[The tool was not run: hook `bundler`",
        ),
        (
            "nobody is asked",
            vec![own()],
            RulePolicy::default(),
            "[The tool was not run: hook `bundler`",
        ),
        (
            "denied",
            vec![answers(own(), "alias")],
            denies("alias"),
            "no tool called `alias` was offered",
        ),
    ] {
        let (_, result) = result(hooks, policy, r#"{"text": "hello"}"#).await;
        assert!(result.contains(expected), "{name}: {result}");
    }
}

#[tokio::test]
async fn a_tool_without_its_target_is_not_offered() {
    let hooks = vec![offers("alias", ToolRoute::Agent("gone".into()))];
    let (mut bench, result) = result(hooks, RulePolicy::default(), "{}").await;
    assert!(
        result.contains("no tool called `alias` was offered"),
        "{result}"
    );
    let left_out = bench
        .events_so_far()
        .into_iter()
        .find_map(|event| match event {
            AgentEvent::ToolLeftOut { hook, name, reason } => Some((hook, name, reason)),
            _ => None,
        });
    let (hook, name, reason) = left_out.unwrap();
    assert_eq!((hook.as_str(), name.as_str()), ("bundler", "alias"));
    assert!(reason.contains("`gone`"), "{reason}");
}

/// The policy allows a list of tools, and allows or denies the tools of hooks.
#[tokio::test]
async fn a_tool_that_a_hook_answers_is_allowed_for_itself_or_not_offered() {
    use portcullis_agent::OtherTools::{Allow, Deny};
    let not_offered = "no tool called `alias` was offered";
    for (hook_tools, deny, expected) in [
        (Some(Allow), None, "from the hook"),
        (Some(Deny), None, not_offered),
        (None, None, not_offered),
        (Some(Allow), Some("alias"), not_offered),
    ] {
        let policy = RulePolicy {
            allow: vec!["echo".into()],
            hook_tools,
            deny: deny.into_iter().map(str::to_owned).collect(),
            ..RulePolicy::default()
        };
        let hooks = vec![answers(offers("alias", ToolRoute::Hook), "alias")];
        let (mut bench, result) = result(hooks, policy, r#"{"text": "hello"}"#).await;
        assert!(
            result.contains(expected),
            "{hook_tools:?} {deny:?}: {result}"
        );
        let left_out = bench.events_so_far().into_iter().any(|event| {
            matches!(event, AgentEvent::ToolLeftOut { name, reason, .. }
                if name == "alias" && reason.contains("policy"))
        });
        assert_eq!(left_out, expected == not_offered);
    }
}
