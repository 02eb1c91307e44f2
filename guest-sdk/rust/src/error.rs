//! A hook's own failure.

use std::error::Error as StdError;
use std::fmt::{self, Display, Formatter};
use std::panic::Location;

/// The result of a hook's functions.
pub type HookResult<T> = Result<T, Error>;

/// The error of a hook that could not do its work. It is never a refusal.
///
/// `?` converts any standard error to an [`Error::failed`]. Like other types with this conversion, `Error`
/// does not implement [`std::error::Error`].
///
/// ```
/// # use portcullis_sdk::HookResult;
/// fn port(text: &str) -> HookResult<u16> {
///     Ok(text.parse()?)
/// }
/// assert_eq!(port("http").unwrap_err().to_string(), "invalid digit found in string");
/// ```
#[derive(Clone, Debug)]
pub struct Error {
    kind: Kind,
    message: String,
    /// The place where it was made, or where `?` converted another error to it.
    place: &'static Location<'static>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    BadConfig,
    Failed,
}

impl Error {
    /// Creates the error of a wrong configuration. The message names the key and says why.
    #[track_caller]
    pub fn bad_config(message: impl Display) -> Self {
        Self::new(Kind::BadConfig, message.to_string())
    }

    /// Creates the error of any other failure. The host also receives the line in the hook's source.
    #[track_caller]
    pub fn failed(message: impl Display) -> Self {
        Self::new(Kind::Failed, message.to_string())
    }

    #[track_caller]
    fn new(kind: Kind, message: String) -> Self {
        Self {
            kind,
            message,
            place: Location::caller(),
        }
    }

    /// Returns whether the operator's configuration of this hook is wrong.
    pub fn is_bad_config(&self) -> bool {
        self.kind == Kind::BadConfig
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the message, with the line in the hook's source if the error was made there.
    pub(crate) fn told(&self) -> String {
        let Self { message, place, .. } = self;
        match is_authors(place.file()) {
            true => format!("{message} (at {place})"),
            false => message.clone(),
        }
    }
}

/// Returns whether a file belongs to the hook, and not to the standard library, a dependency or this crate. Only the
/// hook's own files have relative paths outside of this crate's directory.
fn is_authors(file: &str) -> bool {
    let own = file!().trim_end_matches("error.rs");
    !(file.starts_with('/') || file.contains(':') || file.starts_with(own))
}

/// Errors are compared without the places where they were made.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.message) == (other.kind, &other.message)
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::BadConfig => write!(f, "bad config: {}", self.message),
            Kind::Failed => f.write_str(&self.message),
        }
    }
}

impl<E: StdError> From<E> for Error {
    #[track_caller]
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::new(Kind::Failed, message)
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, is_authors};
    use crate::HookResult;

    #[test]
    fn a_standard_error_becomes_a_failure() {
        let error: Error = "x".parse::<u8>().expect_err("x is no number").into();
        assert_eq!(error, Error::failed("invalid digit found in string"));
    }

    #[test]
    fn an_error_has_the_line_of_the_one_who_made_it() {
        fn parsed() -> HookResult<u8> {
            let number = "x".parse::<u8>()?;
            Ok(number)
        }
        let line = line!() - 3;
        let place = parsed().expect_err("x is no number").place;
        assert_eq!((place.file(), place.line()), (file!(), line));
        let line = line!() + 1;
        let place = Error::failed("no").place;
        assert_eq!(place.line(), line);
    }

    #[test]
    fn only_lines_of_the_hook_are_told() {
        for own in [
            "src/lib.rs",
            "example-hooks/path-jail/src/lib.rs",
            r"src\lib.rs",
        ] {
            assert!(is_authors(own), "{own}");
        }
        for other in [
            file!(),
            "/rustc/1/library/core/src/ops/function.rs",
            r"C:\sdk\src\http.rs",
        ] {
            assert!(!is_authors(other), "{other}");
        }
    }
}
