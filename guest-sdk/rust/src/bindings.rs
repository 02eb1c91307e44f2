//! The bindings of what hooks import. The points' are in [`crate::points`], one world for each.
#![allow(missing_docs)]

portcullis_sdk_macros::contract_capabilities!();
