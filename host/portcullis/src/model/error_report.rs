//! What `main` prints of an error.

use std::error::Error;
use std::fmt;

/// An error of any type, for the result of `main`: printed as a person reads it, with its causes.
///
/// The standard library prints the error of `main` by its `Debug`, which shows a type's fields. This one's `Debug` is the
/// message.
///
/// ```
/// use std::path::Path;
///
/// use portcullis::{ErrorReport, Hooks, LoadOptions};
///
/// fn start() -> Result<(), ErrorReport> {
///     Hooks::load(Path::new("no-such-directory"), &LoadOptions::default())?;
///     Ok(())
/// }
///
/// let error = start().err().expect("there is no such directory");
/// assert!(format!("{error:?}").starts_with("no-such-directory: cannot be read"));
/// ```
pub struct ErrorReport(Box<dyn Error + Send + Sync>);

impl<E: Error + Send + Sync + 'static> From<E> for ErrorReport {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Debug for ErrorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = self.0.to_string();
        f.write_str(&said)?;
        let mut next = self.0.source();
        while let Some(cause) = next {
            let words = cause.to_string();
            // Many errors quote their cause already.
            if !said.contains(&words) {
                write!(f, "\n  because: {words}")?;
                said = words;
            }
            next = cause.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the turn failed")]
    struct Outer(#[source] std::io::Error);

    #[test]
    fn an_error_is_printed_with_its_causes() {
        let report = ErrorReport::from(Outer(std::io::Error::other("the disk is full")));
        assert_eq!(
            format!("{report:?}"),
            "the turn failed\n  because: the disk is full"
        );
    }
}
