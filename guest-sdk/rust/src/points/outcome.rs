//! The helpers that many points' outcomes share.

/// Gives the `Outcome` beside it the helpers named.
macro_rules! outcome {
    ([]) => {};
    ([$($helper:ident)*]) => {
        impl Outcome {
            $(outcome!($helper);)*
        }
    };
    (reject) => {
        /// Refuses, with a stable code for programs and a reason for the person or the model.
        pub fn reject(code: impl Into<String>, reason: impl Into<String>) -> Self {
            Self::Reject(crate::types::Rejection::new(code, reason))
        }
    };
    (stop) => {
        /// Ends the turn in good order, with a stable code for programs and a reason in words.
        pub fn stop(code: impl Into<String>, message: impl Into<String>) -> Self {
            Self::Stop(crate::types::StopSignal {
                kind: crate::types::StopKind::Other(code.into()),
                message: message.into(),
            })
        }
    };
    (transform_text) => {
        /// Goes on with this text in place of all the content.
        pub fn transform_text(text: impl Into<String>) -> Self {
            Self::Transform(vec![crate::types::ContentPart::text(text)])
        }
    };
    (replace_text) => {
        /// Uses this text in place of all the content; later hooks are skipped.
        pub fn replace_text(text: impl Into<String>) -> Self {
            Self::Replace(vec![crate::types::ContentPart::text(text)])
        }
    };
    (answer_text) => {
        /// Answers with this text in place of the operation.
        pub fn answer_text(text: impl Into<String>) -> Self {
            Self::Answer(vec![crate::types::ContentPart::text(text)])
        }
    };
}
