//! The policy on tools' arguments, in Python.

use portcullis::points::PreToolCall;
use portcullis::{Decision, Verdict};

use super::{refused, session, tool_call, tool_output};

const RULES: &str = "[hooks.tool-policy.grants]\nstate = true\n[hooks.tool-policy.config]\ncalls = 2\n\
     [[hooks.tool-policy.config.rules]]\ntool = \"fetch*\"\nargument = \"url\"\n\
     allow = [\"https://docs.example.com/*\"]\ndeny = [\"*token=*\"]\n";

fn code(verdict: &Verdict<PreToolCall>) -> &str {
    match &verdict.decision {
        Decision::Rejected { rejection, .. } => &rejection.code,
        Decision::Passed => "",
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn arguments_are_checked_against_patterns() {
    let session = session("tool-policy", RULES);
    for (tool, arguments, refused) in [
        ("fetch_page", r#"{"url":"https://docs.example.com/a"}"#, ""),
        (
            "fetch_page",
            r#"{"url":"https://docs.example.com/a?token=x"}"#,
            "argument-not-allowed",
        ),
        (
            "fetch_page",
            r#"{"url":"https://evil.test/"}"#,
            "argument-not-allowed",
        ),
        (
            "fetch_all",
            r#"{"url":["https://docs.example.com/a","https://evil.test/"]}"#,
            "argument-not-allowed",
        ),
        ("read_file", r#"{"url":"https://evil.test/"}"#, ""),
    ] {
        let verdict = session.run(&mut tool_call(tool, &["url"], arguments)).await;
        assert_eq!(code(&verdict), refused, "{tool} {arguments}: {verdict:?}");
    }
}

#[tokio::test]
async fn calls_that_ran_are_counted_for_each_session() {
    let session = session("tool-policy", RULES);
    let call = || tool_call("read_file", &["path"], r#"{"path":"a"}"#);
    for _ in 0..3 {
        assert_eq!(code(&session.run(&mut call()).await), "", "none ran yet");
    }
    for _ in 0..2 {
        let verdict = session.run(&mut tool_output("read_file", "text")).await;
        assert!(verdict.decision.passed(), "{verdict:?}");
    }
    assert_eq!(code(&session.run(&mut call()).await), "too-many-calls");
    let other = session.run(&mut tool_call("list_dir", &[], "{}")).await;
    assert_eq!(code(&other), "");
}

#[test]
fn what_is_wrong_in_the_settings_is_named() {
    let grant = "[hooks.tool-policy.grants]\nstate = true\n";
    for (config, says) in [
        (
            "[hooks.tool-policy.config]\ncalls = \"many\"\n",
            "`config.calls`: value is not of type \"integer\"",
        ),
        (
            "[[hooks.tool-policy.config.rules]]\ntool = \"a\"\n",
            "`config.rules[0].argument` is missing",
        ),
        (
            "[hooks.tool-policy.config]\nrule = []\n",
            "unknown key `rule`; did you mean `rules`?",
        ),
    ] {
        let said = refused("tool-policy", &format!("{grant}{config}"));
        assert!(said.contains(says), "{config}: {said}");
    }
}
