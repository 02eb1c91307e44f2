//! The redactor of personal data, in Python.

use std::sync::Arc;

use portcullis::Call;
use portcullis::contract::{ContentPart, ToolCall};
use portcullis::points::PostLlmCall;
use portcullis_tests::Sample;

use super::{refused, session, text, tool_output};

fn response(parts: Vec<ContentPart>) -> Call<PostLlmCall> {
    let mut call = PostLlmCall::sample();
    call.views.content = Arc::new(parts);
    call
}

#[tokio::test]
async fn what_is_personal_goes_and_what_only_looks_like_it_stays() {
    let session = session("pii-redactor", "");
    for (said, left) in [
        (
            "Write to ada.lovelace+x@mail.example.org.",
            "Write to [email].",
        ),
        ("Call +44 20 7946 0958 now", "Call [phone] now"),
        ("Card 4111 1111 1111 1111, please", "Card [card], please"),
        (
            "Order 4111 1111 1111 1112, please",
            "Order 4111 1111 1111 1112, please",
        ),
        ("Pay to DE89 3704 0044 0532 0130 00.", "Pay to [iban]."),
        ("Pay to GB82 WEST 1234 5698 7654 32.", "Pay to [iban]."),
        (
            "Pay to GB83 WEST 1234 5698 7654 32.",
            "Pay to GB83 WEST 1234 5698 7654 32.",
        ),
        ("Version 1.2.3 of 2026-11-21", "Version 1.2.3 of 2026-11-21"),
    ] {
        let mut call = response(vec![text(said)]);
        let verdict = session.run(&mut call).await;
        assert!(verdict.decision.passed(), "{verdict:?}");
        assert_eq!(*call.views.content, [text(left)]);
        assert_eq!(verdict.runs[0].change.is_some(), said != left);
    }
}

#[tokio::test]
async fn parts_that_are_no_text_stay_as_they_are() {
    let call = ContentPart::ToolCall(ToolCall {
        id: "call-1".into(),
        name: "mail".into(),
        arguments: r#"{"to":"ada@example.org"}"#.into(),
    });
    let mut response = response(vec![text("To ada@example.org:"), call.clone()]);
    let session = session("pii-redactor", "");
    assert!(session.run(&mut response).await.decision.passed());
    assert_eq!(*response.views.content, [text("To [email]:"), call]);
}

#[tokio::test]
async fn a_tools_output_is_redacted_too_by_the_kinds_that_are_named() {
    let session = session(
        "pii-redactor",
        "[hooks.pii-redactor.config]\nkinds = [\"email\"]\n",
    );
    let mut call = tool_output("read_file", "ada@example.org, +44 20 7946 0958");
    assert!(session.run(&mut call).await.decision.passed());
    assert_eq!(
        call.views.tool_output.as_deref(),
        Some("[email], +44 20 7946 0958")
    );
}

#[test]
fn what_is_wrong_in_the_settings_is_named() {
    let settings = "[hooks.pii-redactor.config]\nkinds = [\"mail\"]\n";
    let said = refused("pii-redactor", settings);
    assert!(
        said.contains("`config.kinds[0]`: value is not one of"),
        "{said}"
    );
}
