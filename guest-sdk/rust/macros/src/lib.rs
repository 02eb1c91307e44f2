//! The macros of `portcullis-sdk`. Hooks use `#[hook]`, which the SDK re-exports and documents; the others make the
//! SDK from the contract.

mod contract;
mod descriptor;
mod expand;
mod generate;
mod nearest;
mod points;
mod serve;

use std::path::Path;

use contract::Contract;
use proc_macro::TokenStream;

/// Makes a component of an impl block; documented at `portcullis_sdk::hook`.
#[proc_macro_attribute]
pub fn hook(descriptor: TokenStream, block: TokenStream) -> TokenStream {
    match expand::hook(descriptor.into(), block.clone().into()) {
        Ok(expansion) => expansion.into(),
        // The block is kept, so that this error does not cause others.
        Err(fault) => [block, fault.into_compile_error().into()]
            .into_iter()
            .collect(),
    }
}

/// Calls a macro with the names of all points; documented at `portcullis_sdk::every_point`.
#[proc_macro]
pub fn every_point(called: TokenStream) -> TokenStream {
    match syn::parse::<syn::Path>(called) {
        Ok(called) => expand::every_point(&called).into(),
        Err(fault) => fault.into_compile_error().into(),
    }
}

/// Generates the modules of the lifecycle points, for `portcullis-sdk` alone.
#[doc(hidden)]
#[proc_macro]
pub fn contract_points(_: TokenStream) -> TokenStream {
    generate(generate::points)
}

/// Generates the bindings of everything else that a hook may import, for `portcullis-sdk` alone.
#[doc(hidden)]
#[proc_macro]
pub fn contract_capabilities(_: TokenStream) -> TokenStream {
    generate(generate::capabilities)
}

fn generate(make: fn(&Contract) -> proc_macro2::TokenStream) -> TokenStream {
    let sdk = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    match Contract::read(&Path::new(&sdk).join("wit")) {
        Ok(contract) => make(&contract).into(),
        Err(fault) => syn::Error::new(proc_macro2::Span::call_site(), fault)
            .into_compile_error()
            .into(),
    }
}
