//! The contributions of hooks to a turn: policies, context, sections of the prompt and tools; and,
//! as side outputs, notes and jobs.

mod narrow;

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::contract::{
    AuditNote, BackgroundJob, ContextItem, ContributionKind, DomainPolicy, PromptSection,
    ToolBundle, ToolRoute,
};
use crate::model::call::{Call, Views};
use crate::model::hook::HookId;
use crate::model::points::{InvalidValue, Never, Point};
use crate::model::state_edits::StateEdits;
use crate::model::tools::ToolCatalog;
use crate::model::verdict::Digest;

/// The bytes of a token, as an estimate without the model's tokenizer.
const BYTES_PER_TOKEN: u64 = 4;

/// The most sections of a turn's prompt, those of all hooks together.
const MOST_SECTIONS: usize = 1_000;

/// A contribution of any kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contribution {
    /// A domain's policy.
    Policy(DomainPolicy),
    /// An item of context.
    Context(ContextItem),
    /// A section of the prompt.
    Section(PromptSection),
    /// Tools.
    Tools(ToolBundle),
    /// An audit note.
    Note(AuditNote),
    /// A background job.
    Job(BackgroundJob),
}

impl Contribution {
    /// Returns the contribution's kind.
    pub fn kind(&self) -> ContributionKind {
        match self {
            Self::Policy(_) => ContributionKind::Policy,
            Self::Context(_) => ContributionKind::Context,
            Self::Section(_) => ContributionKind::Section,
            Self::Tools(_) => ContributionKind::Tools,
            Self::Note(_) => ContributionKind::Note,
            Self::Job(_) => ContributionKind::Job,
        }
    }

    /// Returns the number of contributions that this counts as: a bundle counts as its tools.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Tools(bundle) => bundle.tools.len().max(1),
            _ => 1,
        }
    }
}

/// Returns a kind's name in WIT, in `hooks.toml` and in JSON.
pub const fn kind_name(kind: ContributionKind) -> &'static str {
    match kind {
        ContributionKind::Policy => "policy",
        ContributionKind::Context => "context",
        ContributionKind::Section => "section",
        ContributionKind::Tools => "tools",
        ContributionKind::Note => "note",
        ContributionKind::Job => "job",
    }
}

/// All kinds, in the order of the contract.
pub const KINDS: [ContributionKind; 6] = [
    ContributionKind::Policy,
    ContributionKind::Context,
    ContributionKind::Section,
    ContributionKind::Tools,
    ContributionKind::Note,
    ContributionKind::Job,
];

impl From<Never> for Contribution {
    fn from(never: Never) -> Self {
        match never {}
    }
}

/// A value with a size in bytes of text.
pub trait Size {
    /// Returns the size in bytes.
    fn bytes(&self) -> usize;
}

impl Size for Never {
    fn bytes(&self) -> usize {
        match *self {}
    }
}

impl Size for DomainPolicy {
    fn bytes(&self) -> usize {
        self.domain.len() + self.rules.len()
    }
}

impl Size for ContextItem {
    fn bytes(&self) -> usize {
        self.kind.len() + self.text.len() + self.data.as_deref().map_or(0, str::len)
    }
}

impl Size for PromptSection {
    fn bytes(&self) -> usize {
        self.id.len() + self.text.len() + self.title.as_deref().map_or(0, str::len)
    }
}

impl Size for ToolBundle {
    fn bytes(&self) -> usize {
        let tools = self.tools.iter().map(|tool| {
            let spec = &tool.spec;
            let route = match &tool.route {
                ToolRoute::Agent(name) => name.len(),
                ToolRoute::Hook => 0,
            };
            spec.name.len() + spec.description.len() + spec.schema.len() + route
        });
        // A tool without text also needs memory.
        self.name.len() + size_of_val(self.tools.as_slice()) + tools.sum::<usize>()
    }
}

impl Size for AuditNote {
    fn bytes(&self) -> usize {
        self.code.len() + self.data.len()
    }
}

impl Size for BackgroundJob {
    fn bytes(&self) -> usize {
        self.name.len() + self.input.len()
    }
}

/// A value and the hook that contributed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contributed<T> {
    /// The hook.
    pub by: HookId,
    /// The contribution.
    pub value: T,
}

/// An output of a call in addition to its answer: a contribution that is not part of the prompt, or
/// changes of the agent's state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SideOutput {
    /// An audit note.
    Note(AuditNote),
    /// A background job.
    Job(BackgroundJob),
    /// The changes that one call makes to the agent's state. They take effect together.
    StateEdits(StateEdits),
}

/// The contributions of hooks to a turn's prompt.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// The policies, in the order they were contributed. The last policy of a domain applies. It
    /// includes the earlier ones, unless its hook replaces them.
    pub policies: Vec<Contributed<DomainPolicy>>,
    /// The items of context, in the order they were contributed.
    pub items: Vec<Contributed<ContextItem>>,
    /// The sections, in the order they were contributed.
    pub sections: Vec<Contributed<PromptSection>>,
    /// The tools, in the order they were contributed.
    pub bundles: Vec<Contributed<ToolBundle>>,
    /// The queries to memory, as the agent plans them.
    pub queries: Vec<String>,
}

impl Prompt {
    /// Returns the policy that applies in a domain.
    pub fn policy(&self, domain: &str) -> Option<&DomainPolicy> {
        let mut of_domain = self.policies_of(domain);
        of_domain.next_back().map(|policy| &policy.value)
    }

    /// Returns the policies of a domain, in the order they were contributed. The last one applies.
    pub fn policies_of(
        &self,
        domain: &str,
    ) -> impl DoubleEndedIterator<Item = &Contributed<DomainPolicy>> {
        let policies = self.policies.iter();
        policies.filter(move |policy| policy.value.domain == domain)
    }

    /// Returns the sections in their order in the prompt.
    pub fn sections(&self) -> impl Iterator<Item = &PromptSection> {
        let mut sections: Vec<_> = self.sections.iter().map(|section| &section.value).collect();
        sections.sort_by_key(|section| section.order);
        sections.into_iter()
    }

    /// Returns the number of tokens in the sections, at four bytes a token.
    pub fn section_tokens(&self) -> u64 {
        self.sections().map(section_tokens).sum()
    }

    /// Replaces all sections with these. A section keeps its contributor if its id existed before,
    /// and has no contributor otherwise.
    pub(crate) fn set_sections(
        &mut self,
        sections: Vec<PromptSection>,
    ) -> Result<(), InvalidValue> {
        check_count(sections.len())?;
        for section in &sections {
            check_section(section)?;
        }
        let before = std::mem::take(&mut self.sections);
        let known: HashMap<&str, &HookId> = before
            .iter()
            .map(|known| (known.value.id.as_str(), &known.by))
            .collect();
        let mut places = Places::default();
        for section in sections {
            let by = known.get(section.id.as_str());
            let by = by.map_or_else(|| HookId::from("(edited)"), |by| (*by).clone());
            places.put(&mut self.sections, by, section);
        }
        Ok(())
    }
}

/// The position of each section, by its id.
#[derive(Default)]
struct Places(HashMap<String, usize>);

impl Places {
    fn of(sections: &[Contributed<PromptSection>]) -> Self {
        let ids = sections.iter().map(|section| section.value.id.clone());
        Self(ids.enumerate().map(|(at, id)| (id, at)).collect())
    }

    /// Replaces the section that has the same id, or adds the section at the end.
    fn put(
        &mut self,
        sections: &mut Vec<Contributed<PromptSection>>,
        by: HookId,
        value: PromptSection,
    ) {
        let at = *self.0.entry(value.id.clone()).or_insert(sections.len());
        let section = Contributed { by, value };
        match sections.get_mut(at) {
            Some(known) => *known = section,
            None => sections.push(section),
        }
    }
}

/// Returns the number of tokens in a section, its title included, at four bytes a token.
pub fn section_tokens(section: &PromptSection) -> u64 {
    let title = section.title.as_deref().map_or(0, str::len);
    tokens((title + section.text.len()) as u64)
}

fn tokens(bytes: u64) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// The effect of a hook's policy on the policy that already applies in its domain.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Policies {
    /// The new policy narrows the existing one: both apply.
    #[default]
    Narrow,
    /// The new policy replaces the existing one.
    Replace,
}

/// Adds contributions to a call, all of them or none. Returns those that are not part of the
/// prompt.
pub(crate) fn take<P: Point>(
    call: &mut Call<P>,
    by: &HookId,
    contributions: Vec<Contribution>,
    policies: Policies,
) -> Result<Vec<Contributed<SideOutput>>, InvalidValue> {
    let taken = taken(&call.views, by, contributions, policies)?;
    P::recount(&mut call.subject, &taken.prompt, &taken.tools);
    call.views.prompt = Arc::new(taken.prompt);
    call.views.tools = taken.tools;
    Ok(taken.side_outputs)
}

/// The result of adding contributions to a call.
struct Taken {
    prompt: Prompt,
    tools: Arc<ToolCatalog>,
    side_outputs: Vec<Contributed<SideOutput>>,
}

fn taken(
    views: &Views,
    by: &HookId,
    contributions: Vec<Contribution>,
    policies: Policies,
) -> Result<Taken, InvalidValue> {
    let mut side_outputs = Vec::new();
    let mut prompt = Prompt::clone(&views.prompt);
    let mut specs = Vec::new();
    let mut places = None;
    for contribution in contributions {
        let by = by.clone();
        match contribution {
            Contribution::Policy(mut value) => {
                check_name("a policy's domain", &value.domain)?;
                check_object("a policy's rules", &value.rules)?;
                if let (Policies::Narrow, Some(held)) = (policies, prompt.policy(&value.domain)) {
                    value.rules = narrow::narrowed(&held.rules, value.rules);
                }
                prompt.policies.push(Contributed { by, value });
            }
            Contribution::Context(value) => {
                check_name("a context item's kind", &value.kind)?;
                if let Some(data) = &value.data {
                    check_json("a context item's data", data)?;
                }
                prompt.items.push(Contributed { by, value });
            }
            Contribution::Section(value) => {
                check_section(&value)?;
                let places = places.get_or_insert_with(|| Places::of(&prompt.sections));
                places.put(&mut prompt.sections, by, value);
                check_count(prompt.sections.len())?;
            }
            Contribution::Tools(value) => {
                check_name("a bundle's name", &value.name)?;
                for tool in &value.tools {
                    check_name("a tool's name", &tool.spec.name)?;
                }
                specs.extend(value.tools.iter().map(|tool| tool.spec.clone()));
                prompt.bundles.push(Contributed { by, value });
            }
            Contribution::Note(note) => {
                check_name("a note's code", &note.code)?;
                check_json("a note's data", &note.data)?;
                let value = SideOutput::Note(note);
                side_outputs.push(Contributed { by, value });
            }
            Contribution::Job(job) => {
                check_name("a job's name", &job.name)?;
                check_json("a job's input", &job.input)?;
                let value = SideOutput::Job(job);
                side_outputs.push(Contributed { by, value });
            }
        }
    }
    let mut tools = views.tools.clone();
    if !specs.is_empty() {
        let more = tools.with(specs).map_err(|e| InvalidValue(e.to_string()))?;
        tools = Arc::new(more);
    }
    Ok(Taken {
        prompt,
        tools,
        side_outputs,
    })
}

/// Returns the digest of a contribution, for the journal.
pub(crate) fn digest(contribution: &Contribution) -> Digest {
    Digest::of(&serde_json::to_vec(contribution).unwrap_or_default())
}

fn check_count(sections: usize) -> Result<(), InvalidValue> {
    match sections > MOST_SECTIONS {
        true => Err(InvalidValue(format!(
            "{sections} sections, and the limit of a prompt is {MOST_SECTIONS}"
        ))),
        false => Ok(()),
    }
}

fn check_section(section: &PromptSection) -> Result<(), InvalidValue> {
    check_name("a section's id", &section.id)
}

fn check_name(what: &str, name: &str) -> Result<(), InvalidValue> {
    match name.is_empty() || name.chars().any(char::is_control) {
        true => Err(InvalidValue(format!(
            "{what} is empty or has control characters"
        ))),
        false => Ok(()),
    }
}

fn check_json(what: &str, text: &str) -> Result<(), InvalidValue> {
    serde_json::from_str::<serde::de::IgnoredAny>(text)
        .map(drop)
        .map_err(|e| InvalidValue(format!("{what} is not JSON: {e}")))
}

fn check_object(what: &str, text: &str) -> Result<(), InvalidValue> {
    // Reading it as an object at once would have an error quote a value of another type.
    let value: serde_json::Value = serde_json::from_str(text)
        .map_err(|e| InvalidValue(format!("{what} are not a JSON object: {e}")))?;
    match value.is_object() {
        true => Ok(()),
        false => Err(InvalidValue(format!("{what} are not a JSON object"))),
    }
}
