//! Each kind is accepted, and visible to the next hook.

use std::sync::Arc;

use portcullis::contract::PromptSection;
use portcullis::points::{
    PostTurn, PromptCompile, PromptContext, PromptPolicy, PromptRecall, PromptTools, prompt_compile,
};
use portcullis::prompt::SideOutput;
use portcullis::{NativeHook, SessionOptions};
use portcullis_tests::{HooksDir, Sample, Watcher, hook, probe_session};

use super::seen;

fn section(id: &str, text: &str) -> PromptSection {
    PromptSection {
        id: id.into(),
        title: None,
        text: text.into(),
        order: 0,
        max_tokens: None,
        essential: false,
    }
}

#[tokio::test]
async fn a_policy_is_taken_and_seen_by_the_next_hook() {
    let action = r#"contribute policy memory {"read":true}; policy memory {"read":false}"#;
    let (seen, views, facts, verdict) = seen::<PromptPolicy>(action, "").await;
    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
    // The last policy of a domain applies.
    assert!(
        seen.contains(r#"memory=Some("{\"read\":false}")"#),
        "{seen}"
    );
    assert_eq!((views.prompt.policies.len(), facts.policies), (2, 2));
    assert_eq!(views.prompt.policies[0].by.as_str(), "first");
    let kinds: Vec<_> = verdict.runs[0].contributed.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, ["policy", "policy"]);
    assert_ne!(
        verdict.runs[0].contributed[0].digest,
        verdict.runs[0].contributed[1].digest
    );
}

#[tokio::test]
async fn context_is_taken_at_both_its_points() {
    let action = "contribute context fact Water is wet.";
    let (seen_early, views, facts, _) = seen::<PromptContext>(action, "").await;
    assert!(
        seen_early.contains(r#"items=["fact:Water is wet."]"#),
        "{seen_early}"
    );
    assert_eq!((views.prompt.items.len(), facts.items), (1, 1));
    let (seen_late, views, facts, _) = seen::<PromptRecall>(action, "").await;
    assert!(
        seen_late.contains(r#"items=["fact:Water is wet."]"#),
        "{seen_late}"
    );
    assert_eq!((views.prompt.items.len(), facts.items), (1, 1));
}

#[tokio::test]
async fn a_tool_bundle_stands_in_the_catalogue() {
    let (seen, views, facts, verdict) = seen::<PromptTools>("contribute tool dig", "").await;
    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
    assert!(seen.contains(r#"tools=["write", "dig"]"#), "{seen}");
    assert_eq!(views.tools.names().collect::<Vec<_>>(), ["write", "dig"]);
    assert_eq!(views.prompt.bundles[0].by.as_str(), "first");
    assert_eq!((facts.tools, facts.bundles), (2, 1));
}

#[tokio::test]
async fn a_section_takes_the_place_of_one_with_its_id() {
    let action = "contribute section one First.; section two Second.; section one Third.";
    let (seen, views, draft, _) = seen::<PromptCompile>(action, "").await;
    assert!(
        seen.contains(r#"sections=["one:Third.", "two:Second."]"#),
        "{seen}"
    );
    assert_eq!(views.prompt.sections.len(), 2);
    assert_eq!((draft.facts.sections, draft.facts.tokens), (2, 4));
}

#[tokio::test]
async fn a_section_of_another_hook_can_be_replaced_and_is_then_its_own() {
    let settings = hook(
        "first",
        "",
        "prompt-compile = 'contribute section one First.'",
    ) + &hook(
        "later",
        "",
        "prompt-compile = 'contribute section one Second.'",
    );
    let session = HooksDir::new()
        .with_renamed("probe", "first")
        .with_renamed("probe", "later")
        .settings(&settings)
        .load()
        .session(SessionOptions::new("test"));
    let mut call = PromptCompile::sample();
    let _ = session.run(&mut call).await;
    let sections = &call.views.prompt.sections;
    assert_eq!(sections.len(), 1);
    assert_eq!(
        (sections[0].by.as_str(), sections[0].value.text.as_str()),
        ("later", "Second.")
    );
}

#[tokio::test]
async fn a_transform_writes_the_sections_anew_and_the_next_hook_sees_them() {
    let native = NativeHook::new("editor")
        .priority(2)
        .on::<PromptCompile>(|_| {
            Ok(prompt_compile::Outcome::Transform(
                prompt_compile::PromptEdit {
                    system: Some(String::new()),
                    response_format: None,
                    sections: Some(vec![section("two", "Mine."), section("one", "Kept.")]),
                },
            ))
        });
    let settings = hook(
        "first",
        "priority = 1",
        "prompt-compile = 'contribute section one First.'",
    ) + &hook("later", "", "prompt-compile = 'look'");
    let sink = Arc::new(Watcher::default());
    let session = HooksDir::new()
        .with_renamed("probe", "first")
        .with_renamed("probe", "later")
        .settings(&settings)
        .load_beside([native])
        .session(SessionOptions {
            sink: sink.clone(),
            ..SessionOptions::new("test")
        });
    let mut call = PromptCompile::sample();
    let verdict = session.run(&mut call).await;
    let order: Vec<_> = verdict.runs.iter().map(|run| run.hook.as_str()).collect();
    assert_eq!(order, ["first", "editor", "later"]);
    let seen = sink.logged().pop().expect("a look");
    assert!(
        seen.contains(r#"sections=["two:Mine.", "one:Kept."]"#),
        "{seen}"
    );
    // Earlier instructions stay their contributor's; empty instructions change nothing.
    let by: Vec<_> = call
        .views
        .prompt
        .sections
        .iter()
        .map(|s| s.by.as_str())
        .collect();
    assert_eq!(by, ["(edited)", "first"]);
    assert_eq!(call.subject.system, None);
    assert_eq!(call.subject.facts.sections, 2);
}

#[tokio::test]
async fn remarks_and_jobs_stand_in_the_verdict_and_not_in_the_prompt() {
    let session = probe_session("post-turn = 'contribute note seen; job tidy'");
    let mut call = PostTurn::sample();
    let verdict = session.run(&mut call).await;
    let side_outputs: Vec<_> = verdict
        .side_outputs
        .iter()
        .map(|aside| &aside.value)
        .collect();
    match side_outputs.as_slice() {
        [SideOutput::Note(note), SideOutput::Job(job)] => {
            assert_eq!((note.code.as_str(), job.name.as_str()), ("seen", "tidy"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(*call.views.prompt, *PostTurn::sample().views.prompt);
}

/// The effective rules after a hook that allows, and one that denies, in either order.
#[tokio::test]
async fn policies_narrow_each_other_unless_the_operator_lets_a_hook_replace_them() {
    use portcullis::contract::{ContributionKind, DomainPolicy};
    use portcullis::points::prompt_policy::{Contribution, Outcome};

    let says = |id: &str, rules: &'static str| {
        NativeHook::new(id)
            .contributes([ContributionKind::Policy])
            .on::<PromptPolicy>(move |_| {
                let policy = DomainPolicy {
                    domain: "memory".into(),
                    rules: rules.into(),
                };
                Ok(Outcome::Contribute(vec![Contribution::Policy(policy)]))
            })
    };
    for (settings, expected) in [
        ("", r#"{"write":false,"read":true}"#),
        (
            "[hooks.b]\npolicies = \"narrow\"\n",
            r#"{"write":false,"read":true}"#,
        ),
        ("[hooks.b]\npolicies = \"replace\"\n", r#"{"write":true}"#),
    ] {
        let hooks = HooksDir::new().settings(settings).load_beside([
            says("a", r#"{"write":false,"read":true}"#),
            says("b", r#"{"write":true}"#),
        ]);
        let session = hooks.session(SessionOptions::new("session-1"));
        let mut call = PromptPolicy::sample();
        session.run(&mut call).await;
        let held = call.views.prompt.policy("memory").expect("a policy");
        let held: serde_json::Value = serde_json::from_str(&held.rules).expect("JSON");
        let expected: serde_json::Value = serde_json::from_str(expected).expect("JSON");
        assert_eq!(held, expected, "{settings}");
    }
}
