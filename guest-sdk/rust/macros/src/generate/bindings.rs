//! The calls of wit-bindgen, which makes the imports and the exports.

use proc_macro2::TokenStream;
use quote::quote;
use wit_parser::{Interface, Type, TypeDefKind, TypeId};

use crate::contract::{Contract, Point};

/// The bindings of everything but the points.
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
            path: "../../wit",
            inline: #world,
            world: "portcullis:sdk/imports",
            generate_all,
            generate_unused_types: true,
            additional_derives: [PartialEq],
            additional_type_attributes: { #attributes },
        });
    }
}

/// The bindings of a point.
pub fn point(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let world = format!("on-{}", point.name);
    let [types, call, failure] = ["types", "call", "failure"].map(|name| contract.full_name(name));
    let interfaces = [Some(point.facts), point.answers].into_iter().flatten();
    let attributes = attributes(contract, interfaces);
    quote! {
        wit_bindgen::generate!({
            path: "../../wit",
            world: #world,
            pub_export_macro: true,
            generate_unused_types: true,
            additional_derives: [PartialEq],
            additional_type_attributes: { #attributes },
            with: {
                #types: crate::types,
                #call: crate::bindings::portcullis::hooks::call,
                #failure: crate::bindings::portcullis::hooks::failure,
            },
        });
    }
}

/// What the types of these interfaces have beside what wit-bindgen gives them: a JSON form with the contract's names,
/// and a default where every field has one.
fn attributes<'a>(
    contract: &'a Contract,
    interfaces: impl Iterator<Item = &'a Interface>,
) -> TokenStream {
    interfaces
        .flat_map(|interface| contract.types(interface).map(move |ty| (interface, ty)))
        .map(|(interface, (name, id))| {
            let interface = contract.full_name(interface.name.as_deref().unwrap_or_default());
            let ty = format!("{interface}/{name}");
            let default = is_record(contract, id) && has_default(contract, &Type::Id(id));
            let default = default.then(|| quote!(#[derive(Default)]));
            let serde = json_form();
            quote!(#ty: [#default #serde],)
        })
        .collect()
}

/// The attribute that gives a type its JSON form.
pub fn json_form() -> TokenStream {
    quote! {
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(rename_all = "kebab-case")
        )]
    }
}

fn is_record(contract: &Contract, id: TypeId) -> bool {
    matches!(contract.resolve().types[id].kind, TypeDefKind::Record(_))
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
        _ => false,
    }
}
