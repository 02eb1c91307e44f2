//! Default arguments, in JavaScript.

use portcullis::verdict::Cause;

use super::{session, tool_call};

const SETTINGS: &str = "[hooks.argument-defaults.config.search]\n\
     limit = { default = 10, max = 50 }\nlanguage = { default = \"en\" }\n";

#[tokio::test]
async fn what_was_left_out_is_filled_in_and_numbers_keep_their_bounds() {
    let session = session("argument-defaults", SETTINGS);
    for (before, after) in [
        (
            r#"{"query":"a"}"#,
            r#"{"query":"a","language":"en","limit":10}"#,
        ),
        (
            r#"{"query":"a","limit":999,"language":"de"}"#,
            r#"{"query":"a","limit":50,"language":"de"}"#,
        ),
        (
            r#"{"query":"a","limit":5,"language":"de"}"#,
            r#"{"query":"a","limit":5,"language":"de"}"#,
        ),
    ] {
        let mut call = tool_call("search", &["query", "limit", "language"], before);
        let verdict = session.run(&mut call).await;
        assert!(verdict.decision.passed(), "{verdict:?}");
        assert_eq!(&*call.views.tool_arguments, after);
        assert_eq!(verdict.runs[0].change.is_some(), before != after);
    }
}

#[tokio::test]
async fn a_tool_is_given_no_argument_that_it_does_not_have() {
    let session = session("argument-defaults", SETTINGS);
    let mut call = tool_call("search", &["query", "limit"], r#"{"query":"a"}"#);
    assert!(session.run(&mut call).await.decision.passed());
    assert_eq!(&*call.views.tool_arguments, r#"{"query":"a","limit":10}"#);
    let mut other = tool_call("fetch", &["url", "limit"], r#"{"url":"a"}"#);
    assert!(session.run(&mut other).await.decision.passed());
    assert_eq!(&*other.views.tool_arguments, r#"{"url":"a"}"#);
}

#[tokio::test]
async fn what_is_wrong_in_the_settings_is_named() {
    let settings = "[hooks.argument-defaults.config.search]\nlimit = { maximum = 50 }\n";
    let session = session("argument-defaults", settings);
    let verdict = session
        .run(&mut tool_call("search", &["limit"], "{}"))
        .await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError));
    let said = format!("{:?}", verdict.decision);
    assert!(
        said.contains("`search.limit`: unknown key `maximum`"),
        "{said}"
    );
}
