use portcullis_sdk::prelude::*;
use portcullis_sdk::testing::Host;
use serde_json::{Value, json};

use super::PathJail;

#[test]
fn a_path_that_leaves_is_moved() {
    let call = |arguments: Value| {
        let facts = pre_tool_call::Facts {
            name: "read_file".into(),
            grant: pre_tool_call::ExecutionGrant {
                working_dir: Some("/work".into()),
                timeout_ms: 1_000,
            },
            ..Default::default()
        };
        let host = Host::new().config(json!({ "mode": "rewrite" }));
        let host = host.tool_arguments(arguments);
        host.call(PathJail::pre_tool_call, facts)
    };
    let moved = pre_tool_call::Outcome::Transform(r#"{"path":"/work/x"}"#.into());
    assert_eq!(call(json!({ "path": "../x" })), Ok(moved));
    let stays = call(json!({ "path": "x" }));
    assert_eq!(stays, Ok(pre_tool_call::Outcome::Continue));
}
