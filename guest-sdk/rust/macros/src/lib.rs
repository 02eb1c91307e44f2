//! The `#[hook]` attribute of `portcullis-sdk`, which re-exports and documents it.

mod card;
mod expand;
mod nearest;
mod points;
mod serve;

use proc_macro::TokenStream;

/// Makes a component of an impl block; documented at `portcullis_sdk::hook`.
#[proc_macro_attribute]
pub fn hook(card: TokenStream, block: TokenStream) -> TokenStream {
    match expand::hook(card.into(), block.clone().into()) {
        Ok(expansion) => expansion.into(),
        // The block is kept, so that a fault here does not bury it under others.
        Err(fault) => [block, fault.into_compile_error().into()]
            .into_iter()
            .collect(),
    }
}
