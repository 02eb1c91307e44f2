//! Conversion of a server's result to text for the model.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

use crate::tool::ToolOutput;

/// The text for content of newer protocol versions.
const UNKNOWN: &str = "[content of an unknown kind]";

/// Returns the result as text. Other content is named, not shown.
pub(super) fn render(result: CallToolResult) -> ToolOutput {
    let mut blocks: Vec<String> = result.content.iter().map(block).collect();
    if blocks.is_empty()
        && let Some(structured) = &result.structured_content
    {
        blocks.push(structured.to_string());
    }
    ToolOutput {
        content: blocks.join("\n"),
        is_error: result.is_error.unwrap_or(false),
    }
}

fn block(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => {
            format!(
                "[picture {}, {} characters of base64]",
                image.mime_type,
                image.data.len()
            )
        }
        ContentBlock::Audio(audio) => {
            format!(
                "[sound {}, {} characters of base64]",
                audio.mime_type,
                audio.data.len()
            )
        }
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            ResourceContents::BlobResourceContents { uri, blob, .. } => {
                format!("[data {uri}, {} characters of base64]", blob.len())
            }
            _ => UNKNOWN.to_owned(),
        },
        ContentBlock::ResourceLink(link) => format!("[link {}]", link.uri),
        _ => UNKNOWN.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_content_is_named() {
        let result: CallToolResult = serde_json::from_value(serde_json::json!({
            "content": [
                { "type": "text", "text": "a" },
                { "type": "image", "data": "AAAA", "mimeType": "image/png" },
                { "type": "resource", "resource": { "uri": "file:///x", "text": "b" } }
            ],
            "isError": true
        }))
        .unwrap();
        assert_eq!(
            render(result),
            ToolOutput::error("a\n[picture image/png, 4 characters of base64]\nb")
        );
    }

    #[test]
    fn structured_content_is_used_if_there_is_no_other() {
        let result: CallToolResult =
            serde_json::from_value(serde_json::json!({ "structuredContent": { "n": 1 } })).unwrap();
        assert_eq!(render(result), ToolOutput::ok("{\"n\":1}"));
    }
}
