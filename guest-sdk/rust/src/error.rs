//! A hook's own failure.

use std::error::Error as StdError;
use std::fmt::{self, Display, Formatter};

/// What a hook's functions give.
pub type HookResult<T> = Result<T, Error>;

/// The hook could not do its work. This is never a refusal.
///
/// `?` makes an error of any standard one; it becomes [`Error::Failed`]. Like every such type it
/// is no [`std::error::Error`] itself.
///
/// ```
/// # use portcullis_sdk::HookResult;
/// fn port(text: &str) -> HookResult<u16> {
///     Ok(text.parse()?)
/// }
/// assert_eq!(port("http").unwrap_err().to_string(), "invalid digit found in string");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The operator's configuration of this hook is wrong.
    BadConfig(String),
    /// Anything else.
    Failed(String),
}

impl Error {
    /// The operator's configuration is wrong; the text names the key and says why.
    pub fn bad_config(message: impl Display) -> Self {
        Self::BadConfig(message.to_string())
    }

    /// Something else is wrong.
    pub fn failed(message: impl Display) -> Self {
        Self::Failed(message.to_string())
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadConfig(message) => write!(f, "bad config: {message}"),
            Self::Failed(message) => f.write_str(message),
        }
    }
}

impl<E: StdError> From<E> for Error {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::Failed(message)
    }
}

#[cfg(test)]
mod tests {
    use super::Error;
    #[test]
    fn a_standard_error_becomes_a_failure() {
        let error: Error = "x".parse::<u8>().expect_err("x is no number").into();
        assert_eq!(error, Error::failed("invalid digit found in string"));
    }
}
