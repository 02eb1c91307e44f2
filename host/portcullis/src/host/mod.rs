//! A host's hooks: sessions on them, reloading, reports, and hooks that are not components.

pub(crate) mod hooks;
pub(crate) mod member;
pub(crate) mod native;
pub(crate) mod reload;
pub mod report;
pub(crate) mod revoked;
pub(crate) mod session;
