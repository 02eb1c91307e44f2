//! A point's answers as values, for tests and for answers that are read from JSON.

use proc_macro2::TokenStream;
use quote::quote;
use wit_parser::Function;

use super::{bindings, camel, snake, types};
use crate::contract::{Contract, Point, docs};

/// Returns the enum `Outcome`, and `Contribution` if the point has any.
pub fn outcome(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let json_form = json_form();
    let answers = point
        .answer_functions()
        .map(|function| case(contract, &function.name, function));
    let contributions: Vec<_> = point
        .contribution_functions()
        .map(|(name, function)| case(contract, name, function))
        .collect();
    let (contribute, contribution) = match contributions.is_empty() {
        true => (None, None),
        false => (
            Some(quote! {
                #[doc = "Continues with these contributions."]
                Contribute(::std::vec::Vec<Contribution>),
            }),
            Some(quote! {
                #[doc = "A contribution as a value."]
                #[derive(Clone, Debug, PartialEq)]
                #json_form
                pub enum Contribution {
                    #(#contributions)*
                }
            }),
        ),
    };
    quote! {
        #[doc = "An answer as a value: for [`Call::give`], and for tests."]
        #[derive(Clone, Debug, PartialEq)]
        #json_form
        pub enum Outcome {
            #[doc = "Continues without an answer."]
            Continue,
            #(#answers)*
            #contribute
        }

        #contribution
    }
}

fn json_form() -> TokenStream {
    let form = bindings::json_form();
    quote!(#form #[cfg_attr(feature = "serde", serde(rename_all_fields = "kebab-case"))])
}

/// Returns one case: bare, of one value, or of several with names.
fn case(contract: &Contract, name: &str, function: &Function) -> TokenStream {
    let name = camel(name);
    let docs = docs(&function.docs);
    let carries = match function.params.as_slice() {
        [] => TokenStream::new(),
        [one] => {
            let ty = types::owned(contract, &one.ty);
            quote!((#ty))
        }
        several => {
            let fields = several.iter().map(|param| {
                let docs = format!("`{}`.", param.name);
                let field = snake(&param.name);
                let ty = types::owned(contract, &param.ty);
                quote!(#[doc = #docs] #field: #ty)
            });
            quote!({ #(#fields),* })
        }
    };
    quote!(#[doc = #docs] #name #carries,)
}

/// Returns the pattern, or the expression, of a case whose values have the names of the parameters.
pub fn pattern(function: &Function, name: &str) -> TokenStream {
    let name = camel(name);
    let values = function.params.iter().map(|param| snake(&param.name));
    match function.params.len() {
        0 => quote!(#name),
        1 => quote!(#name(#(#values)*)),
        _ => quote!(#name { #(#values),* }),
    }
}
