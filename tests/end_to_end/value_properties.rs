//! The value that a chain leaves has passed every check, for any answers of its hooks.

use portcullis::contract::{
    AuditNote, BackgroundJob, BundledTool, FailurePolicy, HookRole, PromptSection, ToolBundle,
    ToolRoute, ToolSpec,
};
use portcullis::points::{
    PreToolCall, PromptCompile, PromptTools, pre_tool_call, prompt_compile, prompt_tools,
};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Hooks, NativeHook, SessionOptions};
use portcullis_tests::{Sample, tool_call};
use proptest::prelude::*;

/// Generates arguments for the tool `write`, and whether its schema allows them.
fn arguments() -> impl Strategy<Value = (String, bool)> {
    prop_oneof![
        4 => "[a-z]{0,6}".prop_map(|path| (format!(r#"{{"path":"{path}"}}"#), true)),
        1 => (0..9).prop_map(|n| (format!(r#"{{"path":{n}}}"#), false)),
        1 => Just(("{}".to_owned(), false)),
        1 => Just(("[1]".to_owned(), false)),
        1 => Just(("{\"path\":".to_owned(), false)),
        1 => Just((r#"{"path":null,"path2":"x"}"#.to_owned(), false)),
    ]
}

#[derive(Debug, Clone)]
struct Rewriter {
    arguments: String,
    allowed: bool,
    replaces: bool,
    open: bool,
}

fn rewriter() -> impl Strategy<Value = Rewriter> {
    (arguments(), prop::bool::weighted(0.2), any::<bool>()).prop_map(
        |((arguments, allowed), replaces, open)| Rewriter {
            arguments,
            allowed,
            replaces,
            open,
        },
    )
}

proptest! {
    /// Arguments that break the schema are bad output, and never stay, for any chain.
    #[test]
    fn rewritten_arguments_are_checked_every_time(chain in prop::collection::vec(rewriter(), 0..6)) {
        let hooks = chain.iter().cloned().enumerate().map(|(index, rewriter)| {
            NativeHook::new(format!("hook-{index}"))
                .failure(match rewriter.open {
                    true => FailurePolicy::FailOpen,
                    false => FailurePolicy::FailClosed,
                })
                .on::<PreToolCall>(move |_| Ok(match rewriter.replaces {
                    true => pre_tool_call::Outcome::Replace(rewriter.arguments.clone()),
                    false => pre_tool_call::Outcome::Transform(rewriter.arguments.clone()),
                }))
        });
        let session = Hooks::none().with(hooks).expect("hooks").session(SessionOptions::new("test"));
        let mut call = tool_call(r#"{"path":"a"}"#);
        let verdict = futures::executor::block_on(session.run(&mut call));
        let mut last = r#"{"path":"a"}"#.to_owned();
        for (rewriter, run) in chain.iter().zip(&verdict.runs) {
            match (&run.status, rewriter.allowed) {
                (RunStatus::Skipped | RunStatus::NotApplied { .. }, _) => {}
                (RunStatus::Completed { .. }, true) => last.clone_from(&rewriter.arguments),
                _ => {
                    prop_assert_eq!(run.cause(), Some(Cause::BadOutput));
                    prop_assert!(!rewriter.allowed);
                    prop_assert!(run.change.is_none());
                }
            }
        }
        prop_assert_eq!(&*call.views.tool_arguments, last.as_str());
        prop_assert!(call.views.tools.arguments("write", call.views.tool_arguments.clone()).is_ok());
        let closed = chain.iter().zip(&verdict.runs).any(|(rewriter, run)| {
            run.cause().is_some() && !rewriter.open
        });
        prop_assert_eq!(verdict.decision.passed(), !closed);
    }
}

fn note(code: &str, data: &str) -> AuditNote {
    AuditNote {
        code: code.into(),
        data: data.into(),
    }
}

/// Generates a contribution to `prompt-compile`, and whether it passes its checks.
fn part() -> impl Strategy<Value = (prompt_compile::Contribution, bool)> {
    use prompt_compile::Contribution::{Job, Note, Section};
    let section = |id: String| {
        Section(PromptSection {
            id,
            title: None,
            text: "text".into(),
            order: 0,
            max_tokens: None,
            essential: false,
        })
    };
    let job = |input: &str| {
        Job(BackgroundJob {
            name: "tidy".into(),
            input: input.into(),
        })
    };
    prop_oneof![
        4 => "[a-c]{1,2}".prop_map(move |id| (section(id), true)),
        1 => Just((section(String::new()), false)),
        1 => Just((section("a\nb".into()), false)),
        2 => Just((Note(note("seen", "{}")), true)),
        1 => Just((Note(note("seen", "{")), false)),
        1 => Just((job("1"), true)),
        1 => Just((job(""), false)),
    ]
}

fn bundle(names: &[String]) -> prompt_tools::Contribution {
    let tools = names.iter().map(|name| BundledTool {
        spec: ToolSpec {
            name: name.clone(),
            description: String::new(),
            schema: "{}".into(),
        },
        route: ToolRoute::Hook,
    });
    prompt_tools::Contribution::Tools(ToolBundle {
        name: "tools".into(),
        tools: tools.collect(),
    })
}

fn contributor() -> NativeHook {
    NativeHook::new("contributor")
        .role(HookRole::Transform)
        .failure(FailurePolicy::FailOpen)
        .contributes(portcullis::prompt::KINDS)
}

proptest! {
    /// An answer is accepted as a whole or not at all.
    #[test]
    fn an_invalid_contribution_leaves_the_call_as_it_was(parts in prop::collection::vec(part(), 0..6)) {
        let valid = parts.iter().all(|(_, valid)| *valid);
        let list: Vec<_> = parts.iter().map(|(part, _)| part.clone()).collect();
        let hook = contributor().on::<PromptCompile>(move |_| {
            Ok(prompt_compile::Outcome::Contribute(list.clone()))
        });
        let session = Hooks::none().with([hook]).expect("hooks").session(SessionOptions::new("test"));
        let mut call = PromptCompile::sample();
        let verdict = futures::executor::block_on(session.run(&mut call));
        prop_assert!(verdict.decision.passed());
        prop_assert_eq!(verdict.runs[0].cause().is_none(), valid);
        if valid {
            prop_assert_eq!(verdict.runs[0].contributed.len(), parts.len());
            prop_assert_eq!(call.subject.facts.sections as usize, call.views.prompt.sections.len());
        } else {
            prop_assert_eq!(&call.views.prompt, &PromptCompile::sample().views.prompt);
            prop_assert_eq!(call.subject.facts.sections, 0);
            prop_assert!(verdict.side_outputs.is_empty() && verdict.runs[0].contributed.is_empty());
        }
    }

    /// No tool name occurs twice in a catalogue.
    #[test]
    fn names_of_tools_stay_their_own(bundles in prop::collection::vec(prop::collection::vec("[a-c]|write", 0..3), 0..4)) {
        let list: Vec<_> = bundles.iter().map(|names| bundle(names)).collect();
        let hook = contributor().on::<PromptTools>(move |_| {
            Ok(prompt_tools::Outcome::Contribute(list.clone()))
        });
        let session = Hooks::none().with([hook]).expect("hooks").session(SessionOptions::new("test"));
        let mut call = PromptTools::sample();
        let _ = futures::executor::block_on(session.run(&mut call));
        let names: Vec<&str> = call.views.tools.names().collect();
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        prop_assert_eq!(once.len(), names.len());
        prop_assert_eq!(call.subject.tools as usize, names.len());
        let mut all: Vec<&String> = bundles.iter().flatten().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        let clash = all.len() < count || all.iter().any(|name| *name == "write");
        prop_assert_eq!(names.len(), if clash { 1 } else { 1 + count });
    }
}
