//! What a hook says of itself. [`hook`](macro@crate::hook) writes it.

pub use bindings::exports::portcullis::hooks::describe::{
    Descriptor, ExecutionPolicy, FailurePolicy, Guest, HookRole,
};

#[doc(hidden)]
#[allow(missing_docs)]
pub mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "hook",
        pub_export_macro: true,
        additional_derives: [PartialEq],
        with: { "portcullis:hooks/types@0.1.0": crate::types },
    });
}
