//! The paths that a source file uses.

use std::iter::Peekable;

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, LexError, TokenStream, TokenTree};

type Tokens = Peekable<IntoIter>;

/// Returns the paths in a source file that begin with `crate`, `self` or `super`, from the crate's
/// root. `module` is the file's own module.
pub(crate) fn paths(source: &str, module: &[String]) -> Result<Vec<Vec<String>>, LexError> {
    let mut found = Vec::new();
    walk(source.parse()?, module, &mut found);
    Ok(found)
}

fn walk(tokens: TokenStream, module: &[String], found: &mut Vec<Vec<String>>) {
    let mut tokens = tokens.into_iter().peekable();
    let mut is_mod = false;
    let mut inner = None;
    let mut after_dollar = false;
    while let Some(token) = tokens.next() {
        let dollar = std::mem::take(&mut after_dollar);
        match token {
            TokenTree::Group(group) => {
                let inner: Option<String> = inner.take();
                let module: Vec<String> = module.iter().cloned().chain(inner).collect();
                walk(group.stream(), &module, found);
            }
            TokenTree::Ident(ident) => {
                let ident = ident.to_string();
                if std::mem::take(&mut is_mod) {
                    inner = Some(ident);
                    continue;
                }
                let base = match ident.as_str() {
                    "mod" => {
                        is_mod = true;
                        continue;
                    }
                    "crate" if !dollar => Vec::new(),
                    "self" => module.to_vec(),
                    "super" => parent(module),
                    _ => continue,
                };
                if separator(&mut tokens) {
                    tree(&mut tokens, base, found);
                }
            }
            TokenTree::Punct(punct) => {
                after_dollar = punct.as_char() == '$';
                // The end of `mod name;`.
                inner = None;
            }
            TokenTree::Literal(_) => {}
        }
    }
}

/// Collects the paths after `path::`: a name, a group of names, or a star.
fn tree(tokens: &mut Tokens, mut path: Vec<String>, found: &mut Vec<Vec<String>>) {
    match tokens.peek().cloned() {
        Some(TokenTree::Ident(ident)) => {
            tokens.next();
            match ident.to_string().as_str() {
                "super" => path = parent(&path),
                "self" => {}
                name => path.push(name.to_owned()),
            }
            if separator(tokens) {
                tree(tokens, path, found);
            } else {
                found.push(path);
            }
        }
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            tokens.next();
            let mut tokens = group.stream().into_iter().peekable();
            while tokens.peek().is_some() {
                tree(&mut tokens, path.clone(), found);
                while tokens.next().is_some_and(|token| !is_punct(&token, ',')) {}
            }
        }
        _ => found.push(path),
    }
}

fn parent(module: &[String]) -> Vec<String> {
    module
        .split_last()
        .map_or_else(Vec::new, |(_, parent)| parent.to_vec())
}

/// Takes `::`, if it is next.
fn separator(tokens: &mut Tokens) -> bool {
    if !tokens.peek().is_some_and(|token| is_punct(token, ':')) {
        return false;
    }
    let mut ahead = tokens.clone();
    ahead.next();
    if !ahead.next().is_some_and(|token| is_punct(&token, ':')) {
        return false;
    }
    *tokens = ahead;
    true
}

fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_wherever_they_are() {
        let source = "
            //! [`crate::comment`]
            use std::fs;
            use crate::a::{self, b::{C, D}, E};
            use super::f::G as H;
            pub(crate) fn i(j: &Self) -> Vec<crate::k::L> {
                let self::m::N = matches!(j, super::super::o::P);
                $crate::not_here::x();
                self.field.call();
            }
            mod tests {
                use super::*;
                use super::super::q::R;
            }
        ";
        let module = ["x".to_owned(), "y".to_owned()];
        let found = paths(source, &module).unwrap();
        let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
        let expected = [
            "a",
            "a::b::C",
            "a::b::D",
            "a::E",
            "x::f::G",
            "k::L",
            "x::y::m::N",
            "o::P",
            "x::y",
            "x::q::R",
        ];
        assert_eq!(found, expected);
    }
}
