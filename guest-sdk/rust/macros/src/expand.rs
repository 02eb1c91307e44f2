//! The expansion of the attribute: the block, one `Guest` for each point, the descriptor.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Ident, ImplItem, ItemImpl, Path, Result, ReturnType, Type, parse_quote};

use crate::descriptor::Descriptor;
use crate::points;
use crate::serve::{self, Served};

/// Returns the whole expansion.
pub fn hook(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let descriptor = Descriptor::parse(arguments)?;
    let block: ItemImpl = syn::parse2(item)
        .map_err(|fault| Error::new(fault.span(), "`#[hook]` belongs on an impl block"))?;
    let served = serve::points(&block)?;
    let hook = hook_name(&block.self_ty)?;
    let points = served.iter().map(|served| point(hook, served));
    let config = descriptor.config.as_ref();
    let config = config.map(|config| configuration(hook, config));
    let descriptor = describe(hook, &descriptor, &served);
    let block = inlined(block.clone());
    Ok(quote! {
        #block
        #(#points)*
        #descriptor
        #config
    })
}

/// Returns a call of the macro, with the names of all points.
pub fn every_point(called: &Path) -> TokenStream {
    let names = points::methods().map(|name| Ident::new(&name, Span::call_site()));
    quote!(#called! { #(#names)* })
}

/// Returns the block, with its methods inlined into the exports of a component. Each has one caller there, and a result
/// that a method never returns is then not linked: without an `Err` there is no import of `failure`.
fn inlined(mut block: ItemImpl) -> ItemImpl {
    for item in &mut block.items {
        if let ImplItem::Fn(method) = item {
            method
                .attrs
                .push(parse_quote!(#[cfg_attr(target_arch = "wasm32", inline(always))]));
        }
    }
    block
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
    let guest = quote!(#module::bindings::exports::portcullis::hooks::#method::Guest);
    // With these spans, rustc underlines a wrong argument or return type in the method.
    let signature = &served.method.sig;
    let argument = located_at(signature.inputs.span());
    let argument = quote_spanned!(argument=> call);
    let answer = located_at(match &signature.output {
        ReturnType::Type(_, answer) => answer.span(),
        ReturnType::Default => method.span(),
    });
    let answer = quote_spanned! {answer=>
        let answer: ::portcullis_sdk::HookResult<#module::Verdict> = <#hook>::#method(#argument);
    };
    let export = export(hook, &quote!(#module::bindings), &guest, "handle");
    quote! {
        impl #guest for #hook {
            #[inline]
            fn handle() -> bool {
                #module::serve(|call: &#module::Call| {
                    #answer
                    answer
                })
            }
        }
        #export
    }
}

/// Returns the place with this macro's hygiene, even if a macro of the author's wrote the place.
fn located_at(place: Span) -> Span {
    Span::call_site().located_at(place)
}

fn describe(hook: &Ident, descriptor: &Descriptor, served: &[Served<'_>]) -> TokenStream {
    let module = quote!(::portcullis_sdk::descriptor);
    let Descriptor {
        id,
        description,
        after,
        ..
    } = descriptor;
    let kind = descriptor
        .kind
        .as_ref()
        .map_or_else(|| quote!("hook"), |kind| quote!(#kind));
    let points = served.iter().map(|served| served.point);
    let priority = option(descriptor.priority.map(|priority| quote!(#priority)));
    let failure = option(
        descriptor
            .failure
            .as_ref()
            .map(|it| quote!(#module::FailurePolicy::#it)),
    );
    let deadline_ms = option(descriptor.deadline_ms.map(|deadline| quote!(#deadline)));
    let execution = descriptor
        .execution
        .as_ref()
        .map_or_else(|| quote!(Blocking), |it| quote!(#it));
    let guest = quote!(#module::Guest);
    let export = export(hook, &quote!(#module::bindings), &guest, "describe");
    quote! {
        impl #module::Guest for #hook {
            fn describe() -> #module::Descriptor {
                #module::Descriptor {
                    id: #id.into(),
                    version: ::core::env!("CARGO_PKG_VERSION").into(),
                    kind: #kind.into(),
                    description: #description.into(),
                    points: [#(#points),*].map(::core::convert::Into::into).into(),
                    priority: #priority,
                    failure: #failure,
                    deadline_ms: #deadline_ms,
                    execution: #module::ExecutionPolicy::#execution,
                    after: <[&str]>::iter(&[#(#after),*]).copied().map(::core::convert::Into::into).collect(),
                }
            }
        }
        #export
    }
}

/// Returns the export of the configuration's schema.
fn configuration(hook: &Ident, config: &Type) -> TokenStream {
    let module = quote!(::portcullis_sdk::descriptor::configuration);
    let guest = quote!(#module::Guest);
    // With this span, rustc underlines the type if it has no schema.
    let schema = quote_spanned!(config.span()=> ::portcullis_sdk::config::schema::<#config>());
    quote! {
        impl #guest for #hook {
            fn schema() -> ::std::string::String {
                #schema
            }
        }
        #[cfg(target_arch = "wasm32")]
        #module::bindings::export_configuration!(#hook with_types_in #module::bindings);
    }
}

/// Returns the export of a function, for a component alone: native linkers reject such names. A native
/// build names the function instead, so that the hook is not dead code.
fn export(
    hook: &Ident,
    bindings: &TokenStream,
    guest: &TokenStream,
    function: &str,
) -> TokenStream {
    let function = Ident::new(function, Span::call_site());
    quote! {
        #[cfg(target_arch = "wasm32")]
        #bindings::export!(#hook with_types_in #bindings);
        const _: () = {
            let _ = <#hook as #guest>::#function;
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
