//! The author's declaration of a hook, which [`hook`](macro@crate::hook) writes.

pub use bindings::exports::portcullis::hooks::describe::{
    Descriptor, ExecutionPolicy, FailurePolicy, Guest,
};

#[doc(hidden)]
#[allow(missing_docs)]
pub mod bindings {
    wit_bindgen::generate!({
        path: "wit",
        world: "hook",
        pub_export_macro: true,
        additional_derives: [PartialEq],
    });
}

/// The schema of the hook's configuration.
#[doc(hidden)]
#[allow(missing_docs)]
pub mod configuration {
    pub use bindings::exports::portcullis::hooks::configuration::Guest;

    pub mod bindings {
        wit_bindgen::generate!({
            path: "wit",
            world: "configured",
            pub_export_macro: true,
            export_macro_name: "export_configuration",
        });
    }
}
