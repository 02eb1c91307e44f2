use portcullis_sdk::prelude::*;
use portcullis_sdk::testing::Host;
use serde_json::json;

use super::MemoryTools;

fn call(host: &Host, tool: &str) -> HookResult<pre_tool_call::Outcome> {
    let facts = pre_tool_call::Facts {
        name: tool.into(),
        ..Default::default()
    };
    host.call(MemoryTools::pre_tool_call, facts)
}

fn answers(content: &str) -> HookResult<pre_tool_call::Outcome> {
    Ok(pre_tool_call::Outcome::Answer {
        content: content.into(),
        is_error: false,
    })
}

#[test]
fn what_is_saved_is_found() {
    let host = Host::new().shared("memory");
    let host = host.tool_arguments(json!({ "text": "The dog is called Rex." }));
    assert_eq!(call(&host, "memory_save"), answers("Saved."));
    assert_eq!(
        call(&host, "memory_save"),
        answers("That is known already.")
    );
    let host = host.tool_arguments(json!({ "query": "dogs" }));
    assert_eq!(
        call(&host, "memory_search"),
        answers("- The dog is called Rex.")
    );
    assert_eq!(call(&host, "another"), Ok(pre_tool_call::Outcome::Continue));
}
