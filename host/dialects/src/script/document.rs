//! A point's document for a script hook, and the event of Claude Code for it.

use serde_json::{Value, json};

use super::{BadDocument, ClaudeEvent};

/// A point's document.
pub(super) struct Document<'a> {
    pub(super) event: ClaudeEvent,
    document: &'a Value,
}

impl<'a> Document<'a> {
    pub(super) fn read(event: ClaudeEvent, document: &'a Value) -> Result<Self, BadDocument> {
        let read = Self { event, document };
        let point = event.point().name();
        match document.get("point").and_then(Value::as_str) {
            Some(is) if is == point => Ok(read),
            _ => Err(read.wrong("its `point` is another")),
        }
    }

    /// Returns the text that the matcher is compared with, if the event has one.
    pub(super) fn matched(&self) -> Option<&'a str> {
        match self.event {
            ClaudeEvent::PreToolUse
            | ClaudeEvent::PostToolUse
            | ClaudeEvent::PostToolUseFailure => self.fact("name").as_str(),
            ClaudeEvent::SubagentStart | ClaudeEvent::SubagentStop => self.fact("agent").as_str(),
            ClaudeEvent::SessionStart => Some("startup"),
            ClaudeEvent::SessionEnd => Some("other"),
            ClaudeEvent::PreCompact | ClaudeEvent::PostCompact => Some("auto"),
            ClaudeEvent::UserPromptSubmit | ClaudeEvent::Stop => None,
        }
    }

    /// Returns whether the document is of this event, where two events have the same point.
    pub(super) fn fits(&self) -> bool {
        let failed = self.fact("is-error") == &Value::Bool(true);
        match self.event {
            ClaudeEvent::PostToolUse => !failed,
            ClaudeEvent::PostToolUseFailure => failed,
            _ => true,
        }
    }

    /// Returns the event.
    pub(super) fn event(&self) -> Result<Value, BadDocument> {
        let own = match self.event {
            ClaudeEvent::PreToolUse => json!({
                "tool_name": self.fact("name"), "tool_input": self.arguments()?,
                "tool_use_id": self.fact("call-id"),
            }),
            ClaudeEvent::PostToolUse => json!({
                "tool_name": self.fact("name"), "tool_input": self.arguments()?,
                "tool_use_id": self.fact("call-id"), "tool_response": self.response()?,
            }),
            ClaudeEvent::PostToolUseFailure => json!({
                "tool_name": self.fact("name"), "tool_input": self.arguments()?,
                "tool_use_id": self.fact("call-id"), "error": self.output()?, "is_interrupt": false,
            }),
            ClaudeEvent::UserPromptSubmit => json!({"prompt": self.text()?}),
            ClaudeEvent::SessionStart => {
                json!({"source": "startup", "model": self.fact("model")})
            }
            ClaudeEvent::SessionEnd => json!({"reason": "other"}),
            ClaudeEvent::Stop => json!({
                "stop_hook_active": self.fact("kept-going").as_u64().is_some_and(|times| times > 0),
                "last_assistant_message": self.text()?,
            }),
            ClaudeEvent::SubagentStart => json!({
                "agent_id": self.fact("call-id"), "agent_type": self.fact("agent"),
            }),
            ClaudeEvent::SubagentStop => json!({
                "stop_hook_active": false, "agent_id": self.fact("call-id"),
                "agent_type": self.fact("agent"), "agent_transcript_path": "",
                "last_assistant_message": self.text()?,
            }),
            ClaudeEvent::PreCompact => json!({"trigger": "auto", "custom_instructions": null}),
            ClaudeEvent::PostCompact => json!({"trigger": "auto", "compact_summary": self.text()?}),
        };
        let mut event = json!({
            "session_id": self.at(&["context", "session-id"]),
            "transcript_path": "",
            "cwd": self.working_dir(),
            "permission_mode": "default",
            "hook_event_name": self.event.name(),
        });
        if let (Value::Object(event), Value::Object(own)) = (&mut event, own) {
            event.extend(own);
        }
        Ok(event)
    }

    /// Returns the agent's working directory; null if it is not known.
    pub(super) fn working_dir(&self) -> &'a Value {
        self.at(&["views", "session", "working-dir"])
    }

    /// Returns the text of the current content.
    pub(super) fn text(&self) -> Result<String, BadDocument> {
        let content = self.at(&["views", "content"]).as_array();
        let content = content.ok_or_else(|| self.wrong("it has no view `content`"))?;
        let texts = content.iter().filter_map(|part| part.get("text")?.as_str());
        Ok(texts.collect::<Vec<_>>().join("\n"))
    }

    /// Returns the tool's output.
    pub(super) fn output(&self) -> Result<&'a str, BadDocument> {
        let output = self.at(&["views", "tool-data", "output"]).as_str();
        output.ok_or_else(|| self.wrong("it has no output in the view `tool-data`"))
    }

    /// Returns the tool's output in its original form: as JSON, unless it was text.
    fn response(&self) -> Result<Value, BadDocument> {
        let output = self.output()?;
        let parsed = serde_json::from_str(output).ok();
        let parsed = parsed.filter(|value: &Value| value.is_object() || value.is_array());
        Ok(parsed.unwrap_or_else(|| output.into()))
    }

    fn arguments(&self) -> Result<Value, BadDocument> {
        let text = self.at(&["views", "tool-data", "input"]).as_str();
        let arguments = text.and_then(|text| serde_json::from_str(text).ok());
        arguments.ok_or_else(|| self.wrong("it has no arguments in the view `tool-data`"))
    }

    fn fact(&self, key: &str) -> &'a Value {
        self.at(&["input", key])
    }

    fn at(&self, path: &[&str]) -> &'a Value {
        let mut value = self.document;
        for key in path {
            value = value.get(key).unwrap_or(&Value::Null);
        }
        value
    }

    fn wrong(&self, problem: &str) -> BadDocument {
        BadDocument {
            event: self.event.name(),
            point: self.event.point(),
            problem: problem.to_owned(),
        }
    }
}
