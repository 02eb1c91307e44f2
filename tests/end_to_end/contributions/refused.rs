//! The contributions that are rejected, and why.

use portcullis::contract::{
    AuditNote, BundledTool, ContributionKind, PromptSection, ToolBundle, ToolRoute, ToolSpec,
};
use portcullis::hooks::Mode;
use portcullis::points::{
    PostTurn, PromptCompile, PromptContext, PromptPolicy, PromptTools, post_turn, prompt_compile,
    prompt_context, prompt_tools,
};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Decision, NativeHook, SessionOptions};
use portcullis_tests::{HooksDir, Sample, hook, probe_session};

use super::seen;

#[test]
fn a_kind_without_a_grant_is_a_load_error_that_names_it() {
    let settings = hook("probe", "", "").replace("\"section\", ", "");
    let error = HooksDir::new()
        .with("probe")
        .settings(&settings)
        .try_load()
        .expect_err("a load error")
        .to_string();
    let grant = "contributes `section`, which it was not granted; if it may, write in hooks.toml: \
                 [hooks.probe.grants] contribute = [\"policy\", \"context\", \"tools\", \"note\", \"job\", \
                 \"section\"]";
    assert!(error.contains(grant), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn the_operator_may_take_a_grant_from_a_native_hook() {
    let native = || {
        NativeHook::new("native")
            .contributes([ContributionKind::Context])
            .on::<PromptContext>(|_| Ok(prompt_context::Outcome::Continue))
    };
    for (said, loads) in [
        ("", true),
        ("[hooks.native.grants]\ncontribute = [\"note\"]\n", false),
        ("[hooks.native.grants]\ncontribute = []\n", false),
        (
            "[hooks.native]\nenabled = false\n[hooks.native.grants]\ncontribute = []\n",
            true,
        ),
    ] {
        let loaded = HooksDir::new().settings(said).try_load_beside([native()]);
        match loaded {
            Ok(_) => assert!(loads, "{said}"),
            Err(error) => {
                assert!(!loads, "{said}: {error}");
                // The suggestion includes the kinds that are already granted.
                let had = if said.contains("note") {
                    "\"note\", "
                } else {
                    ""
                };
                let fix = format!("[hooks.native.grants] contribute = [{had}\"context\"]");
                assert!(error.to_string().contains(&fix), "{error}");
            }
        }
    }
}

#[tokio::test]
async fn a_kind_that_is_not_declared_is_bad_output_and_is_not_taken() {
    let hasty = NativeHook::new("hasty")
        .contributes([ContributionKind::Job])
        .on::<PostTurn>(|_| Ok(post_turn::Outcome::Contribute(vec![note("undeclared")])));
    let session = portcullis::Hooks::none()
        .with([hasty])
        .expect("hooks")
        .session(SessionOptions::new("test"));
    let verdict = session.run(&mut PostTurn::sample()).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::BadOutput));
    assert!(verdict.side_outputs.is_empty());
    let Decision::Failed(failed) = verdict.decision else {
        panic!("{:?}", verdict.decision);
    };
    assert!(failed.to_string().contains("does not declare"), "{failed}");
}

fn note(code: &str) -> post_turn::Contribution {
    post_turn::Contribution::Note(AuditNote {
        code: code.into(),
        data: "1".into(),
    })
}

#[tokio::test]
async fn what_changes_nothing_may_only_make_remarks_and_leave_work_behind() {
    for role in ["gate", "observe"] {
        for (action, taken) in [
            ("contribute note seen", true),
            ("contribute job tidy", true),
            ("contribute context fact Water is wet.", false),
        ] {
            let settings = format!("role = \"{role}\"");
            let (_, views, _, verdict) = seen::<PromptContext>(action, &settings).await;
            let run = verdict.runs.iter().find(|run| run.hook.as_str() == "first");
            let cause = run.and_then(portcullis::verdict::HookRun::cause);
            let expected = (!taken).then_some(Cause::BadOutput);
            assert_eq!(cause, expected, "{role}: {action}");
            assert_eq!(
                verdict.side_outputs.len(),
                usize::from(taken),
                "{role}: {action}"
            );
            assert!(views.prompt.items.is_empty(), "{role}: {action}");
            let observes = role == "observe";
            assert_eq!(
                verdict.decision.passed(),
                taken || observes,
                "{role}: {action}"
            );
        }
    }
}

#[tokio::test]
async fn in_audit_mode_contributions_are_recorded_and_not_taken() {
    let action = "contribute section one First.; note seen";
    let (seen, views, draft, verdict) = seen::<PromptCompile>(action, "mode = \"audit\"").await;
    assert!(seen.contains("sections=[]"), "{seen}");
    assert!(views.prompt.sections.is_empty());
    assert!(verdict.side_outputs.is_empty());
    assert_eq!(draft.facts.sections, 0);
    assert_eq!(verdict.runs[0].mode, Mode::Audit);
    let kinds: Vec<_> = verdict.runs[0].contributed.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, ["section", "note"]);
}

/// Checks that a contribution that breaks a check is rejected, also after a valid one.
async fn none_is_taken<P: Sample>(action: &str) {
    fails_with::<P>(action, Cause::BadOutput).await;
}

async fn fails_with<P: Sample>(action: &str, cause: Cause) {
    let session = probe_session(&format!("{} = '{action}'", P::ID));
    let mut call = P::sample();
    let verdict = session.run(&mut call).await;
    assert_eq!(verdict.runs[0].cause(), Some(cause), "{action}");
    assert!(verdict.runs[0].contributed.is_empty(), "{action}");
    assert!(verdict.side_outputs.is_empty(), "{action}");
    let before = P::sample();
    assert_eq!(call.views.prompt, before.views.prompt, "{action}");
    assert!(
        call.views.tools.names().eq(before.views.tools.names()),
        "{action}"
    );
    assert_eq!(
        format!("{:?}", call.subject),
        format!("{:?}", before.subject),
        "{action}"
    );
}

#[tokio::test]
async fn where_one_contribution_breaks_a_check_none_of_the_answer_is_taken() {
    none_is_taken::<PromptPolicy>("contribute policy memory {}; policy memory nonsense").await;
    none_is_taken::<PromptPolicy>("contribute note seen; policy memory [1]").await;
    none_is_taken::<PromptPolicy>("contribute policy memory {}; policy  {}").await;
    none_is_taken::<PromptContext>("contribute context fact a; context  b").await;
    none_is_taken::<PromptTools>("contribute tool dig; tool write").await;
    none_is_taken::<PromptTools>("contribute tool dig; tool dig").await;
    none_is_taken::<PromptTools>("contribute tool dig; tool ").await;
    none_is_taken::<PromptCompile>("contribute section one First.; section  Second.").await;
    none_is_taken::<PostTurn>("contribute job tidy; note ").await;
}

#[tokio::test]
async fn too_many_contributions_are_not_taken() {
    let many = vec!["note n"; 257].join("; ");
    fails_with::<PostTurn>(&format!("contribute {many}"), Cause::Contributions).await;
}

#[tokio::test]
async fn a_tool_name_that_another_hook_took_is_refused() {
    let settings = hook("first", "", "prompt-tools = 'contribute tool dig'")
        + &hook(
            "later",
            "failure = \"fail-open\"",
            "prompt-tools = 'contribute tool dig'",
        );
    let session = HooksDir::new()
        .with_renamed("probe", "first")
        .with_renamed("probe", "later")
        .settings(&settings)
        .load()
        .session(SessionOptions::new("test"));
    let mut call = PromptTools::sample();
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed());
    let RunStatus::Failed { message, .. } = &verdict.runs[1].status else {
        panic!("{:?}", verdict.runs[1]);
    };
    assert!(message.contains("two tools are called `dig`"), "{message}");
    assert_eq!(call.views.prompt.bundles.len(), 1);
}

/// A bundle of 20,000 tools took 17 s.
#[tokio::test]
async fn a_bundle_counts_as_its_tools() {
    for (tools, cause) in [
        (256, None),
        (257, Some(Cause::Contributions)),
        (20_000, Some(Cause::Contributions)),
    ] {
        let native = NativeHook::new("native")
            .contributes([ContributionKind::Tools])
            .on::<PromptTools>(move |_| {
                let tool = |n| BundledTool {
                    spec: ToolSpec {
                        name: format!("tool-{n}"),
                        description: String::new(),
                        schema: "{}".into(),
                    },
                    route: ToolRoute::Hook,
                };
                let bundle = ToolBundle {
                    name: "many".into(),
                    tools: (0..tools).map(tool).collect(),
                };
                Ok(prompt_tools::Outcome::Contribute(vec![
                    prompt_tools::Contribution::Tools(bundle),
                ]))
            });
        let session = portcullis::Hooks::none()
            .with([native])
            .expect("hooks")
            .session(SessionOptions::new("test"));
        let mut call = PromptTools::sample();
        let before = call.views.tools.len();
        let verdict = session.run(&mut call).await;
        assert_eq!(verdict.runs[0].cause(), cause, "{tools}");
        let more = if cause.is_none() { tools } else { 0 };
        assert_eq!(call.views.tools.len(), before + more, "{tools}");
    }
}

/// A prompt of 20,000 sections took 6 s.
#[tokio::test]
async fn a_prompt_has_no_more_sections_than_it_may() {
    for (sections, cause) in [
        (1_000, None),
        (1_001, Some(Cause::BadOutput)),
        (20_000, Some(Cause::BadOutput)),
    ] {
        let native = NativeHook::new("native").on::<PromptCompile>(move |_| {
            let section = |n| PromptSection {
                id: format!("section-{n}"),
                title: None,
                text: "text".into(),
                order: 0,
                max_tokens: None,
                essential: false,
            };
            Ok(prompt_compile::Outcome::Transform(
                prompt_compile::PromptEdit {
                    system: None,
                    response_format: None,
                    sections: Some((0..sections).map(section).collect()),
                },
            ))
        });
        let session = portcullis::Hooks::none()
            .with([native])
            .expect("hooks")
            .session(SessionOptions::new("test"));
        let mut call = PromptCompile::sample();
        let verdict = session.run(&mut call).await;
        assert_eq!(verdict.runs[0].cause(), cause, "{sections}");
    }
}
