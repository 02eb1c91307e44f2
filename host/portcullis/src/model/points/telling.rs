//! Points at which hooks are only notified.

/// Defines a point whose hooks can only continue.
macro_rules! telling {
    ($(#[$doc:meta])* $point:ident of $input:ty: $value:literal, $order:expr, $failure:expr
        $(, attempt: $attempt:expr)?) => {
        super::outcomes::outcomes! { $point {} }

        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $point;

        impl super::imports::Answers for $point {
            fn link<T: 'static>(
                _: &mut crate::contract::linked::component::Linker<T>,
                _: fn(&mut T) -> &mut crate::model::current::CurrentCall,
            ) -> wasmtime::Result<()> {
                Ok(())
            }
        }

        impl super::Point for $point {
            const INFO: super::PointInfo = super::PointInfo {
                name: <Self as super::Listed>::ID.name(),
                value: $value,
                outcomes: OUTCOMES,
                order: $order,
                failure: $failure,
            };

            type Input = $input;
            type Outcome = Outcome;
            type Subject = $input;
            type Value = super::Never;
            type Rejection = super::Never;
            type Answer = super::Never;
            type Ask = super::Never;
            type Stop = super::Never;
            type Contribution = super::Never;

            fn input(subject: &$input) -> &$input {
                subject
            }

            $(fn attempt(subject: &$input) -> u32 {
                let attempt: fn(&$input) -> u32 = $attempt;
                attempt(subject)
            })?

            fn apply(
                _: &mut crate::model::call::Call<Self>,
                value: super::Never,
            ) -> Result<(), super::InvalidValue> {
                match value {}
            }

            fn payload(_: &crate::model::call::Call<Self>) -> super::Payload<'_> {
                super::Payload::None
            }
        }
    };
}
pub(super) use telling;
