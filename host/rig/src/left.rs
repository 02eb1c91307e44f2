//! Conversion of messages, after the hooks have run, to rig's messages.

use portcullis::contract::{ContentPart, Message, Role};
use rig_core::completion::Message as RigMessage;
use rig_core::message::{
    AssistantContent, Reasoning, ToolCall, ToolFunction, ToolName, UserContent,
};

use crate::message::{message, part, said};

/// Returns a model's answer after the hooks have run. Parts that hooks did not change or do not see
/// stay rig's own.
///
/// # Errors
///
/// Fails if rig has no form for a part.
pub(crate) fn with_parts(
    given: &[AssistantContent],
    left: Vec<ContentPart>,
) -> Result<Vec<AssistantContent>, String> {
    let mut own: Vec<(ContentPart, &AssistantContent)> = Vec::new();
    let mut content = Vec::new();
    for block in given {
        match part(block) {
            Some(part) => own.push((part, block)),
            None => content.push(block.clone()),
        }
    }
    for part in left {
        let known = own.iter().position(|(known, _)| *known == part);
        content.push(match known {
            Some(at) => own.remove(at).1.clone(),
            None => written(part)?,
        });
    }
    Ok(content)
}

fn written(part: ContentPart) -> Result<AssistantContent, String> {
    match part {
        ContentPart::Text(text) => Ok(AssistantContent::text(text)),
        ContentPart::Thinking(text) => Ok(AssistantContent::Reasoning(Reasoning::new(text))),
        ContentPart::ToolCall(call) => {
            let name = ToolName::new(call.name).map_err(|error| error.to_string())?;
            let function = ToolFunction::parse(name, &call.arguments);
            Ok(AssistantContent::ToolCall(ToolCall::from_wire(
                call.id, function,
            )))
        }
        ContentPart::Image(_) | ContentPart::ToolResult(_) => {
            Err("a hook added a picture or a tool's result, which a model cannot say".into())
        }
    }
}

/// Returns the messages after the hooks have run. Unchanged messages are rig's own.
///
/// # Errors
///
/// Fails if a hook changed a tool message or a message with a tool call.
pub(crate) fn with_messages(
    given: Vec<RigMessage>,
    left: Vec<Message>,
) -> Result<Vec<RigMessage>, String> {
    let mut own: Vec<(Message, RigMessage)> =
        given.into_iter().map(|own| (message(&own), own)).collect();
    let messages =
        left.into_iter().map(
            |left| match own.iter().position(|(known, _)| *known == left) {
                Some(at) => Ok(own.remove(at).1),
                None => rig_message(&left),
            },
        );
    messages.collect()
}

fn rig_message(left: &Message) -> Result<RigMessage, String> {
    let mut text = String::new();
    for part in &left.content {
        match part {
            ContentPart::Text(part) => text.push_str(part),
            _ => return Err("a hook changed a message that is not only text".into()),
        }
    }
    match left.role {
        Role::System => Ok(RigMessage::system(text)),
        Role::User => Ok(RigMessage::user(text)),
        Role::Assistant => Ok(RigMessage::assistant(text)),
        Role::Tool => Err("a hook changed a message of a tool".into()),
    }
}

/// Returns the prompt with the text after the hooks have run. Parts that hooks do not see follow
/// the text.
///
/// # Errors
///
/// Fails if a part cannot be in a user's message.
pub(crate) fn with_prompt(
    given: &RigMessage,
    left: Vec<ContentPart>,
) -> Result<RigMessage, String> {
    let texts = left.into_iter().map(|part| match part {
        ContentPart::Text(text) => Ok(UserContent::text(text)),
        _ => Err("a hook put something that is not text into the prompt".to_owned()),
    });
    let mut content = texts.collect::<Result<Vec<_>, _>>()?;
    if let RigMessage::User { content: own } = given {
        content.extend(own.iter().filter(|own| said(own).is_none()).cloned());
    }
    Ok(RigMessage::User { content })
}
