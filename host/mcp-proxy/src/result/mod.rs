//! Conversion of a tool call's result to one text for hooks, and of a changed text to a result.
//!
//! The text contains all text of the result: text blocks, the text of embedded resources, and,
//! unless a block contains it, the structured content as a last line of JSON. Other parts (images,
//! audio, links, data) are not in the text, and a change keeps them.

mod error;
mod structured;

pub(crate) use error::{error_output, with_error_output};

use portcullis_agent::ToolOutput;
use serde_json::{Value, json};

use crate::message::{Malformed, elements, fields, not_null, object, string, with_fields};
use structured::Structured;

/// The kind of a result.
#[derive(Debug, PartialEq)]
pub(crate) enum ResultKind {
    /// The call is over.
    Complete,
    /// The server needs input from the client, which then repeats the call.
    InputRequired,
    /// The call runs as a task with this id.
    Task(String),
}

/// Returns the kind of a result. `typed` is whether the protocol version has types of results.
/// Versions up to 2025-11-25 have none, and their clients read any result as a complete one.
///
/// # Errors
///
/// The text is not an object.
pub(crate) fn kind(result: &str, typed: bool) -> Result<ResultKind, Malformed> {
    let names = [
        "resultType",
        "task",
        "taskId",
        "content",
        "structuredContent",
    ];
    let [kind, task, id, content, structured] = fields(result, names)?.map(not_null);
    // A result with content is complete, whatever its type says, so that hooks see the content.
    if content.or(structured).is_some() {
        return Ok(ResultKind::Complete);
    }
    let kind = kind.filter(|_| typed).map(string).transpose()?;
    let id = match (kind.as_deref(), task) {
        (Some("input_required"), _) => return Ok(ResultKind::InputRequired),
        (Some("task"), _) => id,
        (None, Some(task)) => fields(task, ["taskId"])?[0],
        _ => return Ok(ResultKind::Complete),
    };
    let id = id.ok_or_else(|| Malformed::new("a task has no id"))?;
    Ok(ResultKind::Task(string(id)?))
}

/// Returns a result as hooks see it.
///
/// # Errors
///
/// The text is not the result of a tool call.
pub(crate) fn output(result: &str) -> Result<ToolOutput, Malformed> {
    let parts = Parts::read(result)?;
    let mut content = parts.texts.join("\n");
    if let Structured::LastLine(value) = &parts.structured {
        if !content.is_empty() {
            content.push('\n');
        }
        content.push_str(&value.to_string());
    }
    Ok(ToolOutput {
        content,
        is_error: parts.is_error,
    })
}

/// Returns the result with its output replaced. Parts that are not text stay.
///
/// # Errors
///
/// The text is not the result of a tool call.
pub(crate) fn with_output(result: &str, new: &ToolOutput) -> Result<String, Malformed> {
    let parts = Parts::read(result)?;
    let (text, structured) = parts.structured.changed(&new.content);
    let block = json!({ "type": "text", "text": text }).to_string();
    let blocks: Vec<&str> = std::iter::once(block.as_str())
        .chain(parts.others)
        .collect();
    with_fields(
        result,
        &[
            ("content", Some(format!("[{}]", blocks.join(",")))),
            (
                "structuredContent",
                structured.map(|value| value.to_string()),
            ),
            ("isError", Some(new.is_error.to_string())),
        ],
    )
}

/// Returns a result of the proxy's own. `typed` is whether the protocol version has types of
/// results.
pub(crate) fn made(output: &ToolOutput, typed: bool) -> String {
    let content = json!([{ "type": "text", "text": output.content }]);
    let mut result = vec![
        ("content", content.to_string()),
        ("isError", output.is_error.to_string()),
    ];
    if typed {
        result.push(("resultType", Value::from("complete").to_string()));
    }
    object(&result)
}

/// The parts of a result.
struct Parts<'a> {
    texts: Vec<String>,
    /// The original texts of the blocks without text.
    others: Vec<&'a str>,
    structured: Structured,
    is_error: bool,
}

impl<'a> Parts<'a> {
    fn read(result: &'a str) -> Result<Self, Malformed> {
        let [content, structured, is_error] =
            fields(result, ["content", "structuredContent", "isError"])?;
        let (mut texts, mut others) = (Vec::new(), Vec::new());
        for block in content.map(elements).transpose()?.unwrap_or_default() {
            match text_of(block)? {
                Some(text) => texts.push(text),
                None => others.push(block),
            }
        }
        let structured = structured.map(serde_json::from_str::<Value>).transpose()?;
        Ok(Self {
            structured: Structured::beside(&texts, structured),
            texts,
            others,
            is_error: match is_error {
                None | Some("null") => false,
                Some(flag) => serde_json::from_str(flag)?,
            },
        })
    }
}

/// Returns the text of a block: its own, or that of its resource.
fn text_of(block: &str) -> Result<Option<String>, Malformed> {
    let [kind, text, resource] = fields(block, ["type", "text", "resource"])?;
    let text = match kind.map(string).transpose()?.as_deref() {
        Some("text") => text,
        Some("resource") => match resource {
            Some(resource) => fields(resource, ["text"])?[0],
            None => None,
        },
        _ => None,
    };
    text.map(string).transpose()
}

#[cfg(test)]
mod tests;
