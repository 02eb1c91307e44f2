//! Sub-agents.

use portcullis::Views;
use portcullis::points::post_subagent::SubagentResult;
use portcullis::points::pre_subagent::SubagentSpec;
use portcullis::points::{PostSubagent, PreSubagent};
use portcullis_bridge::Decision;

use super::start::SUBAGENT;
use super::{Caller, Decided, Flow, NO_USAGE, content, count, payload_text};
use crate::text;
use crate::verdict::Verdict;

impl<C: Caller> Flow<'_, C> {
    /// Decides about a sub-agent that has started. Agents do not report its task. A refusal is stored, and then also
    /// refuses the sub-agent's tools.
    pub(super) async fn subagent_start(&mut self) -> Decided<C::Error> {
        let agent = self.event.text("agent_id")?.to_owned();
        let input = SubagentSpec {
            call_id: agent.clone(),
            agent: self.event.text("agent_type")?.to_owned(),
            task_bytes: 0,
            depth: 1,
        };
        let reply = self.call::<PreSubagent>(input, Views::default()).await?;
        let refused = match &reply.decision {
            Decision::Transform { by } => Some(format!(
                "[{SUBAGENT}: hook `{}` changes its task, which cannot be changed any more]",
                text::names(by)
            )),
            decision => decision.refusal(SUBAGENT),
        };
        Ok(match refused {
            Some(text) => {
                self.progress.agents_refused.insert(agent, text.clone());
                Verdict::Refused(text)
            }
            None => {
                self.progress.agents_refused.remove(&agent);
                Verdict::Passed
            }
        })
    }

    /// Decides about a sub-agent's result. If a hook changes the result, the sub-agent is asked
    /// once to answer with the changed text.
    pub(super) async fn subagent_stop(&mut self) -> Decided<C::Error> {
        let agent = self.event.text("agent_id")?.to_owned();
        let is_second = self.event.value("stop_hook_active")?.as_bool() == Some(true);
        let said = self.event.optional("last_assistant_message");
        let said = said.unwrap_or_default();
        let refused = self.progress.agents_refused.contains_key(&agent);
        let input = SubagentResult {
            call_id: agent.clone(),
            agent: self.event.text("agent_type")?.to_owned(),
            session_id: None,
            is_error: refused,
            output_bytes: count(said.len()),
            steps: 0,
            usage: NO_USAGE,
            elapsed_us: 0,
        };
        let reply = self.call::<PostSubagent>(input, content(said)).await?;
        let result = match &reply.decision {
            Decision::Transform { by } => {
                let by = text::names(by);
                let text = text::prose(&payload_text(&reply)?);
                match is_second {
                    // The sub-agent has answered with the text, or will not.
                    true if text == text::prose(said) => Verdict::Passed,
                    true => Verdict::Halt(format!(
                        "[Hook `{by}` changes the sub-agent's result, which it did not give so]"
                    )),
                    false => Verdict::KeepGoing(format!(
                        "[Hook `{by}` changed your result. Answer with this text and nothing else:]\n{text}"
                    )),
                }
            }
            decision => match decision.refusal("The sub-agent's result was not given") {
                Some(text) => Verdict::Halt(text),
                None => Verdict::Passed,
            },
        };
        if result == Verdict::Passed {
            self.progress.agents_refused.remove(&agent);
        }
        Ok(result)
    }
}
