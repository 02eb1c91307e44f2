//! The error output of `main`.

use std::error::Error;
use std::{fmt, iter};

/// An error of any type, for the result of `main`. It prints as a message with its causes.
///
/// The standard library prints the error of `main` with `Debug`, which usually shows a type's
/// fields. The `Debug` of this type is the message.
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

impl ErrorReport {
    /// Returns the texts of an error and of its causes, the outermost first. Omits each cause that
    /// the previous text quotes.
    pub fn chain<'a>(error: &'a (dyn Error + 'a)) -> impl Iterator<Item = String> + 'a {
        let mut next = Some(error);
        let errors = iter::from_fn(move || {
            let error = next?;
            next = error.source().map(|cause| -> &(dyn Error + 'a) { cause });
            Some(error)
        });
        let mut last: Option<String> = None;
        errors.filter_map(move |error| {
            let text = error.to_string();
            if last.as_ref().is_some_and(|last| last.contains(&text)) {
                return None;
            }
            last = Some(text.clone());
            Some(text)
        })
    }

    /// Formats an error and its causes in one line, without the causes that [`Self::chain`] omits.
    pub fn line(error: &dyn Error) -> String {
        let texts: Vec<String> = Self::chain(error).collect();
        texts.join(": ")
    }
}

impl fmt::Debug for ErrorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = Self::chain(&*self.0).collect();
        f.write_str(&texts.join("\n  because: "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the turn failed")]
    struct Outer(#[source] std::io::Error);

    #[derive(Debug, thiserror::Error)]
    #[error("saving failed: {0}")]
    struct Quoting(#[source] Outer);

    #[test]
    fn a_cause_that_is_quoted_is_not_repeated() {
        let error = Quoting(Outer(std::io::Error::other("the disk is full")));
        let texts: Vec<String> = ErrorReport::chain(&error).collect();
        assert_eq!(
            texts,
            ["saving failed: the turn failed", "the disk is full"]
        );
        assert_eq!(
            ErrorReport::line(&error),
            "saving failed: the turn failed: the disk is full"
        );
    }

    #[test]
    fn an_error_is_printed_with_its_causes() {
        let report = ErrorReport::from(Outer(std::io::Error::other("the disk is full")));
        assert_eq!(
            format!("{report:?}"),
            "the turn failed\n  because: the disk is full"
        );
    }
}
