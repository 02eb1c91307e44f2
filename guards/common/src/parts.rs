//! Redacting the parts of a message.

use portcullis_sdk::types::ContentPart;

use crate::redact::{Found, Redactor};
use crate::surfaces::Redact;

/// Redacts all matches in the parts. Returns `None` if there are none.
pub fn redact(
    redactor: &Redactor,
    parts: Vec<ContentPart>,
    found: &mut Found,
) -> Option<Vec<ContentPart>> {
    redact_with(&|text, found| redactor.redact(text, found), parts, found)
}

/// Redacts all matches of `redact` in the parts. Returns `None` if there are none.
pub fn redact_with(
    redact: Redact<'_>,
    mut parts: Vec<ContentPart>,
    found: &mut Found,
) -> Option<Vec<ContentPart>> {
    let mut changed = false;
    for part in &mut parts {
        let text = match part {
            ContentPart::Text(text) | ContentPart::Thinking(text) => text,
            ContentPart::ToolResult(result) => &mut result.content,
            ContentPart::ToolCall(_) | ContentPart::Image(_) => continue,
        };
        if let Some(redacted) = redact(text, found) {
            *text = redacted;
            changed = true;
        }
    }
    changed.then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::redact;
    use crate::find::ALL;
    use crate::redact::{Found, Redactor};
    use portcullis_sdk::types::{ContentPart, ToolCall};

    fn redacted(parts: Vec<ContentPart>) -> Option<Vec<ContentPart>> {
        let all: Vec<_> = ALL.iter().collect();
        let redactor =
            Redactor::new(&all, &Default::default(), &Default::default()).expect("the defaults");
        redact(&redactor, parts, &mut Found::default())
    }

    #[test]
    fn arguments_are_left_alone() {
        let call = ContentPart::ToolCall(ToolCall {
            id: "1".into(),
            name: "mail".into(),
            arguments: r#"{"to":"ada@example.org"}"#.into(),
        });
        let parts = vec![
            ContentPart::text("to ada@example.org"),
            ContentPart::Thinking("ada@example.org?".into()),
            call.clone(),
        ];
        let expected = vec![
            ContentPart::text("to [REDACTED:email]"),
            ContentPart::Thinking("[REDACTED:email]?".into()),
            call,
        ];
        assert_eq!(redacted(parts), Some(expected));
    }

    #[test]
    fn clean_parts_are_not_sent_back() {
        assert_eq!(redacted(vec![ContentPart::text("hello")]), None);
    }
}
