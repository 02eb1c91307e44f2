//! A decision in the form in which a journal keeps it, so that another process can read it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Decided;
use crate::contract::{ContentPart, Message, ToolSpec};
use crate::model::call::{Call, Views};
use crate::model::points::{InvalidValue, Point};
use crate::model::prompt::{Contributed, Prompt, SideOutput};
use crate::model::tools::ToolCatalog;
use crate::model::verdict::{Decision, HookRun, Verdict};

/// The hooks' decision about a call and their changes to it. Unchanged views are not included.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct DecisionRecord<P: Point> {
    decision: Decision<P>,
    subject: P::Subject,
    runs: Vec<HookRun>,
    side_outputs: Vec<Contributed<SideOutput>>,
    changed: ChangedViews,
}

/// The views that hooks changed.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct ChangedViews {
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Vec<ContentPart>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<(Vec<Message>, usize)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_arguments: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<ChangedTools>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<Prompt>,
}

/// The changes to a tool catalogue.
#[derive(Debug, Serialize, Deserialize)]
struct ChangedTools {
    names: Vec<String>,
    added: Vec<ToolSpec>,
}

impl<P: Point> Decided<P> {
    /// Creates the record of a decision about `call`. `before` contains the call's views before the
    /// decision.
    pub fn record(&self, call: &Call<P>, before: &Views) -> DecisionRecord<P> {
        DecisionRecord {
            decision: self.verdict.decision.clone(),
            subject: call.subject.clone(),
            runs: self.verdict.runs.clone(),
            side_outputs: self.verdict.side_outputs.clone(),
            changed: ChangedViews::of(&call.views, before),
        }
    }
}

impl<P: Point> DecisionRecord<P> {
    /// Applies the changes to the call, which must be as it was before the decision, and returns
    /// the decision. The current hooks take the place of those that decided.
    ///
    /// # Errors
    ///
    /// Returns an error if the record is of another call: it names tools that this call does not
    /// offer.
    pub fn restore(self, call: &mut Call<P>) -> Result<Decided<P>, InvalidValue> {
        call.subject = self.subject;
        self.changed.restore(&mut call.views)?;
        Ok(Decided {
            verdict: Verdict {
                decision: self.decision,
                runs: self.runs,
                side_outputs: self.side_outputs,
                answers: Vec::new(),
            },
            hooks: None,
        })
    }
}

impl ChangedViews {
    fn of(after: &Views, before: &Views) -> Self {
        let messages = &after.conversation;
        let output = after.tool_output.as_deref();
        Self {
            content: changed(&after.content, &before.content),
            conversation: changed(messages, &before.conversation).map(|it| (it, after.turn_start)),
            tool_arguments: (after.tool_arguments != before.tool_arguments)
                .then(|| after.tool_arguments.to_string()),
            tool_output: output
                .filter(|_| after.tool_output != before.tool_output)
                .map(str::to_owned),
            tools: ChangedTools::of(&after.tools, &before.tools),
            prompt: changed(&after.prompt, &before.prompt),
        }
    }

    fn restore(self, views: &mut Views) -> Result<(), InvalidValue> {
        if let Some(content) = self.content {
            views.content = Arc::new(content);
        }
        if let Some((messages, turn_start)) = self.conversation {
            views.conversation = Arc::new(messages);
            views.turn_start = turn_start;
        }
        if let Some(arguments) = self.tool_arguments {
            views.tool_arguments = arguments.into();
        }
        if let Some(output) = self.tool_output {
            views.tool_output = Some(output.into());
        }
        if let Some(tools) = self.tools {
            views.tools = Arc::new(tools.restore(&views.tools)?);
        }
        if let Some(prompt) = self.prompt {
            views.prompt = Arc::new(prompt);
        }
        Ok(())
    }
}

impl ChangedTools {
    fn of(after: &Arc<ToolCatalog>, before: &Arc<ToolCatalog>) -> Option<Self> {
        if Arc::ptr_eq(after, before) {
            return None;
        }
        let is_new = |spec: &&ToolSpec| before.get(&spec.name).is_none();
        Some(Self {
            names: after.names().map(str::to_owned).collect(),
            added: after.specs().filter(is_new).cloned().collect(),
        })
    }

    fn restore(self, before: &ToolCatalog) -> Result<ToolCatalog, InvalidValue> {
        let all = before.with(self.added);
        all.map_err(|e| InvalidValue(e.to_string()))?
            .only(&self.names)
    }
}

/// Returns the new value if a shared value was replaced.
fn changed<T: Clone>(after: &Arc<T>, before: &Arc<T>) -> Option<T> {
    (!Arc::ptr_eq(after, before)).then(|| T::clone(after))
}
