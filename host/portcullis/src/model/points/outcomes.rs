//! A point's possible answers as one type.

/// Returns the meaning of each case, for the documentation.
macro_rules! meaning {
    (Transform) => {
        "The call continues with this value."
    };
    (Reject) => {
        "The operation is refused."
    };
    (Replace) => {
        "The call continues with this value. Later hooks cannot change it."
    };
    (Answer) => {
        "The operation is skipped, and this is its result."
    };
    (Ask) => {
        "A person must decide."
    };
    (Stop) => {
        "The turn ends without an error."
    };
    (KeepGoing) => {
        "The turn continues, and this is said to the model."
    };
    (Contribute) => {
        "The call continues, and these are added."
    };
}
pub(super) use meaning;

/// Defines `Outcome`, the kinds of its cases, and the action of each case. The action has the name
/// of the case, unless another name is given.
macro_rules! outcomes {
    ($point:ident { $($case:ident($value:ty) $(as $action:ident)?),* $(,)? }) => {
        /// An answer that a hook may give at this point.
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        pub enum Outcome {
            /// The call continues unchanged.
            Continue,
            $(
                #[doc = super::outcomes::meaning!($case)]
                $case($value),
            )*
        }

        const OUTCOMES: &[super::OutcomeKind] =
            &[super::OutcomeKind::Continue $(, super::OutcomeKind::$case)*];

        impl From<Outcome> for super::Action<$point> {
            fn from(outcome: Outcome) -> Self {
                match outcome {
                    Outcome::Continue => Self::Continue,
                    $(Outcome::$case(value) => super::outcomes::outcomes!(@action value, $case $(as $action)?),)*
                }
            }
        }
    };
    (@action $value:ident, $case:ident as $action:ident) => { Self::$action($value) };
    (@action $value:ident, $case:ident) => { Self::$case($value) };
}
pub(super) use outcomes;
