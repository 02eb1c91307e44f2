//! Hooks for the tools of a loop that is not the agent's.

use std::sync::Arc;

use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis::{Hooks, NativeHook, SessionOptions};
use portcullis_agent::{ToolGuard, ToolOutput};

use crate::support::Trail;

/// Returns a guard with a hook that records the arguments it sees.
fn guard(seen: &Trail) -> ToolGuard {
    let seen = seen.clone();
    let sees = NativeHook::new("sees").on::<PreToolCall>(move |call| {
        seen.add(format!("hook {}", call.views.tool_arguments));
        Ok(pre_tool_call::Outcome::Continue)
    });
    let hooks = Hooks::none().with([sees]).unwrap();
    ToolGuard::new(hooks.session(SessionOptions::new("s")), "loop")
}

async fn call(arguments: &str) -> (ToolOutput, Vec<String>) {
    let trail = Trail::default();
    let run = async |arguments: Arc<str>| {
        trail.add(format!("tool {arguments}"));
        ToolOutput::ok("ran")
    };
    let output = guard(&trail).call("write", arguments, run).await;
    (output, trail.take())
}

#[tokio::test]
async fn arguments_that_are_no_object_reach_neither_hooks_nor_the_tool() {
    for (arguments, why) in [
        (r#"{"path":"#, "are not JSON"),
        (r#"{"path":"a"} {}"#, "are not JSON"),
        (r#"["a"]"#, "are not a JSON object"),
    ] {
        let (output, trail) = call(arguments).await;
        assert!(output.is_error, "{arguments}");
        assert!(output.content.contains(why), "{}", output.content);
        assert!(trail.is_empty(), "{trail:?}");
    }
}

/// Some models write no arguments if a tool has none.
#[tokio::test]
async fn empty_arguments_are_an_empty_object() {
    let (output, trail) = call(" ").await;
    assert!(!output.is_error, "{}", output.content);
    assert_eq!(trail, ["hook {}", "tool {}"]);
}
