//! Asks a policy server whether a tool may run.
//!
//! ```toml
//! [hooks.policy-server.grants]
//! http = ["POST http://localhost:8181/v1/data/agent/tool at 127.0.0.1"]
//!
//! [hooks.policy-server.config]
//! url = "http://localhost:8181/v1/data/agent/tool"
//! ```
//!
//! It speaks the protocol of Open Policy Agent: it posts
//! `{"input": {"session", "agent", "turn", "tool", "working-dir", "arguments"}}`, and reads
//! `{"result": {"allow": true}}`, or `{"result": {"allow": false, "reason": "…"}}`. A call that is not
//! allowed is refused with the code `policy` and that reason.
//!
//! If the server cannot be reached, takes too long or does not decide, the hook fails. It is a gate, so
//! it fails closed: the tool does not run.
//!
//! Points: `pre-tool-call`. Role: gate. Needs the view `tool-data`, and a server.

mod decision;

use decision::{Decision, Input, Question};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Config {
    /// The address of the policy.
    url: String,
}

static CONFIG: Prepared<Config> = Prepared::new(config);

struct PolicyServer;

#[hook(
    id = "policy-server",
    kind = "policy",
    description = "Asks a policy server whether a tool may run.",
    priority = 950,
    config = Config
)]
impl PolicyServer {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let question = Question {
            input: Input {
                session: context::session_id(),
                agent: context::agent(),
                turn: context::turn(),
                tool: call.name(),
                working_dir: call.grant().working_dir,
                arguments: tool_data::arguments()?,
            },
        };
        let response = http::post(&CONFIG.get()?.url).json(&question)?.send()?;
        let decision: Decision = response.success()?.json()?;
        match decision.result {
            Some(result) if result.allow => Ok(call.proceed()),
            Some(result) => {
                let reason = result.reason.as_deref().unwrap_or(decision::UNSAID);
                Ok(call.reject("policy", reason))
            }
            None => Err(Error::failed("the policy server has no such policy")),
        }
    }
}
