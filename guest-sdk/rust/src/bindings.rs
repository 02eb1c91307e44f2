//! The bindings of the capabilities. Those of the points are in [`crate::points`], one world for each.
#![allow(missing_docs)]

portcullis_sdk_macros::contract_capabilities!();
