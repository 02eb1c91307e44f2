//! Where texts are searched: the same places for secrets and for personal data.

use portcullis_sdk::HookResult;
use portcullis_sdk::prelude::*;
use portcullis_sdk::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

use crate::redact::Found;
use crate::{json, names};

/// What is done about a text.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// What is found is replaced by `[REDACTED:kind]`.
    #[default]
    Redact,
    /// The whole text is refused.
    Refuse,
    /// The text passes, and is not searched.
    Off,
}

/// What is done in each place.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Places {
    /// The messages to the model, at `pre-llm-call`. Changes apply to that call only.
    pub model_input: Mode,
    /// What the model and the turn give back, at `post-llm-call` and `post-turn`.
    pub model_output: Mode,
    /// The arguments of tools, at `pre-tool-call`.
    pub tool_input: Mode,
    /// The outputs of tools, at `post-tool-call`.
    pub tool_output: Mode,
    /// Tools that are given their arguments as they are; `*` stands for any text.
    pub trusted_tools: Vec<String>,
}

/// Redacts a text and counts what it found; `None` if there is nothing.
pub type Redact<'a> = &'a dyn Fn(&str, &mut Found) -> Option<String>;

/// A text was refused, or is to be changed.
#[derive(Debug)]
pub enum Change<T> {
    /// Refuse it, and say what was found.
    Refuse(Found),
    /// Use this.
    Use(T, Found),
}

fn change<T>(mode: Mode, changed: Option<T>, found: Found) -> Option<Change<T>> {
    let changed = changed.filter(|_| !found.is_empty())?;
    Some(match mode {
        Mode::Refuse => Change::Refuse(found),
        Mode::Redact | Mode::Off => Change::Use(changed, found),
    })
}

/// What to do about the content of the call.
pub fn content(places: &Places, redact: Redact<'_>) -> Option<Change<Vec<ContentPart>>> {
    if places.model_output == Mode::Off {
        return None;
    }
    let mut found = Found::default();
    let parts = crate::parts::redact_with(redact, content::parts(), &mut found);
    change(places.model_output, parts, found)
}

/// What to do about the messages to the model.
pub fn messages(places: &Places, redact: Redact<'_>) -> Option<Change<Vec<MessageEdit>>> {
    if places.model_input == Mode::Off {
        return None;
    }
    let mut found = Found::default();
    let mut edits = Vec::new();
    for (index, message) in (0_u32..).zip(conversation::iter()) {
        if let Some(content) = crate::parts::redact_with(redact, message.content, &mut found) {
            let role = message.role;
            edits.push(MessageEdit::Set((index, Message { role, content })));
        }
    }
    change(
        places.model_input,
        (!edits.is_empty()).then_some(edits),
        found,
    )
}

/// What to do about the arguments of the tool.
///
/// # Errors
///
/// The arguments are no JSON.
pub fn arguments(
    places: &Places,
    tool: &str,
    redact: Redact<'_>,
) -> HookResult<Option<Change<Value>>> {
    if places.tool_input == Mode::Off || names::any(&places.trusted_tools, tool) {
        return Ok(None);
    }
    let mut arguments: Value = tool_data::arguments()?;
    let mut found = Found::default();
    let changed = json::change_texts(&mut arguments, &mut |text| redact(text, &mut found));
    Ok(change(
        places.tool_input,
        changed.then_some(arguments),
        found,
    ))
}

/// What to do about the output of the tool.
pub fn output(places: &Places, redact: Redact<'_>) -> Option<Change<String>> {
    if places.tool_output == Mode::Off {
        return None;
    }
    let mut found = Found::default();
    let output = tool_data::output()?;
    let redacted = redact(&output, &mut found);
    change(places.tool_output, redacted, found)
}
