//! The arguments of `#[hook(…)]`: the author's declaration of the hook.

mod value;

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Error, Ident, LitStr, Result, Token, Type};

use crate::nearest::hint;

const KEYS: &[&str] = &[
    "id",
    "description",
    "kind",
    "priority",
    "failure",
    "deadline_ms",
    "execution",
    "after",
    "config",
];

/// The declaration, checked.
pub struct Descriptor {
    /// The hook's id.
    pub id: LitStr,
    /// One sentence on what it does.
    pub description: LitStr,
    /// The sort of hook.
    pub kind: Option<LitStr>,
    /// The priority: low runs first.
    pub priority: Option<i32>,
    /// The variant of the contract's `failure-policy`.
    pub failure: Option<Ident>,
    /// The time limit of one call, in milliseconds.
    pub deadline_ms: Option<u32>,
    /// The variant of the contract's `execution-policy`.
    pub execution: Option<Ident>,
    /// The hooks that must run before it.
    pub after: Vec<LitStr>,
    /// The type of its configuration.
    pub config: Option<Type>,
}

impl Descriptor {
    /// Reads the attribute's arguments.
    pub fn parse(arguments: TokenStream) -> Result<Self> {
        let given = Punctuated::<Given, Token![,]>::parse_terminated.parse2(arguments)?;
        let mut draft = Draft::default();
        let mut seen: Vec<String> = Vec::new();
        for Given { key, value } in given {
            let name = key.to_string();
            if seen.contains(&name) {
                return Err(Error::new(key.span(), format!("`{name}` is given twice")));
            }
            draft.set(&key, value)?;
            seen.push(name);
        }
        draft.finish()
    }
}

/// One `key = value`, its value not yet read.
struct Given {
    key: Ident,
    value: value::Value,
}

impl Parse for Given {
    fn parse(input: ParseStream) -> Result<Self> {
        let key: Ident = input.parse()?;
        if !KEYS.contains(&key.to_string().as_str()) {
            return Err(unknown_key(&key));
        }
        input.parse::<Token![=]>()?;
        Ok(Self {
            key,
            value: input.parse()?,
        })
    }
}

fn unknown_key(key: &Ident) -> Error {
    let name = key.to_string();
    let message = format!(
        "`#[hook]` knows no `{name}`{}\nit takes: {}",
        hint(&name, KEYS),
        KEYS.join(", "),
    );
    Error::new(key.span(), message)
}

#[derive(Default)]
struct Draft {
    id: Option<LitStr>,
    description: Option<LitStr>,
    kind: Option<LitStr>,
    priority: Option<i32>,
    failure: Option<Ident>,
    deadline_ms: Option<u32>,
    execution: Option<Ident>,
    after: Vec<LitStr>,
    config: Option<Type>,
}

impl Draft {
    fn set(&mut self, key: &Ident, value: value::Value) -> Result<()> {
        match key.to_string().as_str() {
            "id" => self.id = Some(value.id()?),
            "description" => self.description = Some(value.text()?),
            "kind" => self.kind = Some(value.text()?),
            "priority" => self.priority = Some(value.priority()?),
            "failure" => self.failure = Some(value.one_of(value::FAILURES)?),
            "deadline_ms" => self.deadline_ms = Some(value.milliseconds()?),
            "execution" => self.execution = Some(value.one_of(value::EXECUTIONS)?),
            "after" => self.after = value.ids()?,
            "config" => self.config = Some(value.type_name()?),
            _ => return Err(unknown_key(key)),
        }
        Ok(())
    }

    fn finish(self) -> Result<Descriptor> {
        let id = self.id.ok_or_else(|| missing("id = \"my-hook\""))?;
        if let Some(own) = self.after.iter().find(|after| after.value() == id.value()) {
            return Err(Error::new(own.span(), "a hook cannot run after itself"));
        }
        Ok(Descriptor {
            id,
            description: self
                .description
                .ok_or_else(|| missing("description = \"what the hook does\""))?,
            kind: self.kind,
            priority: self.priority,
            failure: self.failure,
            deadline_ms: self.deadline_ms,
            execution: self.execution,
            after: self.after,
            config: self.config,
        })
    }
}

fn missing(example: &str) -> Error {
    Error::new(Span::call_site(), format!("`#[hook]` needs {example}"))
}

#[cfg(test)]
mod tests;
