//! Answers set questions without a model, and replaces short questions with full ones.
//!
//! ```toml
//! [hooks.canned-answer.config.answers]
//! help = "Ask me about this repository. `status` says how it stands."
//!
//! [hooks.canned-answer.config.questions]
//! status = "Summarise the state of this repository: branch, changes, failing tests."
//! ```
//!
//! A message must equal a key; case, spaces around it and punctuation at its end do not matter. An
//! answer ends the turn without calling a model. A question replaces the user's message, and later
//! hooks cannot change it. Either table may be left out.
//!
//! Points: `pre-turn`. Role: transform. Needs the view `content`.

mod table;

use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use table::{Canned, Table};

static TABLE: Prepared<Table> = Prepared::new(|| Table::new(config()?));

struct CannedAnswer;

#[hook(
    id = "canned-answer",
    kind = "answers",
    description = "Answers set questions without a model, and rewords short ones.",
    failure = open,
    config = table::Config
)]
impl CannedAnswer {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        Ok(match TABLE.get()?.look_up(&content::text()) {
            Some(Canned::Answer(answer)) => call.answer_text(answer),
            Some(Canned::Question(question)) => call.replace_text(question),
            None => call.proceed(),
        })
    }
}
