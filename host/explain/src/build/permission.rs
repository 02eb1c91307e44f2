//! An agent's permission requests. Hooks see each as a call without an id, after the call that needs the permission.

use crate::model::{Item, ToolCall};

/// Moves the hooks of a permission request to its call: the last open call of the tool. Whether the
/// call runs is no longer known. Returns the call's id, and `None` if there is no such call, as in
/// a session whose calls have no ids.
pub(super) fn join(
    items: &mut Vec<Item>,
    tool: &str,
    is_open: impl Fn(&ToolCall) -> bool,
) -> Option<String> {
    let is_for = |call: &ToolCall| {
        !call.call_id.is_empty() && call.name.as_deref() == Some(tool) && is_open(call)
    };
    last(items, is_for)?;
    let asked = last(items, |call| call.call_id.is_empty()).map(|index| items.remove(index));
    let index = last(items, is_for)?;
    let Some(Item::Tool(call)) = items.get_mut(index) else {
        return None;
    };
    if let Some(Item::Tool(asked)) = asked {
        call.chains.extend(asked.chains);
    }
    (call.ran, call.ran_at_us, call.unknown) = (false, None, true);
    Some(call.call_id.clone())
}

fn last(items: &[Item], fits: impl Fn(&ToolCall) -> bool) -> Option<usize> {
    items.iter().rposition(|item| match item {
        Item::Tool(call) => fits(call),
        _ => false,
    })
}
