//! The only place where bindings are generated. The WIT package is the source of every type that
//! crosses the boundary.
#![allow(missing_docs)]

wasmtime::component::bindgen!({
    world: "everything",
    path: "wit",
    wasmtime_crate: crate::contract::linked,
    imports: {
        "portcullis:hooks/model.complete": async | trappable,
        default: trappable,
    },
    additional_derives: [PartialEq, serde::Serialize, serde::Deserialize],
});
