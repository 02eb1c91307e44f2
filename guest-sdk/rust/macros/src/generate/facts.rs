//! The methods of a `Call` that read facts.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;
use wit_parser::Function;

use super::{snake, types};
use crate::contract::{Contract, Point, docs};

/// Returns one method for each fact, and `facts` for all of them.
pub fn methods(contract: &Contract, point: &Point<'_>) -> TokenStream {
    point
        .facts
        .functions
        .values()
        .map(|function| {
            let docs = docs(&function.docs);
            let import = snake(&function.name);
            let name = method(contract, point, function);
            let ty = function.result.iter().map(|ty| types::owned(contract, ty));
            quote! {
                #[doc = #docs]
                #[inline]
                pub fn #name(&self) #(-> #ty)* {
                    host::facts::#import()
                }
            }
        })
        .collect()
}

/// Returns the name of a fact's method: as in the contract, or by its type if an answer has the name.
fn method(contract: &Contract, point: &Point<'_>, function: &Function) -> Ident {
    let is_taken = point
        .answers
        .is_some_and(|answers| answers.functions.contains_key(&function.name));
    let by_type = function.result.filter(|_| is_taken);
    let by_type = by_type.and_then(|ty| types::name(contract, &ty));
    snake(by_type.unwrap_or(&function.name))
}

/// Returns the native fakes of the imports, which read the record that the test gives.
pub fn fakes(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let facts = point.fact_functions().map(|function| {
        let name = snake(&function.name);
        let ty = function.result.iter().map(|ty| types::owned(contract, ty));
        quote! {
            pub fn #name() #(-> #ty)* {
                ::core::clone::Clone::clone(&crate::testing::facts::<Facts>().#name)
            }
        }
    });
    quote! {
        #(#facts)*

        pub fn facts() -> Facts {
            ::core::clone::Clone::clone(&*crate::testing::facts::<Facts>())
        }
    }
}
