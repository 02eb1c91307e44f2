//! `prompt-recall`: hooks contribute more context, after the agent has planned its queries to
//! memory.

use super::action::{InvalidValue, Never, Payload, Point, count};
use super::imports::{answers, contributions, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{AuditNote, BackgroundJob, ContextItem};
use crate::model::call::Call;
use crate::model::prompt::Prompt;
use crate::model::tools::ToolCatalog;

pub use crate::contract::bindings::portcullis::hooks::prompt_recall_facts::RecallPlan;

contributions! { Context(ContextItem), Note(AuditNote), Job(BackgroundJob) }

outcomes! {
    PromptRecall {
        Contribute(Vec<Contribution>),
    }
}

/// The point `prompt-recall`.
#[derive(Debug, Clone, Copy)]
pub struct PromptRecall;

impl Point for PromptRecall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "context + preflight plan",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Fails,
    };

    type Input = RecallPlan;
    type Outcome = Outcome;
    type Subject = RecallPlan;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &RecallPlan) -> &RecallPlan {
        subject
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }

    fn recount(subject: &mut RecallPlan, prompt: &Prompt, _: &ToolCatalog) {
        subject.items = count(prompt.items.len());
    }
}

facts! {
    PromptRecall: prompt_recall_facts, RecallPlan {
        queries: u32,
        max_items: u32,
        max_tokens: u64,
        fallback: bool,
        items: u32,
    }
}

answers! {
    PromptRecall: prompt_recall_answer {
    } contributes {
        add_context(kind: String, text: String, data: Option<String>) => Contribution::Context(ContextItem { kind, text, data });
        add_note(code: String, data: String) => Contribution::Note(AuditNote { code, data });
        add_job(name: String, input: String) => Contribution::Job(BackgroundJob { name, input });
    }
}
