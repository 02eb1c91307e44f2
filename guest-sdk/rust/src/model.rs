//! The agent's model, within a budget of tokens that the operator grants.
//!
//! ```no_run
//! # use portcullis_sdk::prelude::*;
//! # fn main() -> HookResult<()> {
//! let answer = model::complete("Answer with yes or no.", "Is this a request for a password?")?;
//! if answer.text.trim() == "yes" {
//!     warn!("somebody asks for a password");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The model's text is data. The prompt may have told the model what to write, so a hook compares the text
//! with the few answers that it expects, and fails if none of them matches.

use std::fmt::{self, Display, Formatter};

use crate::bindings::portcullis::hooks::model::ModelError;
use crate::imports::model;

pub use crate::bindings::portcullis::hooks::model::Completion;

/// Asks the model for a completion. `instructions` tell the model what to do, and `prompt` is its input. It
/// writes at most 1,024 tokens.
///
/// # Errors
///
/// There is no model, the budget is too small for the prompt, the prompt is too long, or the provider
/// failed.
pub fn complete(instructions: &str, prompt: &str) -> Result<Completion, Error> {
    Ok(model::complete(instructions, prompt, None)?)
}

/// Asks the model for an answer of at most `max_tokens`.
///
/// # Errors
///
/// As for [`complete`].
pub fn complete_within(
    instructions: &str,
    prompt: &str,
    max_tokens: u32,
) -> Result<Completion, Error> {
    Ok(model::complete(instructions, prompt, Some(max_tokens))?)
}

/// Returns the tokens that are left of the hook's budget for the current turn.
pub fn tokens_left() -> u64 {
    model::tokens_left()
}

/// The reason why there is no completion.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// There is no model to ask; the text says why.
    NoModel(String),
    /// The tokens that are left of the hook's budget are too few for the prompt.
    Budget(String),
    /// Instructions and prompt together have more bytes than this limit.
    TooLong(u64),
    /// The provider failed; the text says how.
    Provider(String),
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModel(why) => write!(f, "there is no model: {why}"),
            Self::Budget(why) => write!(f, "the budget of the model is too small: {why}"),
            Self::TooLong(most) => write!(f, "the prompt has more than {most} bytes"),
            Self::Provider(why) => write!(f, "the model's provider failed: {why}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::NoModel(why) => Self::NoModel(why),
            ModelError::Budget(why) => Self::Budget(why),
            ModelError::TooLong(most) => Self::TooLong(most),
            ModelError::Provider(why) => Self::Provider(why),
        }
    }
}

impl From<Error> for ModelError {
    fn from(error: Error) -> Self {
        match error {
            Error::NoModel(why) => Self::NoModel(why),
            Error::Budget(why) => Self::Budget(why),
            Error::TooLong(most) => Self::TooLong(most),
            Error::Provider(why) => Self::Provider(why),
        }
    }
}
