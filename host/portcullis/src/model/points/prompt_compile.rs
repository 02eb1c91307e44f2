//! `prompt-compile`: the prompt is about to be written.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::{Action, InvalidValue, Never, Payload, Point, count};
use super::imports::{answers, contributions, facts};
use super::outcomes::outcomes;
use super::{FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{AuditNote, BackgroundJob, PromptSection};
use crate::model::call::{Call, CallData};
use crate::model::prompt::Prompt;
use crate::model::tools::ToolCatalog;

pub use crate::contract::bindings::portcullis::hooks::prompt_compile_answer::{
    NamedSchema, PromptEdit, ResponseFormat,
};
pub use crate::contract::bindings::portcullis::hooks::prompt_compile_facts::PromptDraft;

/// A prompt that is being written; its sections are in the view `prompt`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Draft {
    /// The facts that hooks can see.
    pub facts: PromptDraft,
    /// Instructions in place of the operator's.
    pub system: Option<String>,
    /// The required format of the model's answer.
    pub response_format: Option<ResponseFormat>,
}

impl Draft {
    /// Creates a draft with the contributions so far and this budget.
    pub fn new(prompt: &Prompt, budget_tokens: u64) -> Self {
        let mut draft = Self {
            facts: PromptDraft {
                sections: 0,
                items: 0,
                tokens: 0,
                budget_tokens,
            },
            system: None,
            response_format: None,
        };
        draft.count(prompt);
        draft
    }

    fn count(&mut self, prompt: &Prompt) {
        self.facts.sections = count(prompt.sections.len());
        self.facts.items = count(prompt.items.len());
        self.facts.tokens = prompt.section_tokens();
    }
}

impl From<PromptDraft> for Draft {
    /// Creates an unchanged draft.
    fn from(facts: PromptDraft) -> Self {
        Self {
            facts,
            system: None,
            response_format: None,
        }
    }
}

contributions! { Section(PromptSection), Note(AuditNote), Job(BackgroundJob) }

outcomes! {
    PromptCompile {
        Contribute(Vec<Contribution>),
        Transform(PromptEdit),
    }
}

/// The point `prompt-compile`.
#[derive(Debug, Clone, Copy)]
pub struct PromptCompile;

impl Point for PromptCompile {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "sections, budget",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Fails,
    };

    type Input = PromptDraft;
    type Outcome = Outcome;
    type Subject = Draft;
    type Value = PromptEdit;
    type Rejection = Never;
    type Answer = Never;
    type Ask = Never;
    type Stop = Never;
    type Contribution = Contribution;

    fn input(subject: &Draft) -> &PromptDraft {
        &subject.facts
    }

    fn apply(call: &mut Call<Self>, value: PromptEdit) -> Result<(), InvalidValue> {
        if let Some(ResponseFormat::Schema(named)) = &value.response_format
            && serde_json::from_str::<serde_json::Value>(&named.schema).is_err()
        {
            return Err(InvalidValue(
                "the schema of the response format is not JSON".into(),
            ));
        }
        let CallData { subject, views, .. } = &mut **call;
        if let Some(sections) = value.sections {
            Arc::make_mut(&mut views.prompt).set_sections(sections)?;
            subject.count(&views.prompt);
        }
        // An empty value changes nothing (Cognesy's ApplyContextConfig).
        if let Some(system) = value.system.filter(|system| !system.is_empty()) {
            subject.system = Some(system);
        }
        if value.response_format.is_some() {
            subject.response_format = value.response_format;
        }
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Draft {
            system: call.subject.system.as_deref(),
            response_format: call.subject.response_format.as_ref(),
            sections: call
                .views
                .prompt
                .sections()
                .collect::<Vec<&PromptSection>>(),
        }
    }

    fn recount(subject: &mut Draft, prompt: &Prompt, _: &ToolCatalog) {
        subject.count(prompt);
    }
}

facts! {
    PromptCompile: prompt_compile_facts, PromptDraft {
        sections: u32,
        items: u32,
        tokens: u64,
        budget_tokens: u64,
    }
}

answers! {
    PromptCompile: prompt_compile_answer {
        transform(edit: PromptEdit) => Action::Transform(edit);
    } contributes {
        add_section(section: PromptSection) => Contribution::Section(section);
        add_note(code: String, data: String) => Contribution::Note(AuditNote { code, data });
        add_job(name: String, input: String) => Contribution::Job(BackgroundJob { name, input });
    }
}
