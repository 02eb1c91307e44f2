//! The imports that a point adds for a hook: the facts of a call, and the answers to it.
//!
//! The WIT interfaces `POINT-facts` and `POINT-answer` are implemented here for every point, on
//! [`CurrentCall`].

use crate::contract::linked::component::Linker;

use crate::model::current::CurrentCall;

/// A point's interface `POINT-facts`.
pub(crate) trait Facts {
    /// Adds the interface to a linker.
    fn link<T: 'static>(
        linker: &mut Linker<T>,
        current: fn(&mut T) -> &mut CurrentCall,
    ) -> wasmtime::Result<()>;
}

/// A point's interface `POINT-answer`.
pub(crate) trait Answers {
    /// Adds the interface to a linker. A point that only notifies has no such interface.
    fn link<T: 'static>(
        linker: &mut Linker<T>,
        current: fn(&mut T) -> &mut CurrentCall,
    ) -> wasmtime::Result<()>;
}

/// Implements `POINT-facts`: a function for each field of the point's record, and one for all.
macro_rules! facts {
    ($point:ident: $module:ident, $record:ty { $($field:ident: $type:ty,)* }) => {
        impl crate::contract::bindings::portcullis::hooks::$module::Host for crate::model::current::CurrentCall {
            $(fn $field(&mut self) -> wasmtime::Result<$type> {
                Ok(Clone::clone(&self.facts_at::<$point>()?.$field))
            })*

            fn facts(&mut self) -> wasmtime::Result<$record> {
                Ok(self.facts_at::<$point>()?.clone())
            }
        }

        impl super::imports::Facts for $point {
            fn link<T: 'static>(
                linker: &mut crate::contract::linked::component::Linker<T>,
                current: fn(&mut T) -> &mut crate::model::current::CurrentCall,
            ) -> wasmtime::Result<()> {
                crate::contract::bindings::portcullis::hooks::$module::add_to_linker::<
                    T,
                    wasmtime::component::HasSelf<crate::model::current::CurrentCall>,
                >(linker, current)
            }
        }
    };
}
pub(super) use facts;

/// Implements `POINT-answer`: a function for each answer, and one for each kind of contribution.
macro_rules! answers {
    (
        $point:ident: $module:ident {
            $($answer:ident($($value:ident: $type:ty),*) => $action:expr;)*
        }
        $(contributes {
            $($add:ident($($part:ident: $kind:ty),*) => $contribution:expr;)*
        })?
    ) => {
        impl crate::contract::bindings::portcullis::hooks::$module::Host for crate::model::current::CurrentCall {
            $(fn $answer(&mut self, $($value: $type),*) -> wasmtime::Result<()> {
                self.answer_at::<$point>($action)
            })*
            $($(fn $add(&mut self, $($part: $kind),*) -> wasmtime::Result<()> {
                self.contribute_at::<$point>($contribution)
            })*)?
        }

        impl super::imports::Answers for $point {
            fn link<T: 'static>(
                linker: &mut crate::contract::linked::component::Linker<T>,
                current: fn(&mut T) -> &mut crate::model::current::CurrentCall,
            ) -> wasmtime::Result<()> {
                crate::contract::bindings::portcullis::hooks::$module::add_to_linker::<
                    T,
                    wasmtime::component::HasSelf<crate::model::current::CurrentCall>,
                >(linker, current)
            }
        }
    };
}
pub(super) use answers;

/// Defines the contributions that hooks may make at a point.
macro_rules! contributions {
    ($($kind:ident($type:ty)),*) => {
        /// A contribution that a hook may make at this point.
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        pub enum Contribution {
            $(
                #[doc = concat!("A contribution of the kind `", stringify!($kind), "`.")]
                $kind($type),
            )*
        }

        impl crate::model::prompt::Size for Contribution {
            fn bytes(&self) -> usize {
                match self {
                    $(Self::$kind(value) => value.bytes(),)*
                }
            }
        }

        impl From<Contribution> for crate::model::prompt::Contribution {
            fn from(contribution: Contribution) -> Self {
                match contribution {
                    $(Contribution::$kind(value) => Self::$kind(value),)*
                }
            }
        }
    };
}
pub(super) use contributions;
