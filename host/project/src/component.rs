//! From a core module to a component.

mod debug_info;

use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
};
use wit_component::ComponentEncoder;

/// Makes a component of a core module that carries the type of its world. What it imports of WASI's first
/// preview is adapted to the second.
pub(crate) fn of_module(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    // The adapter is omitted if nothing is imported from it.
    ComponentEncoder::default()
        .module(&debug_info::without(module)?)?
        .adapter(
            WASI_SNAPSHOT_PREVIEW1_ADAPTER_NAME,
            WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
        )?
        .validate(true)
        .encode()
}
