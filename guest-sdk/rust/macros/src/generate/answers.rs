//! The methods of a `Call` that answer, and those that contribute.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;
use wit_parser::{Function, Param, Type, TypeDefKind};

use super::outcome::pattern;
use super::{snake, types};
use crate::contract::{Contract, Point, docs};

/// The Rust form of an answer's parameter.
enum Kind {
    /// A string.
    Text,
    /// A string that may be left out.
    OptionalText,
    /// A list of these.
    List(TokenStream),
    /// A record.
    Record(TokenStream),
    /// A variant, which other types convert into.
    Choice(TokenStream),
    /// A value that is copied.
    Plain(TokenStream),
}

/// A parameter.
struct Parameter<'a> {
    name: Ident,
    wit: &'a Param,
    kind: Kind,
}

impl<'a> Parameter<'a> {
    fn of(contract: &Contract, wit: &'a Param) -> Self {
        Self {
            name: snake(&wit.name),
            wit,
            kind: kind(contract, &wit.ty),
        }
    }

    /// Returns the parameter as a method declares it.
    fn declared(&self) -> TokenStream {
        let name = &self.name;
        match &self.kind {
            Kind::Text => quote!(#name: impl ::core::convert::AsRef<str>),
            Kind::OptionalText => quote!(#name: ::core::option::Option<&str>),
            Kind::List(of) => quote!(#name: impl ::core::convert::AsRef<[#of]>),
            Kind::Record(ty) | Kind::Plain(ty) => quote!(#name: #ty),
            Kind::Choice(ty) => quote!(#name: impl ::core::convert::Into<#ty>),
        }
    }

    /// Returns a method's argument as the import takes it.
    fn lent(&self) -> TokenStream {
        let name = &self.name;
        match &self.kind {
            Kind::Text | Kind::List(_) => quote!(#name.as_ref()),
            Kind::OptionalText | Kind::Plain(_) => quote!(#name),
            Kind::Record(_) => quote!(&#name),
            Kind::Choice(ty) => quote!(&::core::convert::Into::<#ty>::into(#name)),
        }
    }

    /// Returns an outcome's value as the import takes it.
    fn lent_by_outcome(&self) -> TokenStream {
        let name = &self.name;
        match &self.kind {
            Kind::OptionalText => quote!(#name.as_deref()),
            Kind::Plain(_) => quote!(#name),
            _ => quote!(&#name),
        }
    }

    /// Returns the parameter as the import declares it.
    fn imported(&self) -> TokenStream {
        let name = &self.name;
        match &self.kind {
            Kind::Text => quote!(#name: &str),
            Kind::OptionalText => quote!(#name: ::core::option::Option<&str>),
            Kind::List(of) => quote!(#name: &[#of]),
            Kind::Record(ty) | Kind::Choice(ty) => quote!(#name: &#ty),
            Kind::Plain(ty) => quote!(#name: #ty),
        }
    }

    /// Returns the import's argument as an outcome's value.
    fn kept(&self) -> TokenStream {
        let name = &self.name;
        match &self.kind {
            Kind::Text => quote!(let #name = #name.to_owned();),
            Kind::OptionalText => quote!(let #name = #name.map(str::to_owned);),
            Kind::List(_) => quote!(let #name = #name.to_vec();),
            Kind::Record(_) | Kind::Choice(_) => quote!(let #name = #name.clone();),
            Kind::Plain(_) => TokenStream::new(),
        }
    }
}

fn kind(contract: &Contract, ty: &Type) -> Kind {
    let resolve = contract.resolve();
    let owned = types::owned(contract, ty);
    let id = match ty {
        Type::String => return Kind::Text,
        Type::Id(id) => *id,
        _ => return Kind::Plain(owned),
    };
    match &resolve.types[id].kind {
        TypeDefKind::Option(Type::String) => Kind::OptionalText,
        TypeDefKind::List(of) => Kind::List(types::owned(contract, of)),
        TypeDefKind::Record(_) => Kind::Record(owned),
        TypeDefKind::Variant(_) => Kind::Choice(owned),
        TypeDefKind::Type(aliased) => kind(contract, aliased),
        _ => Kind::Plain(owned),
    }
}

/// Returns the methods.
pub fn methods(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let answers = point
        .answer_functions()
        .map(|function| answer(contract, function));
    let contributions = point
        .contribution_functions()
        .map(|(_, function)| contribution(contract, function));
    let give = give(contract, point);
    quote! {
        #(#answers)*
        #(#contributions)*
        #give
    }
}

fn parameters<'a>(contract: &Contract, function: &'a Function) -> Vec<Parameter<'a>> {
    let all = function.params.iter();
    all.map(|param| Parameter::of(contract, param)).collect()
}

fn answer(contract: &Contract, function: &Function) -> TokenStream {
    let docs = docs(&function.docs);
    let import = snake(&function.name);
    let parameters = parameters(contract, function);
    let method = |name: &Ident, docs: &str, declared: Vec<TokenStream>, given: Vec<TokenStream>| {
        quote! {
            #[doc = #docs]
            #[inline]
            pub fn #name(&self, #(#declared),*) -> Verdict {
                host::answers::#import(#(#given),*);
                Verdict::new(true)
            }
        }
    };
    let declared: Vec<_> = parameters.iter().map(Parameter::declared).collect();
    let given: Vec<_> = parameters.iter().map(Parameter::lent).collect();
    match parameters.as_slice() {
        // Most refusals and questions have no details.
        [rest @ .., details] if details.wit.name == "details" => {
            let name = &details.name;
            let with = format_ident!("{import}_with");
            let short = rest.len();
            let without = [&given[..short], &[quote!(None)]].concat();
            let mut declared_with = declared[..short].to_vec();
            declared_with.push(quote!(#name: impl ::core::convert::AsRef<str>));
            let mut given_with = given[..short].to_vec();
            given_with.push(quote!(Some(#name.as_ref())));
            let with_docs = format!("{docs}\n\nWith details.");
            let short = method(&import, docs, declared[..short].to_vec(), without);
            let long = method(&with, &with_docs, declared_with, given_with);
            quote!(#short #long)
        }
        _ => {
            let whole = method(&import, docs, declared, given);
            let text = text(&import, docs, &parameters);
            let json = json(&import, docs, &parameters, true);
            quote!(#whole #text #json)
        }
    }
}

/// Returns the method that takes a single text, if the answer is content or a tool's output.
fn text(import: &Ident, docs: &str, parameters: &[Parameter<'_>]) -> TokenStream {
    let names: Vec<_> = parameters.iter().map(|it| it.wit.name.as_str()).collect();
    let (declared, given) = match names.as_slice() {
        ["content"] => (
            quote!(text: impl ::core::convert::Into<::std::string::String>),
            quote!(&[crate::types::ContentPart::text(text)]),
        ),
        ["content", "is-error"] => (
            quote!(text: impl ::core::convert::AsRef<str>),
            quote!(text.as_ref(), false),
        ),
        _ => return TokenStream::new(),
    };
    let name = format_ident!("{import}_text");
    let docs = format!("{docs}\n\nThe content is this text alone.");
    quote! {
        #[doc = #docs]
        #[inline]
        pub fn #name(&self, #declared) -> Verdict {
            host::answers::#import(#given);
            Verdict::new(true)
        }
    }
}

/// Returns the method that takes a value for a parameter of JSON text, if there is one.
fn json(import: &Ident, docs: &str, parameters: &[Parameter<'_>], answers: bool) -> TokenStream {
    let Some((json, rest)) = parameters.split_last() else {
        return TokenStream::new();
    };
    let name = match json.wit.name.as_str() {
        "arguments" => format_ident!("{import}_arguments"),
        "data" | "input" | "rules" if matches!(json.kind, Kind::Text) => {
            format_ident!("{import}_json")
        }
        _ => return TokenStream::new(),
    };
    let what = &json.wit.name;
    let value = &json.name;
    let declared = rest.iter().map(Parameter::declared);
    let arguments = rest.iter().map(|parameter| &parameter.name);
    let docs = format!(
        "{docs}\n\n`{what}` is written as JSON.\n\n# Errors\n\nThe value cannot be written as JSON."
    );
    let result = match answers {
        true => quote!(Verdict),
        false => quote!(()),
    };
    quote! {
        #[doc = #docs]
        pub fn #name(&self, #(#declared,)* #value: &impl serde::Serialize) -> crate::HookResult<#result> {
            let #value = crate::points::json(#what, #value)?;
            Ok(self.#import(#(#arguments,)* #value))
        }
    }
}

fn contribution(contract: &Contract, function: &Function) -> TokenStream {
    let docs = docs(&function.docs);
    let name = snake(&function.name);
    let parameters = parameters(contract, function);
    let declared = parameters.iter().map(Parameter::declared);
    let given = parameters.iter().map(Parameter::lent);
    let json = json(&name, docs, &parameters, false);
    quote! {
        #[doc = #docs]
        #[inline]
        pub fn #name(&self, #(#declared),*) {
            host::answers::#name(#(#given),*);
            self.added.set(true);
        }
        #json
    }
}

fn give(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let arm = |function: &Function, name: &str| {
        let pattern = pattern(function, name);
        let import = snake(&function.name);
        let parameters = parameters(contract, function);
        let given: Vec<_> = parameters.iter().map(Parameter::lent_by_outcome).collect();
        quote!(#pattern => host::answers::#import(#(#given),*),)
    };
    let answers = point
        .answer_functions()
        .map(|function| arm(function, &function.name));
    let contributions: Vec<_> = point
        .contribution_functions()
        .map(|(name, function)| arm(function, name))
        .collect();
    let contribute = (!contributions.is_empty()).then(|| {
        quote! {
            Outcome::Contribute(all) => {
                for one in all {
                    self.added.set(true);
                    match one {
                        #(Contribution::#contributions)*
                    }
                }
                return self.proceed();
            }
        }
    });
    quote! {
        #[doc = "Answers with a value, such as one that was read from JSON. This links every answer of the point, so the hook's role follows from the strongest of them."]
        pub fn give(&self, outcome: Outcome) -> Verdict {
            match outcome {
                Outcome::Continue => return self.proceed(),
                #(Outcome::#answers)*
                #contribute
            }
            #[allow(unreachable_code)]
            Verdict::new(true)
        }
    }
}

/// Returns the native fakes of the imports, which keep the answer for the test.
pub fn fakes(contract: &Contract, point: &Point<'_>) -> TokenStream {
    let fake = |function: &Function, keep: TokenStream, case: TokenStream| {
        let name = snake(&function.name);
        let parameters = parameters(contract, function);
        let declared = parameters.iter().map(Parameter::imported);
        let kept = parameters.iter().map(Parameter::kept);
        quote! {
            pub fn #name(#(#declared),*) {
                #(#kept)*
                #keep(#case);
            }
        }
    };
    let answers = point.answer_functions().map(|function| {
        let case = pattern(function, &function.name);
        fake(
            function,
            quote!(crate::testing::answer),
            quote!(Outcome::#case),
        )
    });
    let contributions = point.contribution_functions().map(|(name, function)| {
        let case = pattern(function, name);
        let keep = quote!(crate::testing::contribute);
        fake(function, keep, quote!(Contribution::#case))
    });
    quote! {
        #(#answers)*
        #(#contributions)*
    }
}
