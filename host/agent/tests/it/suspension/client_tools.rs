//! Tools that a client runs.

use portcullis_agent::{SuspendReason, Wanted};

use crate::support::{assert_whole, bench, record_all, responses, spec};

use super::support::*;

#[tokio::test]
async fn a_client_runs_its_tools() {
    let file = File::new();
    let make = |script: &str| {
        bench(script, |builder, trail| {
            let trail = trail.clone();
            builder
                .client_tool(spec("browser"))
                .prepare(move |session| record_all(session, &trail))
        })
    };
    let response = calls(&[call("c1", "browser", "a page")]);
    let first = make(&responses(&[&response]));
    let mut session = first.agent.session(new(&file.open())).await.unwrap();
    let suspension = suspended(session.turn("go").await);
    assert_eq!(suspension.reason, SuspendReason::ClientTool);
    assert_eq!(suspension.pending[0].wants, Wanted::Result);
    assert_eq!(suspension.pending[0].arguments, r#"{"text":"a page"}"#);

    let second = make(&responses(&[r#"{"expect": "the page", "text": "done"}"#]));
    let (session, ended) = second
        .agent
        .resume(
            suspension.checkpoint,
            given("c1", "the page"),
            new(&file.open()),
        )
        .await
        .unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
    assert_eq!(second.trail.count("post-tool-call"), 1);
    assert_eq!(
        second.trail.count("pre-tool-call"),
        0,
        "it was asked before"
    );
    assert_whole(session.conversation());

    // Without checkpoints the model gets a reason.
    let third = make(&responses(&[
        &response,
        r#"{"expect": "has no checkpoints to wait in", "text": "ok"}"#,
    ]));
    let mut session = third.session().await;
    assert_eq!(
        session.turn("go").await.unwrap().done().unwrap().text(),
        "ok"
    );
}
