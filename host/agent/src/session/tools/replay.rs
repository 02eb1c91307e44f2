//! Running a tool as an effect, and repeating a run whose process died before its result was
//! recorded.

use portcullis::HookId;
use portcullis::approval::{ApprovalDecision, Question};
use portcullis::contract::{AskRequest, ToolCall};
use portcullis::points::PointId;
use portcullis::verdict::Approval;
use serde_json::Value;

use super::dispatch::{Ran, run_tool};
use crate::effects::Scope;
use crate::events::AgentEvent;
use crate::exchange::new_session_id;
use crate::journal::RepeatDecision;
use crate::policy::ExecutionGrant;
use crate::session::state::SessionState;
use crate::tool::Replay;

/// The asker named in the question whether to run a tool again.
const ASKS: &str = "replay";

/// Runs a tool, or takes its result from the record. A run that must not be repeated is announced
/// in the record first, so that a later process knows of it.
pub(super) async fn run(
    session: &SessionState,
    effects: &Scope,
    call: &ToolCall,
    arguments: Value,
    grant: ExecutionGrant,
) -> Ran {
    if !effects.is_recorded() {
        return run_tool(session, call, arguments, grant, None).await;
    }
    let tool = session.prompt.target(&call.name);
    let began_elsewhere = match session.shared.context.tools.replay(tool) {
        Replay::Safe | Replay::Keyed => false,
        Replay::Never => {
            let attempt = new_session_id();
            let announcing = async { attempt.clone() };
            let name = || format!("begin {tool}");
            session.effect_in(effects, name, announcing).await != attempt
        }
    };
    let key = effects.next_key();
    let running = async {
        if began_elsewhere && !is_repeated(session, call, &arguments).await {
            return Ran::not_repeated(tool);
        }
        run_tool(session, call, arguments, grant, key).await
    };
    let name = || format!("tool {tool}");
    session.effect_in(effects, name, running).await
}

/// Asks a person whether a tool that may have run is run again, and emits the decision.
async fn is_repeated(session: &SessionState, call: &ToolCall, arguments: &Value) -> bool {
    let tool = session.prompt.target(&call.name);
    let question = Question {
        hook: &HookId::from(ASKS),
        point: PointId::PreToolCall,
        context: &session.context(),
        request: &AskRequest {
            question: format!(
                "The process died while the tool `{tool}` ran. It may have done its work. Run it again?"
            ),
            details: None,
        },
        value: &arguments.to_string(),
    };
    let (approval, reason) = match session.ancestry.approver.ask(question).await {
        ApprovalDecision::Approve => (Approval::Approved, None),
        ApprovalDecision::Deny(reason) => (Approval::Denied, Some(reason)),
        ApprovalDecision::Edit(_) => {
            let reason = "the answer changes the arguments, which may not be changed now";
            (Approval::Denied, Some(reason.to_owned()))
        }
        ApprovalDecision::Unanswered(reason) => (Approval::Unanswered, Some(reason)),
        ApprovalDecision::Defer => {
            let reason = "the question was deferred, and it cannot be answered later";
            (Approval::Unanswered, Some(reason.to_owned()))
        }
    };
    session.emit(|| AgentEvent::ToolRepeatDecided {
        call_id: call.id.clone(),
        name: tool.to_owned(),
        decision: RepeatDecision { approval, reason },
    });
    approval == Approval::Approved
}
