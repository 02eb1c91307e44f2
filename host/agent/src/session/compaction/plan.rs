//! The choice of the messages that a compaction removes.

use std::collections::BTreeSet;
use std::ops::Range;

use portcullis::contract::{ContentPart, Message, Role};

/// The messages to keep.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keep<'a> {
    /// The number of newest messages.
    pub(super) recent: usize,
    /// The index of the turn's input.
    pub(super) input_at: Option<usize>,
    /// The indexes that hooks want to keep.
    pub(super) hinted: &'a [u32],
}

/// Returns the indexes of the messages to remove, in order.
///
/// A response with tool calls and the results of its calls stay or go together: providers refuse one
/// without the other. Messages of role `system` always stay.
pub(super) fn removable(messages: &[Message], keep: Keep<'_>) -> Vec<usize> {
    let hinted: BTreeSet<usize> = keep.hinted.iter().map(|index| *index as usize).collect();
    let recent = messages.len().saturating_sub(keep.recent);
    let stays = |(index, message): (usize, &Message)| {
        index >= recent
            || message.role == Role::System
            || keep.input_at == Some(index)
            || hinted.contains(&index)
    };
    groups(messages)
        .into_iter()
        .filter(|group| {
            let members = messages.get(group.clone()).unwrap_or_default();
            !group.clone().zip(members).any(stays)
        })
        .flatten()
        .collect()
}

/// Returns the messages in groups that must not be split.
fn groups(messages: &[Message]) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if message.role == Role::Tool && has_tool_calls(messages, group) => {
                group.end = index + 1;
            }
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

fn has_tool_calls(messages: &[Message], group: &Range<usize>) -> bool {
    messages.get(group.start).is_some_and(|first| {
        first
            .content
            .iter()
            .any(|part| matches!(part, ContentPart::ToolCall(_)))
    })
}

#[cfg(test)]
mod tests {
    use portcullis::contract::{ToolCall, ToolResult};

    use super::*;

    /// Returns a conversation of `s`ystem, `u`ser, `a`ssistant, `c`alling assistant and `r`esult
    /// messages.
    fn conversation(shape: &str) -> Vec<Message> {
        shape
            .chars()
            .map(|kind| {
                let (role, part) = match kind {
                    's' => (Role::System, ContentPart::Text("s".into())),
                    'u' => (Role::User, ContentPart::Text("u".into())),
                    'a' => (Role::Assistant, ContentPart::Text("a".into())),
                    'c' => (
                        Role::Assistant,
                        ContentPart::ToolCall(ToolCall {
                            id: "1".into(),
                            name: "t".into(),
                            arguments: "{}".into(),
                        }),
                    ),
                    _ => (
                        Role::Tool,
                        ContentPart::ToolResult(ToolResult {
                            call_id: "1".into(),
                            name: "t".into(),
                            content: "r".into(),
                            is_error: false,
                        }),
                    ),
                };
                Message {
                    role,
                    content: vec![part],
                }
            })
            .collect()
    }

    #[test]
    fn table() {
        for (shape, recent, input_at, hinted, gone) in [
            ("", 2, None, &[][..], &[][..]),
            ("suaua", 2, None, &[], &[1, 2]),
            ("suaua", 9, None, &[], &[]),
            ("suaua", 0, None, &[], &[1, 2, 3, 4]),
            ("suaua", 0, Some(3), &[], &[1, 2, 4]),
            ("suaua", 0, None, &[2], &[1, 3, 4]),
            ("suaua", 0, None, &[99], &[1, 2, 3, 4]),
            // A kept result keeps its call and the call's other results.
            ("ucrrau", 3, None, &[], &[0]),
            ("ucrrau", 2, None, &[], &[0, 1, 2, 3]),
            ("ucrrau", 1, None, &[2], &[0, 4]),
            ("ucrcrau", 3, None, &[], &[0, 1, 2]),
            ("ucrcrau", 2, None, &[1], &[0, 3, 4]),
            // A result without its call is a separate group.
            ("rua", 1, None, &[], &[0, 1]),
        ] {
            let keep = Keep {
                recent,
                input_at,
                hinted,
            };
            assert_eq!(
                removable(&conversation(shape), keep),
                gone,
                "{shape} {keep:?}"
            );
        }
    }

    #[test]
    fn no_pair_is_ever_split() {
        let messages = conversation("sucrrucrcrraucrau");
        for recent in 0..messages.len() {
            for hinted in 0..messages.len() as u32 {
                let gone = removable(
                    &messages,
                    Keep {
                        recent,
                        input_at: None,
                        hinted: &[hinted],
                    },
                );
                assert!(!gone.contains(&(hinted as usize)));
                for group in groups(&messages) {
                    let of_it = group.clone().filter(|index| gone.contains(index)).count();
                    assert!(of_it == 0 || of_it == group.len(), "{group:?} of {gone:?}");
                }
            }
        }
    }
}
