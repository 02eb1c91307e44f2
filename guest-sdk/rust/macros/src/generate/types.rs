//! The contract's types in Rust.

use proc_macro2::TokenStream;
use quote::quote;
use wit_parser::{Interface, Resolve, Type, TypeDefKind, TypeId, TypeOwner};

use super::{camel, snake};
use crate::contract::{Contract, Point};

/// Makes the types that the point's interfaces define public in its module.
pub fn own(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let interfaces = [Some(point.facts), point.answers].into_iter().flatten();
    interfaces
        .map(|interface| {
            let module = snake(interface.name.as_deref().unwrap_or_default());
            let names: Vec<_> = contract
                .types(interface)
                .map(|(name, _)| camel(name))
                .collect();
            match names.is_empty() {
                true => TokenStream::new(),
                false => quote! {
                    pub use bindings::portcullis::hooks::#module::{#(#names),*};
                },
            }
        })
        .collect()
}

/// Returns the type of an owned value.
pub fn owned(contract: &Contract, ty: &Type) -> TokenStream {
    let resolve = contract.resolve();
    match ty {
        Type::Bool => quote!(bool),
        Type::U8 => quote!(u8),
        Type::U16 => quote!(u16),
        Type::U32 => quote!(u32),
        Type::U64 => quote!(u64),
        Type::S8 => quote!(i8),
        Type::S16 => quote!(i16),
        Type::S32 => quote!(i32),
        Type::S64 => quote!(i64),
        Type::F32 => quote!(f32),
        Type::F64 => quote!(f64),
        Type::Char => quote!(char),
        Type::String => quote!(::std::string::String),
        Type::Id(id) => match &resolve.types[*id].kind {
            TypeDefKind::Option(inner) => {
                let inner = owned(contract, inner);
                quote!(::core::option::Option<#inner>)
            }
            TypeDefKind::List(inner) => {
                let inner = owned(contract, inner);
                quote!(::std::vec::Vec<#inner>)
            }
            TypeDefKind::Tuple(tuple) => {
                let inner = tuple.types.iter().map(|ty| owned(contract, ty));
                quote!((#(#inner),*))
            }
            TypeDefKind::Type(aliased) => owned(contract, aliased),
            _ => named(resolve, *id),
        },
        Type::ErrorContext => unsupported("error-context"),
    }
}

/// Returns the name of a type, if it has one.
pub fn name<'a>(contract: &'a Contract, ty: &Type) -> Option<&'a str> {
    let resolve = contract.resolve();
    match ty {
        Type::Id(id) => match &resolve.types[*id].kind {
            TypeDefKind::Type(aliased) => name(contract, aliased),
            _ => resolve.types[*id].name.as_deref(),
        },
        _ => None,
    }
}

fn named(resolve: &Resolve, id: TypeId) -> TokenStream {
    let ty = &resolve.types[id];
    let (Some(name), TypeOwner::Interface(owner)) = (&ty.name, ty.owner) else {
        return unsupported("a type without a name");
    };
    let name = camel(name);
    match is_shared(&resolve.interfaces[owner]) {
        true => quote!(crate::types::#name),
        false => quote!(#name),
    }
}

fn is_shared(owner: &Interface) -> bool {
    owner.name.as_deref() == Some("types")
}

fn unsupported(what: &str) -> TokenStream {
    let message = format!("the SDK cannot write {what}");
    quote!(::core::compile_error!(#message))
}
