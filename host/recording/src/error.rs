//! What can be wrong with a recording.

/// A recording cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// It is damaged, or none at all.
    #[error("the recording is damaged: {0}")]
    Damaged(String),
    /// A newer version wrote it.
    #[error(
        "the recording has format {found}, and this version reads formats up to {known}; update portcullis"
    )]
    Newer {
        /// Its format.
        found: u32,
        /// The newest that this version reads.
        known: u32,
    },
    /// A rule is not a regular expression.
    #[error("the rule `{rule}` is no regular expression: {cause}")]
    Rule {
        /// The rule.
        rule: String,
        /// Why not.
        cause: String,
    },
}

impl RecordingError {
    pub(crate) fn damaged(cause: impl std::fmt::Display) -> Self {
        Self::Damaged(cause.to_string())
    }
}
