//! The values that the arguments take.

use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, ExprArray, ExprLit, ExprPath, Ident, Lit, LitStr, Result, Type, TypePath};

use crate::nearest::hint;

/// The words for a choice, each with its variant in the contract.
pub type Choices = &'static [(&'static str, &'static str)];

/// The words for `failure`.
pub const FAILURES: Choices = &[("open", "FailOpen"), ("closed", "FailClosed")];

/// The words for `execution`.
pub const EXECUTIONS: Choices = &[
    ("blocking", "Blocking"),
    ("deadline", "Deadline"),
    ("fire_and_record", "FireAndRecord"),
    ("background", "Background"),
];

/// The expression after the `=`.
pub struct Value(Expr);

impl Parse for Value {
    fn parse(input: ParseStream) -> Result<Self> {
        input.parse().map(Self)
    }
}

impl Value {
    /// Returns a string that is not empty.
    pub fn text(self) -> Result<LitStr> {
        match self.0 {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) if text.value().trim().is_empty() => {
                Err(Error::new(text.span(), "this must not be empty"))
            }
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Ok(text),
            other => Err(Error::new_spanned(other, "expected a string in quotes")),
        }
    }

    /// Returns a hook's id.
    pub fn id(self) -> Result<LitStr> {
        let id = self.text()?;
        let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if id.value().chars().all(legal) {
            Ok(id)
        } else {
            Err(Error::new(
                id.span(),
                "an id is made of lower-case letters, digits and dashes",
            ))
        }
    }

    /// Returns a list of ids.
    pub fn ids(self) -> Result<Vec<LitStr>> {
        match self.0 {
            Expr::Array(ExprArray { elems, .. }) => {
                elems.into_iter().map(|id| Self(id).id()).collect()
            }
            other => Err(Error::new_spanned(
                other,
                "expected a list of ids, such as [\"path-jail\"]",
            )),
        }
    }

    /// Returns a priority.
    pub fn priority(self) -> Result<i32> {
        let text = match &self.0 {
            Expr::Lit(ExprLit {
                lit: Lit::Int(number),
                ..
            }) => number.base10_digits().to_owned(),
            Expr::Unary(minus) => match (&minus.op, minus.expr.as_ref()) {
                (
                    syn::UnOp::Neg(_),
                    Expr::Lit(ExprLit {
                        lit: Lit::Int(number),
                        ..
                    }),
                ) => {
                    format!("-{}", number.base10_digits())
                }
                _ => String::new(),
            },
            _ => String::new(),
        };
        text.parse().map_err(|_| {
            Error::new_spanned(
                self.0,
                format!("expected a whole number from {} to {}", i32::MIN, i32::MAX),
            )
        })
    }

    /// Returns a time of at least one millisecond.
    pub fn milliseconds(self) -> Result<u32> {
        if let Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        }) = &self.0
            && let Ok(time @ 1..) = number.base10_parse()
        {
            return Ok(time);
        }
        Err(Error::new_spanned(
            self.0,
            format!("expected a time in milliseconds, from 1 to {}", u32::MAX),
        ))
    }

    /// Returns the name of a type.
    pub fn type_name(self) -> Result<Type> {
        match self.0 {
            Expr::Path(path) => Ok(Type::Path(TypePath {
                qself: path.qself,
                path: path.path,
            })),
            other => Err(Error::new_spanned(
                other,
                "expected the type that the configuration is read as, such as Config",
            )),
        }
    }

    /// Returns the contract's variant for one of these words.
    pub fn one_of(self, choices: Choices) -> Result<Ident> {
        let words = choices.iter().map(|(word, _)| *word);
        let listed = words.clone().collect::<Vec<_>>().join(", ");
        let Expr::Path(ExprPath { path, .. }) = &self.0 else {
            return Err(Error::new_spanned(
                self.0,
                format!("expected one of: {listed}"),
            ));
        };
        let word = path.get_ident().map_or_else(String::new, Ident::to_string);
        match choices.iter().find(|(known, _)| *known == word) {
            Some((_, variant)) => Ok(Ident::new(variant, proc_macro2::Span::call_site())),
            None => Err(Error::new_spanned(
                path,
                format!("expected one of: {listed}{}", hint(&word, words)),
            )),
        }
    }
}
