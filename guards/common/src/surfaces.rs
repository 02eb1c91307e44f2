//! The places where texts are searched, and the actions on matches: the same for secrets and for personal data.

use portcullis_sdk::HookResult;
use portcullis_sdk::prelude::*;
use portcullis_sdk::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

use crate::parts::redact_with;
use crate::redact::Found;
use crate::{json, names};

/// The action on a text.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Matches are replaced with `[REDACTED:kind]`.
    #[default]
    Redact,
    /// The whole text is refused.
    Refuse,
    /// The text passes, and is not searched.
    Off,
}

/// The action in each place.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Places {
    /// The messages to the model, at `pre-llm-call`. Changes apply to that call only.
    pub model_input: Mode,
    /// The outputs of the model and of the turn, at `post-llm-call` and `post-turn`.
    pub model_output: Mode,
    /// The arguments of tools, at `pre-tool-call`.
    pub tool_input: Mode,
    /// The outputs of tools, at `post-tool-call`.
    pub tool_output: Mode,
    /// Tools whose arguments are not searched; `*` stands for any text.
    pub trusted_tools: Vec<String>,
}

/// Redacts a text and counts its matches. Returns `None` if there are none.
pub type Redact<'a> = &'a dyn Fn(&str, &mut Found) -> Option<String>;

/// Redacts a text as [`Redact`] does, given the name of its JSON member, which is empty if there is none.
pub type RedactNamed<'a> = &'a dyn Fn(&str, &str, &mut Found) -> Option<String>;

/// The searches of a guard in all these places, for one call.
pub struct Surfaces<'a> {
    /// The code of its refusals.
    pub code: &'a str,
    /// The name of its matches in a refusal, in the plural.
    pub what: &'a str,
    /// The action in each place.
    pub places: &'a Places,
    /// The function that redacts a text.
    pub redact: RedactNamed<'a>,
}

/// The change to a text.
enum Change<T> {
    /// The text is refused, for these matches.
    Refuse(Found),
    /// The text is replaced with this value.
    Use(T, Found),
}

impl Surfaces<'_> {
    /// Searches the messages to the model.
    ///
    /// # Errors
    ///
    /// It never fails: handlers have this signature.
    pub fn pre_llm_call(&self, call: &pre_llm_call::Call) -> HookResult<pre_llm_call::Verdict> {
        Ok(match self.messages() {
            None => call.proceed(),
            Some(Change::Refuse(found)) => {
                call.reject(self.code, self.hold("messages to the model", &found))
            }
            Some(Change::Use(messages, found)) => {
                warn!(%found, "redacted messages to the model");
                let edit = pre_llm_call::LlmCallEdit {
                    model: None,
                    temperature: None,
                    max_output_tokens: None,
                    tools: None,
                    messages,
                };
                call.transform(edit)
            }
        })
    }

    /// Searches the model's answer.
    ///
    /// # Errors
    ///
    /// It never fails: handlers have this signature.
    pub fn post_llm_call(&self, call: &post_llm_call::Call) -> HookResult<post_llm_call::Verdict> {
        Ok(match self.content() {
            None => call.proceed(),
            Some(Change::Refuse(found)) => {
                let reason = format!("The answer holds {}: {found}.", self.what);
                call.reject(self.code, reason)
            }
            Some(Change::Use(parts, found)) => {
                warn!(%found, "redacted an answer");
                call.transform(&parts)
            }
        })
    }

    /// Searches the output of a turn.
    ///
    /// # Errors
    ///
    /// It never fails: handlers have this signature.
    pub fn post_turn(&self, call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        Ok(match self.content() {
            None => call.proceed(),
            Some(Change::Refuse(found)) => call.reject(self.code, self.output_holds(&found)),
            Some(Change::Use(parts, found)) => {
                warn!(%found, "redacted the output of a turn");
                call.transform(&parts)
            }
        })
    }

    /// Searches the arguments of a tool.
    ///
    /// # Errors
    ///
    /// The arguments are not JSON.
    pub fn pre_tool_call(&self, call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let tool = call.name();
        Ok(match self.arguments(&tool)? {
            None => call.proceed(),
            Some(Change::Refuse(found)) => call.reject(self.code, self.hold("arguments", &found)),
            Some(Change::Use(arguments, found)) => {
                warn!(tool, %found, "redacted arguments");
                call.transform_arguments(&arguments)?
            }
        })
    }

    /// Searches the output of a tool.
    ///
    /// # Errors
    ///
    /// It never fails: handlers have this signature.
    pub fn post_tool_call(
        &self,
        call: &post_tool_call::Call,
    ) -> HookResult<post_tool_call::Verdict> {
        Ok(match self.output() {
            None => call.proceed(),
            Some(Change::Refuse(found)) => call.reject(self.code, self.output_holds(&found)),
            Some(Change::Use(output, found)) => {
                warn!(tool = call.name(), %found, "redacted a tool's output");
                call.transform(output, call.is_error())
            }
        })
    }

    fn hold(&self, texts: &str, found: &Found) -> String {
        format!("The {texts} hold {}: {found}.", self.what)
    }

    fn output_holds(&self, found: &Found) -> String {
        format!("The output holds {}: {found}.", self.what)
    }

    fn messages(&self) -> Option<Change<Vec<MessageEdit>>> {
        let mode = self.places.model_input;
        if mode == Mode::Off {
            return None;
        }
        let mut found = Found::default();
        let mut edits = Vec::new();
        for (index, message) in (0_u32..).zip(conversation::iter()) {
            if let Some(content) = self.redact_parts(message.content, &mut found) {
                let role = message.role;
                edits.push(MessageEdit::Set((index, Message { role, content })));
            }
        }
        change(mode, (!edits.is_empty()).then_some(edits), found)
    }

    fn content(&self) -> Option<Change<Vec<ContentPart>>> {
        let mode = self.places.model_output;
        if mode == Mode::Off {
            return None;
        }
        let mut found = Found::default();
        let parts = self.redact_parts(content::parts(), &mut found);
        change(mode, parts, found)
    }

    fn arguments(&self, tool: &str) -> HookResult<Option<Change<Value>>> {
        let mode = self.places.tool_input;
        if mode == Mode::Off || names::any(&self.places.trusted_tools, tool) {
            return Ok(None);
        }
        let mut arguments: Value = tool_data::arguments()?;
        let mut found = Found::default();
        let changed = json::change_texts(&mut arguments, &mut |name, text| {
            (self.redact)(name, text, &mut found)
        });
        Ok(change(mode, changed.then_some(arguments), found))
    }

    fn output(&self) -> Option<Change<String>> {
        let mode = self.places.tool_output;
        if mode == Mode::Off {
            return None;
        }
        let mut found = Found::default();
        let output = tool_data::output()?;
        let redacted = (self.redact)("", &output, &mut found);
        change(mode, redacted, found)
    }

    fn redact_parts(&self, parts: Vec<ContentPart>, found: &mut Found) -> Option<Vec<ContentPart>> {
        redact_with(&|text, found| (self.redact)("", text, found), parts, found)
    }
}

fn change<T>(mode: Mode, changed: Option<T>, found: Found) -> Option<Change<T>> {
    let changed = changed.filter(|_| !found.is_empty())?;
    Some(match mode {
        Mode::Refuse => Change::Refuse(found),
        Mode::Redact | Mode::Off => Change::Use(changed, found),
    })
}
