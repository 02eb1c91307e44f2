//! The start and the end of a turn.

use portcullis::capabilities::View;
use portcullis::contract::ContentPart;
use portcullis::points::post_turn::TurnOutput;
use portcullis::points::{PostTurn, PreTurn, pre_turn};
use rig_agent::agent::HookContext;
use rig_core::completion::Message;

use crate::error::undecided;
use crate::left::with_prompt;
use crate::message::message;
use crate::session::{Session, passed, with_content};

const NOT_STARTED: &str = "The turn was not started";
const WITHHELD: &str = "The answer was withheld";

impl Session {
    /// Calls the hooks at the start of a turn. Returns the prompt, if hooks changed it.
    pub(crate) async fn before_turn(
        &self,
        cx: &HookContext,
        prompt: &Message,
    ) -> Result<Option<Message>, String> {
        let content = message(prompt).content;
        let facts = pre_turn::facts(&content);
        let reply = self
            .call::<PreTurn>(cx, &facts, &[View::Content], with_content(content))
            .await;
        let left: Option<Vec<ContentPart>> = passed(NOT_STARTED, reply)?;
        let prompt = left.map(|left| with_prompt(prompt, left)).transpose();
        prompt.map_err(|error| undecided(NOT_STARTED, &error))
    }

    /// Calls the hooks at the end of a turn. Returns the answer, if hooks changed it.
    pub(crate) async fn after_turn(
        &self,
        cx: &HookContext,
        facts: &TurnOutput,
        answer: Vec<ContentPart>,
    ) -> Result<Option<Vec<ContentPart>>, String> {
        let seen = [View::Content];
        let reply = self
            .call::<PostTurn>(cx, facts, &seen, with_content(answer))
            .await;
        passed(WITHHELD, reply)
    }
}
