//! Hooks that an agent never calls, because it calls none of their points.

use portcullis::Hooks;
use portcullis::points::PointId;
use portcullis::report::HookSummary;

/// Logs the hooks that this agent never calls. `calls` returns whether it calls a point.
pub fn warn(hooks: &Hooks, agent: &str, calls: impl Fn(PointId) -> bool) {
    for warning in warnings(&hooks.summaries(), agent, calls) {
        tracing::warn!("{warning}");
    }
}

fn warnings(hooks: &[HookSummary], agent: &str, calls: impl Fn(PointId) -> bool) -> Vec<String> {
    let never =
        |hook: &&HookSummary| hook.enabled && !hook.points.iter().any(|point| calls(*point));
    let warning = |hook: &HookSummary| {
        let points: Vec<&str> = hook.points.iter().map(|point| point.name()).collect();
        format!(
            "hook `{}` is never called by {agent}: it serves only {}; use it in an agent that calls these points, or \
             remove it from the directory",
            hook.id,
            points.join(", ")
        )
    };
    hooks.iter().filter(never).map(warning).collect()
}

#[cfg(test)]
mod tests {
    use portcullis::NativeHook;
    use portcullis::points::{PreLlmCall, PreToolCall, pre_llm_call, pre_tool_call};
    use portcullis_dialects::Dialect;

    use super::*;

    #[test]
    fn only_a_hook_without_a_called_point_is_named() {
        let spends =
            NativeHook::new("spends").on::<PreLlmCall>(|_| Ok(pre_llm_call::Outcome::Continue));
        let both = NativeHook::new("both")
            .on::<PreLlmCall>(|_| Ok(pre_llm_call::Outcome::Continue))
            .on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Continue));
        let hooks = Hooks::none().with([spends, both]).expect("hooks");
        let warned = |dialect: Dialect| {
            let hooks = hooks.summaries();
            warnings(&hooks, dialect.agent(), |point| dialect.calls(point))
        };
        assert_eq!(
            warned(Dialect::Claude),
            [
                "hook `spends` is never called by Claude Code: it serves only pre-llm-call; use it in an agent that \
                 calls these points, or remove it from the directory"
            ]
        );
        assert!(warned(Dialect::Gemini).is_empty());
        let calls = |point| portcullis_mcp_proxy::POINTS.contains(&point);
        assert_eq!(
            warnings(&hooks.summaries(), "an MCP client", calls).len(),
            1
        );
    }
}
