//! Changes to a list of messages.

use super::action::InvalidValue;
use crate::contract::{Message, MessageEdit};

/// The most edits in one answer. They run outside of the hook's own limits, and each may move the
/// whole list.
const MOST_EDITS: usize = 1_024;

/// Applies these edits to the messages, in order. `turn_start` remains the index of the same
/// message.
pub(super) fn edited(
    messages: &[Message],
    edits: Vec<MessageEdit>,
    turn_start: &mut usize,
) -> Result<Vec<Message>, InvalidValue> {
    if edits.len() > MOST_EDITS {
        return Err(InvalidValue(format!(
            "{} edits, and the limit is {MOST_EDITS}",
            edits.len()
        )));
    }
    let mut messages = messages.to_vec();
    for edit in edits {
        edit_one(&mut messages, edit, turn_start)?;
    }
    Ok(messages)
}

fn edit_one(
    messages: &mut Vec<Message>,
    edit: MessageEdit,
    turn_start: &mut usize,
) -> Result<(), InvalidValue> {
    let len = messages.len();
    let outside = |index: u32| {
        InvalidValue(format!(
            "an edit names message {index}, but there are {len}"
        ))
    };
    match edit {
        MessageEdit::Insert((index, message)) => {
            let at = index as usize;
            if at > len {
                return Err(outside(index));
            }
            messages.insert(at, message);
            *turn_start = turn_start.saturating_add(usize::from(at < *turn_start));
        }
        MessageEdit::Set((index, message)) => match messages.get_mut(index as usize) {
            Some(slot) => *slot = message,
            None => return Err(outside(index)),
        },
        MessageEdit::Remove(index) => {
            let at = index as usize;
            if at >= len {
                return Err(outside(index));
            }
            messages.remove(at);
            *turn_start -= usize::from(at < *turn_start);
        }
    }
    Ok(())
}
