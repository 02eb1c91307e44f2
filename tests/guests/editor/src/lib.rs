//! A hook that changes the agent's state as the user's text says, and reports changes and turns that it sees.

use portcullis_sdk::prelude::*;
use serde_json::{Value, json};

/// The editor.
pub struct Editor;

#[hook(
    id = "editor",
    description = "Changes the agent's state.",
    kind = "test"
)]
impl Editor {
    /// Runs lines of `set KEY JSON`, `remove KEY`, `many PREFIX COUNT`, `reject`, `fail` and `trap`. An error of a
    /// change is a refusal with its text.
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        for line in content::text().lines() {
            let mut words = line.splitn(3, ' ');
            let mut word = || words.next().unwrap_or_default();
            let changed = match (word(), word(), word()) {
                ("set", key, json) => {
                    let value: Value = serde_json::from_str(json)?;
                    agent_state_edit::set(key, &value)
                }
                ("remove", key, _) => agent_state_edit::remove(key),
                ("many", prefix, count) => {
                    let count: u32 = count.parse()?;
                    (0..count).try_for_each(|n| agent_state_edit::set(&format!("{prefix}{n}"), &n))
                }
                ("reject", ..) => return Ok(call.reject("told", "It was told to.")),
                ("fail", ..) => return Err(Error::failed("it was told to")),
                ("trap", ..) => panic!("it was told to"),
                _ => Ok(()),
            };
            if let Err(error) = changed {
                return Ok(call.reject("edit", error.to_string()));
            }
        }
        Ok(call.proceed())
    }

    fn state_changed(call: &state_changed::Call) -> HookResult<state_changed::Verdict> {
        let again = agent_state_edit::set("again", &1).err();
        let told = json!({
            "tool": call.tool(),
            "call": call.call_id(),
            "keys": call.keys(),
            "by": agent_state::changed_by(),
            "diff": serde_json::from_str::<Value>(&agent_state::diff())?,
            "again": again.map(|error| error.to_string()),
        });
        events::emit("changed", &told)?;
        Ok(call.proceed())
    }

    fn post_turn(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        let texts = |message: &Message| -> String {
            let parts = message.content.iter();
            parts.filter_map(ContentPart::as_text).collect()
        };
        let of_turn: Vec<String> = conversation::of_turn().iter().map(texts).collect();
        events::emit("turn", &of_turn)?;
        Ok(call.proceed())
    }
}
