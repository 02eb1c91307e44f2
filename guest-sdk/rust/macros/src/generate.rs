//! The SDK's points, made from the contract: for each a module with its bindings, its types, its `Call`, its
//! `Verdict` and its `Outcome`.

mod answers;
mod bindings;
mod facts;
mod outcome;
mod types;

use heck::ToSnakeCase;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;

use crate::contract::{Contract, Point};

pub use bindings::capabilities;

/// Returns the modules of all points.
pub fn points(contract: &Contract) -> TokenStream {
    let modules = contract.points().map(|point| module(contract, &point));
    quote!(#(#modules)*)
}

fn module(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let name = snake(point.name);
    let docs = point.docs;
    let types = types::own(contract, point);
    let facts = point
        .facts_type()
        .map(|facts| types::owned(contract, facts));
    let outcome = outcome::outcome(contract, point);
    let bindings = bindings::point(contract, point);
    let call = call(contract, point);
    let host = host(contract, point);
    let testing = testing(point);
    quote! {
        #[doc = #docs]
        pub mod #name {
            #types
            #[doc = "All the facts of a call."]
            pub type Facts = #facts;
            #call
            #outcome
            #testing
            #host
            #[doc(hidden)]
            #[allow(missing_docs)]
            pub mod bindings {
                #bindings
            }
        }
    }
}

fn call(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let docs = format!("A call at `{}`. Only the host makes one.", point.name);
    let facts = facts::methods(contract, point);
    let answers = answers::methods(contract, point);
    let contributes = point.contribution_functions().next().is_some();
    // The types do not say whether anything was added, so a field does.
    let added = contributes.then(|| quote!(added: ::core::cell::Cell<bool>,));
    let none_added = contributes.then(|| quote!(added: ::core::cell::Cell::new(false),));
    let (proceed, answered) = match contributes {
        true => (
            "Continues; with what was added, if anything was.",
            quote!(self.added.get()),
        ),
        false => ("Continues without an answer.", quote!(false)),
    };
    quote! {
        #[doc = #docs]
        #[derive(Debug)]
        pub struct Call {
            #added
            made_by_the_host: (),
        }

        #[doc = "What a handler returns. Only a [`Call`] makes one."]
        pub type Verdict = crate::points::Verdict<Call>;

        impl Call {
            #[inline]
            fn new() -> Self {
                Self {
                    #none_added
                    made_by_the_host: (),
                }
            }

            #facts

            #[doc = "Where in the agent's life the call happens."]
            #[inline]
            pub fn context(&self) -> crate::types::Context {
                crate::context::all()
            }

            #[doc = #proceed]
            #[inline]
            pub fn proceed(&self) -> Verdict {
                Verdict::new(#answered)
            }

            #answers
        }

        #[doc(hidden)]
        #[inline]
        pub fn serve(handler: impl FnOnce(&Call) -> crate::HookResult<Verdict>) -> bool {
            crate::points::finish(handler(&Call::new()))
        }
    }
}

/// Returns the functions that the module calls: in a component the imports, natively their fakes.
fn host(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let facts = snake(&format!("{}-facts", point.name));
    let answer = snake(&format!("{}-answer", point.name));
    let answers = point
        .answers
        .map(|_| quote!(pub(super) use super::bindings::portcullis::hooks::#answer as answers;));
    let fake_facts = facts::fakes(contract, point);
    let fake_answers = answers::fakes(contract, point);
    quote! {
        #[cfg(target_arch = "wasm32")]
        mod host {
            pub(super) use super::bindings::portcullis::hooks::#facts as facts;
            #answers
        }

        #[cfg(not(target_arch = "wasm32"))]
        mod host {
            pub(super) mod facts {
                use super::super::*;
                #fake_facts
            }

            pub(super) mod answers {
                #[allow(unused_imports)]
                use super::super::*;
                #fake_answers
            }
        }
    }
}

/// Returns the implementation of `testing::Point`.
fn testing(point: &Point<'_>) -> TokenStream {
    let (contribution, contributed) = match point.contribution_functions().next() {
        Some(_) => (quote!(Contribution), quote!(Outcome::Contribute(all))),
        None => (
            quote!(::core::convert::Infallible),
            quote!({
                drop(all);
                Outcome::Continue
            }),
        ),
    };
    quote! {
        #[cfg(not(target_arch = "wasm32"))]
        impl crate::testing::Point for Call {
            type Facts = Facts;
            type Outcome = Outcome;
            type Contribution = #contribution;

            fn new() -> Self {
                Self::new()
            }

            fn nothing() -> Outcome {
                Outcome::Continue
            }

            fn contributed(all: ::std::vec::Vec<Self::Contribution>) -> Outcome {
                #contributed
            }
        }
    }
}

/// Returns a name of the contract as Rust writes functions and fields.
fn snake(name: &str) -> Ident {
    let name = name.to_snake_case();
    syn::parse_str(&name).unwrap_or_else(|_| format_ident!("{name}_", span = Span::call_site()))
}

/// Returns a name of the contract as Rust writes types.
fn camel(name: &str) -> Ident {
    format_ident!("{}", heck::ToUpperCamelCase::to_upper_camel_case(name))
}
