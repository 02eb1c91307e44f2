//! The calls of wit-bindgen, which makes the imports and the exports.

use proc_macro2::TokenStream;
use quote::quote;
use wit_parser::{Interface, Type, TypeDefKind};

use crate::contract::{Contract, Point};

/// Returns the bindings of everything but the points.
pub fn capabilities(contract: &Contract) -> TokenStream {
    let [capabilities, call, failure] =
        ["capabilities", "call", "failure"].map(|name| contract.full_name(name));
    let world = format!(
        "package portcullis:sdk;
        world imports {{ include {capabilities}; import {call}; import {failure}; }}"
    );
    let interfaces = contract
        .imports("capabilities")
        .chain(contract.interface("types"));
    let attributes = attributes(contract, interfaces);
    quote! {
        wit_bindgen::generate!({
            path: "wit",
            inline: #world,
            world: "portcullis:sdk/imports",
            generate_all,
            generate_unused_types: true,
            additional_derives: [PartialEq],
            #attributes
        });
    }
}

/// Returns the bindings of a point.
pub fn point(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let world = format!("on-{}", point.name);
    let [types, call, failure] = ["types", "call", "failure"].map(|name| contract.full_name(name));
    let interfaces = [Some(point.facts), point.answers].into_iter().flatten();
    let attributes = attributes(contract, interfaces);
    quote! {
        wit_bindgen::generate!({
            path: "wit",
            world: #world,
            pub_export_macro: true,
            generate_unused_types: true,
            additional_derives: [PartialEq],
            #attributes
            with: {
                #types: crate::types,
                #call: crate::bindings::portcullis::hooks::call,
                #failure: crate::bindings::portcullis::hooks::failure,
            },
        });
    }
}

/// Returns wit-bindgen's options for more attributes of the types of these interfaces: a JSON form with the contract's
/// names, and a default for types that have a plain one.
fn attributes<'a>(
    contract: &'a Contract,
    interfaces: impl Iterator<Item = &'a Interface>,
) -> TokenStream {
    let mut types = TokenStream::new();
    let mut members = TokenStream::new();
    for interface in interfaces {
        let interface_name = contract.full_name(interface.name.as_deref().unwrap_or_default());
        for (name, id) in contract.types(interface) {
            let ty = format!("{interface_name}/{name}");
            let serde = json_form();
            let default = has_default(contract, &Type::Id(id)).then(|| quote!(#[derive(Default)]));
            types.extend(quote!(#ty: [#default #serde],));
            if let Some(case) = first_bare_case(&contract.resolve().types[id].kind) {
                let case = format!("{ty}.{case}");
                members.extend(quote!(#case: [#[default]],));
            }
        }
    }
    quote! {
        additional_type_attributes: { #types },
        additional_member_attributes: { #members },
    }
}

/// Returns the attribute that gives a type its JSON form.
pub fn json_form() -> TokenStream {
    quote! {
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(rename_all = "kebab-case")
        )]
    }
}

fn has_default(contract: &Contract, ty: &Type) -> bool {
    let Type::Id(id) = ty else { return true };
    match &contract.resolve().types[*id].kind {
        TypeDefKind::Option(_) | TypeDefKind::List(_) => true,
        TypeDefKind::Type(aliased) => has_default(contract, aliased),
        TypeDefKind::Record(record) => {
            let mut fields = record.fields.iter();
            fields.all(|field| has_default(contract, &field.ty))
        }
        choice => first_bare_case(choice).is_some(),
    }
}

/// Returns the first case of a choice, if it has no value: the choice's default.
fn first_bare_case(kind: &TypeDefKind) -> Option<&str> {
    match kind {
        TypeDefKind::Enum(choice) => choice.cases.first().map(|case| case.name.as_str()),
        TypeDefKind::Variant(choice) => {
            let first = choice.cases.first().filter(|case| case.ty.is_none());
            first.map(|case| case.name.as_str())
        }
        _ => None,
    }
}
