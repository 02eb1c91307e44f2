//! Errors of recordings.

/// The reason why a recording cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The recording is damaged, or the data is not a recording.
    #[error("the recording is damaged: {0}; restore the store from a backup")]
    Damaged(String),
    /// A newer version wrote it.
    #[error(
        "the recording has format {found}, and this version reads formats up to {known}; update portcullis"
    )]
    Newer {
        /// The recording's format.
        found: u32,
        /// The newest format that this version reads.
        known: u32,
    },
    /// A rule is not a regular expression.
    #[error("the rule `{rule}` is no regular expression: {cause}; correct or remove it")]
    Rule {
        /// The rule.
        rule: String,
        /// The reason, in one line.
        cause: String,
    },
    /// The recording is encrypted, and no identity is given to read it.
    #[error(
        "the recorded calls are encrypted; name the file of the secret key with `--identity FILE` or the variable \
         `PORTCULLIS_IDENTITY`"
    )]
    NoIdentity,
    /// The recording is encrypted for other identities.
    #[error(
        "a part of the recorded calls is encrypted for other keys than those of the identities; add, with `--identity FILE`, \
         the secret key of one of the `recipients` that the settings named when it was recorded"
    )]
    OtherIdentity,
    /// The recording is encrypted, and was changed or cut off since.
    #[error(
        "a part of the recorded calls is encrypted, and damaged: {0}; restore the store from a backup"
    )]
    DamagedFile(String),
    /// The recording cannot be encrypted.
    #[error("it cannot be encrypted: the system gives no random numbers")]
    Encryption,
    /// The text is not an age public key. The error never contains a secret key.
    #[error(
        "{0} is no recipient; write a public key of age, which begins with `age1`: `age-keygen -y FILE` prints it"
    )]
    Recipient(String),
    /// A file has no identities.
    #[error("the identity file {file} cannot be used: {cause}")]
    Identity {
        /// The file.
        file: String,
        /// The reason. It never contains a key.
        cause: String,
    },
}

impl RecordingError {
    /// Returns whether a part is damaged, so that the others can be read without it.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged(_) | Self::DamagedFile(_))
    }

    pub(crate) fn damaged(cause: impl std::fmt::Display) -> Self {
        Self::Damaged(cause.to_string())
    }
}
