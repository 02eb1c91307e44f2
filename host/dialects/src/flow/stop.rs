//! The end of a turn.

use portcullis::Views;
use portcullis::contract::StopReason;
use portcullis::points::post_turn::TurnOutput;
use portcullis::points::turn_error::{ErrorKind, Failure};
use portcullis::points::turn_stopping::{Ending, Stopping};
use portcullis::points::{PostTurn, TurnError, TurnStopping};
use portcullis_bridge::Decision;

use super::{Caller, Decided, Flow, NO_USAGE, content, count, payload_text};
use crate::text;
use crate::verdict::Verdict;

/// The most times that hooks may keep a turn going.
const MOST: u32 = 5;

impl<C: Caller> Flow<'_, C> {
    /// Decides about the end of a turn, whose answer is already shown. A refused answer is written again, as often as a
    /// turn may be kept going. The user sees a changed answer as a note.
    pub(super) async fn stop(&mut self) -> Decided<C::Error> {
        let may_keep_going = self.progress.kept_going < MOST;
        let input = Stopping {
            ending: Ending::Model(StopReason::EndTurn),
            steps: self.progress.step,
            usage: NO_USAGE,
            kept_going: self.progress.kept_going,
            may_keep_going,
        };
        let views = self.answer_text().map_or_else(Views::default, content);
        let reply = self.call::<TurnStopping>(input, views).await?;
        match &reply.decision {
            Decision::Answer { by, value } if may_keep_going => {
                self.progress.kept_going += 1;
                let message = value.as_str().unwrap_or_default();
                return Ok(Verdict::KeepGoing(text::from_hook(by, message)));
            }
            // The hook was asked with `may_keep_going` false.
            Decision::Answer { .. } => {}
            decision => {
                if let Some(text) = decision.refusal("The turn failed at its end") {
                    return Ok(Verdict::Halt(text));
                }
            }
        }
        self.post_turn(may_keep_going).await
    }

    /// Returns the answer that ends the turn, if the event has it.
    fn answer_text(&self) -> Option<&str> {
        self.event.optional(self.event.dialect().last_message())
    }

    async fn post_turn(&mut self, may_keep_going: bool) -> Decided<C::Error> {
        let said = self.answer_text().unwrap_or_default();
        let input = TurnOutput {
            text_bytes: count(said.len()),
            steps: self.progress.step,
            stop: StopReason::EndTurn,
            usage: NO_USAGE,
            elapsed_us: 0,
        };
        let reply = self.call::<PostTurn>(input, content(said)).await?;
        if let Decision::Transform { by } = &reply.decision {
            return Ok(Verdict::Note(format!(
                "[Hook `{}` changed the answer after it was shown. It is now:]\n{}",
                text::names(by),
                text::prose(&payload_text(&reply)?)
            )));
        }
        Ok(match reply.decision.refusal("The answer was refused") {
            None => Verdict::Passed,
            Some(text) if may_keep_going => {
                self.progress.kept_going += 1;
                Verdict::KeepGoing(text)
            }
            Some(text) => Verdict::Halt(text),
        })
    }

    /// Decides about a turn that failed. No hook can change the failure.
    pub(super) async fn turn_error(&mut self) -> Decided<C::Error> {
        let details = self.event.optional("error_details");
        let error = details.or_else(|| self.event.optional("error"));
        let input = Failure {
            kind: ErrorKind::Provider,
            message: error.unwrap_or_default().to_owned(),
        };
        let reply = self.call::<TurnError>(input, Views::default()).await?;
        Ok(match reply.decision.refusal("The turn failed") {
            Some(text) => Verdict::Note(text),
            None => Verdict::Passed,
        })
    }
}
