//! `prompt-tools`: hooks contribute tools in addition to the agent's own.

use super::action::{InvalidValue, Never, Payload, Point, count};
use super::imports::{answers, contributions, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{AuditNote, BackgroundJob, ToolBundle};
use crate::model::call::Call;
use crate::model::prompt::Prompt;
use crate::model::tools::ToolCatalog;

pub use crate::contract::bindings::portcullis::hooks::prompt_tools_facts::ToolSet;

contributions! { Tools(ToolBundle), Note(AuditNote), Job(BackgroundJob) }

outcomes! {
    PromptTools {
        Contribute(Vec<Contribution>),
    }
}

/// The point `prompt-tools`.
#[derive(Debug, Clone, Copy)]
pub struct PromptTools;

impl Point for PromptTools {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "tool set",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Fails,
    };

    type Input = ToolSet;
    type Outcome = Outcome;
    type Subject = ToolSet;
    type Value = Never;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &ToolSet) -> &ToolSet {
        subject
    }

    fn apply(_: &mut Call<Self>, value: Never) -> Result<(), InvalidValue> {
        match value {}
    }

    fn payload(_: &Call<Self>) -> Payload<'_> {
        Payload::None
    }

    fn recount(subject: &mut ToolSet, prompt: &Prompt, tools: &ToolCatalog) {
        subject.tools = count(tools.len());
        subject.bundles = count(prompt.bundles.len());
    }
}

facts! {
    PromptTools: prompt_tools_facts, ToolSet {
        tools: u32,
        bundles: u32,
    }
}

answers! {
    PromptTools: prompt_tools_answer {
    } contributes {
        add_tools(bundle: ToolBundle) => Contribution::Tools(bundle);
        add_note(code: String, data: String) => Contribution::Note(AuditNote { code, data });
        add_job(name: String, input: String) => Contribution::Job(BackgroundJob { name, input });
    }
}
