//! What the attribute turns into: the block as written, one `Guest` for each point, the card.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, FnArg, Ident, ItemImpl, Result, ReturnType, Type};

use crate::card::Card;
use crate::serve::{self, Served};

/// The whole expansion.
pub fn hook(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let card = Card::parse(arguments)?;
    let block: ItemImpl = syn::parse2(item)
        .map_err(|fault| Error::new(fault.span(), "`#[hook]` goes on an impl block"))?;
    let served = serve::points(&block)?;
    let hook = hook_name(&block.self_ty)?;
    let points = served.iter().map(|served| point(hook, served));
    let card = describe(hook, &card, &served);
    Ok(quote! {
        #block
        #(#points)*
        #card
    })
}

fn hook_name(hook: &Type) -> Result<&Ident> {
    match hook {
        Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
    .ok_or_else(|| Error::new_spanned(hook, "expected the name of a struct declared beside this"))
}

fn point(hook: &Ident, served: &Served<'_>) -> TokenStream {
    let method = &served.method.sig.ident;
    let module = quote!(::portcullis_sdk::points::#method);
    let arguments = served
        .method
        .sig
        .inputs
        .iter()
        .filter_map(|argument| match argument {
            FnArg::Typed(argument) => Some(&argument.ty),
            FnArg::Receiver(_) => None,
        });
    let names = [quote!(context), quote!(input)];
    let parameters = arguments.zip(&names).map(|(ty, name)| quote!(#name: #ty));
    // With this span rustc underlines the method's return type if it is the wrong one.
    let answer = match &served.method.sig.output {
        ReturnType::Type(_, answer) => answer.span(),
        ReturnType::Default => method.span(),
    };
    let answer = quote_spanned! {answer=>
        let answer: ::portcullis_sdk::HookResult<#module::Outcome> = <#hook>::#method(context, input);
    };
    let export = export(hook, &module, "handle");
    quote! {
        impl #module::Guest for #hook {
            fn handle(
                #(#parameters),*
            ) -> ::core::result::Result<#module::Outcome, ::portcullis_sdk::types::HookError> {
                #answer
                ::core::result::Result::map_err(answer, ::core::convert::Into::into)
            }
        }
        #export
    }
}

fn describe(hook: &Ident, card: &Card, served: &[Served<'_>]) -> TokenStream {
    let module = quote!(::portcullis_sdk::card);
    let Card {
        id,
        description,
        role,
        after,
        contributes,
        ..
    } = card;
    let kind = card
        .kind
        .as_ref()
        .map_or_else(|| quote!("hook"), |kind| quote!(#kind));
    let points = served.iter().map(|served| served.point);
    let priority = option(card.priority.map(|priority| quote!(#priority)));
    let failure = option(
        card.failure
            .as_ref()
            .map(|it| quote!(#module::FailurePolicy::#it)),
    );
    let deadline_ms = option(card.deadline_ms.map(|deadline| quote!(#deadline)));
    let execution = card
        .execution
        .as_ref()
        .map_or_else(|| quote!(Blocking), |it| quote!(#it));
    let export = export(hook, &module, "describe");
    quote! {
        impl #module::Guest for #hook {
            fn describe() -> #module::Descriptor {
                #module::Descriptor {
                    id: #id.into(),
                    version: ::core::env!("CARGO_PKG_VERSION").into(),
                    kind: #kind.into(),
                    description: #description.into(),
                    role: #module::HookRole::#role,
                    points: [#(#points),*].map(::core::convert::Into::into).into(),
                    priority: #priority,
                    failure: #failure,
                    deadline_ms: #deadline_ms,
                    execution: #module::ExecutionPolicy::#execution,
                    after: <[&str]>::iter(&[#(#after),*]).copied().map(::core::convert::Into::into).collect(),
                    contributes: ::std::vec![#(::portcullis_sdk::types::ContributionKind::#contributes),*],
                }
            }
        }
        #export
    }
}

/// Only a component has exports: a native linker would choke on their names. What is exported is
/// named all the same, or a native build would take the whole hook for dead code.
fn export(hook: &Ident, module: &TokenStream, function: &str) -> TokenStream {
    let function = Ident::new(function, Span::call_site());
    quote! {
        #[cfg(target_arch = "wasm32")]
        #module::bindings::export!(#hook with_types_in #module::bindings);
        const _: () = {
            let _ = <#hook as #module::Guest>::#function;
        };
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

#[cfg(test)]
mod tests;
