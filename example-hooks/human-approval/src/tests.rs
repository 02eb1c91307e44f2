use portcullis_sdk::prelude::*;
use portcullis_sdk::testing::Host;
use serde_json::json;

use super::HumanApproval;

#[test]
fn only_calls_of_the_tools_named_are_asked_about() {
    let host = Host::new()
        .config(json!({ "tools": ["write_*"] }))
        .tool_arguments(json!({ "path": "a" }));
    let call = |tool: &str| {
        let facts = pre_tool_call::Facts {
            name: tool.into(),
            ..Default::default()
        };
        host.call(HumanApproval::pre_tool_call, facts)
    };
    let asked = pre_tool_call::Outcome::Ask {
        question: "May the agent run the tool `write_file`?".into(),
        details: Some("{\n  \"path\": \"a\"\n}".into()),
    };
    assert_eq!(call("write_file"), Ok(asked));
    assert_eq!(call("read_file"), Ok(pre_tool_call::Outcome::Continue));
}
