//! The functions that the SDK calls: in a component the imports, natively the fakes of [`testing`](crate::testing).

#[cfg(target_arch = "wasm32")]
pub(crate) use crate::bindings::{
    portcullis::hooks::*,
    wasi::{config::store, logging::logging},
};

#[cfg(target_arch = "wasm32")]
pub(crate) use crate::http::wire as http;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crate::testing::fakes::*;
