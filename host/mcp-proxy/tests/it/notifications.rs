//! Notifications from a client, which have no id.

use super::bytes::watches_all;
use super::peers::Peers;

#[tokio::test]
async fn a_request_without_an_id_does_not_reach_the_server() {
    let mut peers = Peers::new([watches_all()]);
    let call = r#"{"method":"tools/call","params":{"name":"t","arguments":{}}}"#;
    let other = r#"{"method":"Notifications/x"}"#;
    let notice = r#"{"method":"notifications/x"}"#;
    for line in [
        call.to_owned(),
        other.to_owned(),
        format!("[{call}]"),
        format!("[{notice},{call}]"),
    ] {
        peers.client.send(line).await;
    }
    assert_eq!(peers.server.line().await.unwrap(), notice);
    // A batch that contains only notifications is passed on unchanged.
    let batch = format!("[{notice} , {notice}]");
    peers.client.send(&batch).await;
    assert_eq!(peers.server.line().await.unwrap(), batch);
}
