//! The user's prompt, and the additions of hooks.

use std::sync::Arc;

use portcullis::Views;
use portcullis::contract::{ContentPart, PromptSection};
use portcullis::points::prompt_compile::PromptDraft;
use portcullis::points::prompt_context::ContextSet;
use portcullis::points::prompt_recall::RecallPlan;
use portcullis::points::{PreTurn, PromptCompile, PromptContext, PromptRecall, pre_turn};
use portcullis::prompt::Prompt;
use portcullis_bridge::{CallReply, Decision};
use serde::Deserialize;

use super::{Caller, Decided, Flow, Undecided, content, count, payload, payload_text, texts};
use crate::text;
use crate::verdict::Verdict;

/// The most items, and then the most tokens, that hooks may recall from memory.
const RECALLED_ITEMS: u32 = 8;
const RECALLED_TOKENS: u64 = 2_000;
/// The most tokens of sections that may be added to a prompt.
const BUDGET_TOKENS: u64 = 10_000;

const NOT_SENT: &str = "The prompt was not sent";

/// The parts of a compiled prompt that can be added to another agent's prompt.
#[derive(Deserialize)]
struct Draft {
    sections: Vec<PromptSection>,
    #[serde(default, rename = "system")]
    _system: Option<String>,
    #[serde(default, rename = "response_format")]
    _response_format: Option<portcullis::points::prompt_compile::ResponseFormat>,
}

impl<C: Caller> Flow<'_, C> {
    /// Decides about a prompt. No agent lets a hook rewrite a prompt: a hook's addition before or after it becomes
    /// context, and any other change becomes a refusal with the new text.
    pub(super) async fn prompt(&mut self) -> Decided<C::Error> {
        let prompt = self.event.text("prompt")?.to_owned();
        self.progress.next_turn();
        if let Some(text) = self.refused_before() {
            return Ok(Verdict::Refused(text));
        }
        let views = content(&prompt);
        let reply = self
            .call::<PreTurn>(pre_turn::facts(&views.content), views)
            .await?;
        let mut context = Vec::new();
        match &reply.decision {
            Decision::Answer { by, value } => {
                let answer: Vec<ContentPart> =
                    portcullis::json::from_json(value.clone()).map_err(Undecided::Reply)?;
                return Ok(Verdict::Refused(format!(
                    "[Hook `{}` answered in place of the model:]\n{}",
                    text::line(by),
                    text::prose(&texts(&answer))
                )));
            }
            Decision::Transform { by } => {
                let by = text::names(by);
                let changed = payload_text(&reply)?;
                match added(&prompt, &changed) {
                    Some(added) => context.push(text::from_hook(&by, added)),
                    None => {
                        let agent = self.event.dialect().agent();
                        return Ok(Verdict::Refused(format!(
                            "[{NOT_SENT}: hook `{by}` changed it, and {agent} cannot change a prompt. To send \
                             the changed prompt, enter it:]\n{}",
                            text::prose(&changed)
                        )));
                    }
                }
            }
            decision => {
                if let Some(text) = decision.refusal(NOT_SENT) {
                    return Ok(Verdict::Refused(text));
                }
            }
        }
        self.contributions(&prompt, context).await
    }

    /// Returns the hooks' contributions to the turn's prompt, as context.
    async fn contributions(&self, prompt: &str, mut context: Vec<String>) -> Decided<C::Error> {
        let facts = |items| ContextSet {
            text_bytes: count(prompt.len()),
            policies: 0,
            items,
        };
        let views = |contributed: Prompt| Views {
            prompt: Arc::new(contributed),
            ..content(prompt)
        };
        let mut contributed = Prompt {
            queries: vec![prompt.to_owned()],
            ..Prompt::default()
        };
        let reply = self
            .call::<PromptContext>(facts(0), views(contributed.clone()))
            .await?;
        if let Some(text) = self.take(&reply, &mut contributed)? {
            return Ok(Verdict::Refused(text));
        }
        let plan = RecallPlan {
            queries: 1,
            max_items: RECALLED_ITEMS,
            max_tokens: RECALLED_TOKENS,
            fallback: false,
            items: count(contributed.items.len()),
        };
        let reply = self
            .call::<PromptRecall>(plan, views(contributed.clone()))
            .await?;
        if let Some(text) = self.take(&reply, &mut contributed)? {
            return Ok(Verdict::Refused(text));
        }
        let draft = PromptDraft {
            sections: count(contributed.sections.len()),
            items: count(contributed.items.len()),
            tokens: contributed.section_tokens(),
            budget_tokens: BUDGET_TOKENS,
        };
        let reply = self
            .call::<PromptCompile>(draft, views(contributed.clone()))
            .await?;
        if let Some(text) = self.take(&reply, &mut contributed)? {
            return Ok(Verdict::Refused(text));
        }
        for item in &contributed.items {
            context.push(text::from_hook(item.by.as_str(), &item.value.text));
        }
        let draft: Draft = payload(&reply)?;
        for section in draft.sections {
            let title = section.title.unwrap_or(section.id);
            context.push(format!(
                "[{}]\n{}",
                text::line(&title),
                text::prose(&section.text)
            ));
        }
        Ok(match context.is_empty() {
            true => Verdict::Passed,
            false => Verdict::Context(context.join("\n\n")),
        })
    }

    /// Stores the contributions, and returns why the prompt is not sent if a hook refused it.
    fn take(
        &self,
        reply: &CallReply,
        contributed: &mut Prompt,
    ) -> Result<Option<String>, Undecided<C::Error>> {
        if !reply.contributions.prompt.is_null() {
            let prompt = reply.contributions.prompt.clone();
            *contributed = portcullis::json::from_json(prompt).map_err(Undecided::Reply)?;
        }
        Ok(reply.decision.refusal(NOT_SENT))
    }
}

/// Returns the text added before or after a text, and `None` if the text itself was changed.
fn added<'a>(before: &str, after: &'a str) -> Option<&'a str> {
    let added = after
        .strip_prefix(before)
        .or_else(|| after.strip_suffix(before))?;
    Some(added.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_added_at_an_end_is_no_change_of_the_prompt() {
        assert_eq!(added("do it", "do it\nwith care"), Some("with care"));
        assert_eq!(added("do it", "today: do it"), Some("today:"));
        assert_eq!(added("my key is 12", "my key is [removed]"), None);
        assert_eq!(added("", "all"), Some("all"));
    }
}
