//! A view of whose session this is.

pub use crate::bindings::portcullis::hooks::session::{metadata, parent, user, working_dir};
