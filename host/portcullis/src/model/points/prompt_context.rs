//! `prompt-context`: hooks contribute context to the turn.

use super::action::{InvalidValue, Never, Payload, Point, count};
use super::imports::{answers, contributions, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{AuditNote, BackgroundJob, ContextItem};
use crate::model::call::Call;
use crate::model::prompt::Prompt;
use crate::model::tools::ToolCatalog;

pub use crate::contract::bindings::portcullis::hooks::prompt_context_facts::ContextSet;

contributions! { Context(ContextItem), Note(AuditNote), Job(BackgroundJob) }

outcomes! {
    PromptContext {
        Contribute(Vec<Contribution>),
    }
}

/// The point `prompt-context`.
#[derive(Debug, Clone, Copy)]
pub struct PromptContext;

impl Point for PromptContext {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "context set",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Fails,
    };

    type Input = ContextSet;
    type Outcome = Outcome;
    type Subject = ContextSet;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &ContextSet) -> &ContextSet {
        subject
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }

    fn recount(subject: &mut ContextSet, prompt: &Prompt, _: &ToolCatalog) {
        subject.policies = count(prompt.policies.len());
        subject.items = count(prompt.items.len());
    }
}

facts! {
    PromptContext: prompt_context_facts, ContextSet {
        text_bytes: u32,
        policies: u32,
        items: u32,
    }
}

answers! {
    PromptContext: prompt_context_answer {
    } contributes {
        add_context(kind: String, text: String, data: Option<String>) => Contribution::Context(ContextItem { kind, text, data });
        add_note(code: String, data: String) => Contribution::Note(AuditNote { code, data });
        add_job(name: String, input: String) => Contribution::Job(BackgroundJob { name, input });
    }
}
