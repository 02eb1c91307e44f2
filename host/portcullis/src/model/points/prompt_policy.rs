//! `prompt-policy`: hooks contribute the turn's policies, domain by domain.

use super::action::{InvalidValue, Never, Payload, Point, count};
use super::imports::{answers, contributions, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{AuditNote, BackgroundJob, DomainPolicy};
use crate::model::call::Call;
use crate::model::prompt::Prompt;
use crate::model::tools::ToolCatalog;

pub use crate::contract::bindings::portcullis::hooks::prompt_policy_facts::TurnFacts;

contributions! { Policy(DomainPolicy), Note(AuditNote), Job(BackgroundJob) }

outcomes! {
    PromptPolicy {
        Contribute(Vec<Contribution>),
    }
}

/// The point `prompt-policy`.
#[derive(Debug, Clone, Copy)]
pub struct PromptPolicy;

impl Point for PromptPolicy {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "effective policy",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Fails,
    };

    type Input = TurnFacts;
    type Outcome = Outcome;
    type Subject = TurnFacts;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &TurnFacts) -> &TurnFacts {
        subject
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }

    fn recount(subject: &mut TurnFacts, prompt: &Prompt, _: &ToolCatalog) {
        subject.policies = count(prompt.policies.len());
    }
}

facts! {
    PromptPolicy: prompt_policy_facts, TurnFacts {
        text_bytes: u32,
        messages: u32,
        tools: u32,
        policies: u32,
    }
}

answers! {
    PromptPolicy: prompt_policy_answer {
    } contributes {
        add_policy(domain: String, rules: String) => Contribution::Policy(DomainPolicy { domain, rules });
        add_note(code: String, data: String) => Contribution::Note(AuditNote { code, data });
        add_job(name: String, input: String) => Contribution::Job(BackgroundJob { name, input });
    }
}
