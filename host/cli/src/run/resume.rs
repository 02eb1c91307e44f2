//! Resuming a suspended turn: the options that say what its calls waited for.

use std::collections::BTreeMap;
use std::str::FromStr;

use clap::Args;
use portcullis_agent::{BadCheckpointId, CheckpointId, Resolution};

/// The options that resume a turn.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// Resume the suspended turn of this checkpoint. Calls that nothing is said about wait on. A message
    /// is the next turn.
    #[arg(long, value_name = "ID", help_heading = "Suspended turns")]
    resume: Option<String>,
    /// A call that may go ahead.
    #[arg(
        long,
        value_name = "CALL",
        requires = "resume",
        help_heading = "Suspended turns"
    )]
    approve: Vec<String>,
    /// A call that may not. The model gets the reason.
    #[arg(
        long,
        value_name = "CALL=REASON",
        requires = "resume",
        help_heading = "Suspended turns"
    )]
    refuse: Vec<CallText>,
    /// The result of a tool that the client ran.
    #[arg(
        long,
        value_name = "CALL=TEXT",
        requires = "resume",
        help_heading = "Suspended turns"
    )]
    result: Vec<CallText>,
}

/// A checkpoint, and what is known about its calls.
pub type Resumed = (CheckpointId, BTreeMap<String, Resolution>);

/// The id of a call, and a text.
#[derive(Debug, Clone)]
struct CallText(String, String);

impl FromStr for CallText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((call, text)) if !call.is_empty() => Ok(Self(call.into(), text.into())),
            _ => Err("write the call's id, `=` and a text".into()),
        }
    }
}

impl ResumeArgs {
    /// The turn to resume, if there is one.
    pub fn into_resumed(self) -> Result<Option<Resumed>, BadCheckpointId> {
        let Some(checkpoint) = self.resume else {
            return Ok(None);
        };
        let approved = self
            .approve
            .into_iter()
            .map(|call| (call, Resolution::yes()));
        let refused = self.refuse.into_iter();
        let refused = refused.map(|CallText(call, why)| (call, Resolution::no(why)));
        let results = self.result.into_iter();
        let results = results.map(|CallText(call, text)| (call, Resolution::result(text)));
        let resolutions = approved.chain(refused).chain(results).collect();
        Ok(Some((checkpoint.parse()?, resolutions)))
    }
}
