//! `pre-tool-call`: a tool is about to run; the arguments are the current tool data.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::{Action, InvalidValue, Never, Payload, Point, count};
use super::imports::{answers, facts};
use super::outcomes::outcomes;
use super::{AskPerson, FailureRule, Listed as _, Order, PointInfo};
use crate::contract::{AskRequest, Context, Rejection};
use crate::model::call::{Call, Views};
use crate::model::tools::ToolCatalog;

pub use crate::contract::bindings::portcullis::hooks::pre_tool_call_facts::{
    ExecutionGrant, ToolRequest,
};

impl AskPerson<PreToolCall> for AskRequest {
    fn request(&self) -> &AskRequest {
        self
    }

    fn request_mut(&mut self) -> &mut AskRequest {
        self
    }

    fn refusal(&self, rejection: Rejection) -> Rejection {
        rejection
    }

    fn changed(&self, text: String) -> String {
        text
    }
}

/// An answer for the model in place of a tool's own result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// The text.
    pub content: String,
    /// Whether the answer is reported to the model as a failure.
    pub is_error: bool,
}

outcomes! {
    PreToolCall {
        Transform(String),
        Reject(Rejection),
        Replace(String),
        Answer(ToolAnswer),
        Ask(AskRequest),
    }
}

/// The point `pre-tool-call`.
#[derive(Debug, Clone, Copy)]
pub struct PreToolCall;

impl Point for PreToolCall {
    const INFO: PointInfo = PointInfo {
        name: Self::ID.name(),
        value: "name, args, grant",
        outcomes: OUTCOMES,
        order: Order::Forward,
        failure: FailureRule::Refuses,
    };

    type Input = ToolRequest;
    type Outcome = Outcome;
    type Subject = ToolRequest;
    type Value = String;
    type Rejection = Rejection;
    type Answer = ToolAnswer;
    type Ask = AskRequest;
    type Stop = Never;
    type Contribution = Never;

    fn call_id(subject: &ToolRequest) -> Option<&str> {
        Some(&subject.call_id)
    }

    fn input(subject: &ToolRequest) -> &ToolRequest {
        subject
    }

    fn apply(call: &mut Call<Self>, value: String) -> Result<(), InvalidValue> {
        let offered_as = call.views.offered_as.as_deref();
        let tool = offered_as.unwrap_or(&call.subject.name);
        let arguments = call.views.tools.arguments(tool, value)?;
        call.subject.arguments_bytes = count(arguments.text().len());
        call.views.tool_arguments = arguments.text().clone();
        Ok(())
    }

    fn payload(call: &Call<Self>) -> Payload<'_> {
        Payload::Arguments(&call.views.tool_arguments)
    }
}

impl Call<PreToolCall> {
    /// Creates a tool call whose arguments fit the tool's schema in `tools`. Changes by hooks must
    /// fit it too. The other views are empty; set them in
    /// [`views`](crate::session::CallData::views).
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use portcullis::contract::{Context, ToolSpec};
    /// use portcullis::points::pre_tool_call::ExecutionGrant;
    /// use portcullis::tools::ToolCatalog;
    /// use portcullis::Call;
    ///
    /// let tools = Arc::new(ToolCatalog::new([ToolSpec {
    ///     name: "read".into(),
    ///     description: "Reads a file.".into(),
    ///     schema: r#"{"type":"object","required":["path"]}"#.into(),
    /// }])?);
    /// let context = Context { session_id: "s".into(), agent: "a".into(), turn: 1, step: 1 };
    /// let grant = ExecutionGrant { working_dir: None, timeout_ms: 1_000 };
    /// let call = Call::of_tool(context.clone(), "1", "read", r#"{"path":"a"}"#, grant.clone(), &tools)?;
    /// assert_eq!(call.subject.name, "read");
    /// assert!(Call::of_tool(context.clone(), "1", "read", "{}", grant.clone(), &tools).is_err());
    /// assert!(Call::of_tool(context, "1", "write", "{}", grant, &tools).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The tool is not in the catalogue, or the arguments do not fit.
    pub fn of_tool(
        context: Context,
        call_id: &str,
        tool: &str,
        arguments: &str,
        grant: ExecutionGrant,
        tools: &Arc<ToolCatalog>,
    ) -> Result<Self, InvalidValue> {
        if tools.get(tool).is_none() {
            return Err(InvalidValue(format!("there is no tool `{tool}`")));
        }
        let arguments = tools.arguments(tool, arguments)?;
        let request = ToolRequest {
            call_id: call_id.to_owned(),
            name: tool.to_owned(),
            arguments_bytes: count(arguments.text().len()),
            grant,
        };
        let views = Views {
            tool_arguments: arguments.text().clone(),
            tools: tools.clone(),
            ..Views::default()
        };
        Ok(Self::unchecked(context, request, views))
    }
}

facts! {
    PreToolCall: pre_tool_call_facts, ToolRequest {
        call_id: String,
        name: String,
        arguments_bytes: u32,
        grant: ExecutionGrant,
    }
}

answers! {
    PreToolCall: pre_tool_call_answer {
        transform(arguments: String) => Action::Transform(arguments);
        reject(code: String, reason: String, details: Option<String>) => Action::Reject(Rejection { code, reason, details });
        replace(arguments: String) => Action::Replace(arguments);
        answer(content: String, is_error: bool) => Action::Answer(ToolAnswer { content, is_error });
        ask(question: String, details: Option<String>) => Action::Ask(AskRequest { question, details });
    }
}
