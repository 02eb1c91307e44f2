//! The contract's types in TypeScript, for hooks and for agents alike.

use std::fmt::Write;

use wit_parser::{Docs, Type, TypeDefKind};

use super::Contract;

pub(super) const HEAD: &str =
    "// Written from wit/ by `cargo xtask contract`; do not change it here.\n";

/// The contract's types.
pub(super) struct Types<'a> {
    pub(super) contract: &'a Contract<'a>,
    /// The type of bytes.
    pub(super) bytes: &'static str,
}

impl Types<'_> {
    /// Returns a type where it is used: its name, if it has one.
    pub(super) fn reference(&self, ty: Type) -> String {
        let Contract { resolve, names, .. } = self.contract;
        match ty {
            Type::Bool => "boolean".into(),
            Type::String | Type::Char => "string".into(),
            Type::Id(id) => match &resolve.types[id] {
                def if def.name.is_some() => names.of(resolve, id),
                def => self.shape(&def.kind),
            },
            _ => "number".into(),
        }
    }

    /// Returns a type that is made of others.
    pub(super) fn shape(&self, kind: &TypeDefKind) -> String {
        match kind {
            TypeDefKind::List(Type::U8) => self.bytes.into(),
            TypeDefKind::List(ty) => format!("{}[]", self.reference(*ty)),
            TypeDefKind::Option(ty) => format!("{} | null", self.reference(*ty)),
            TypeDefKind::Tuple(tuple) => {
                let all = tuple.types.iter().map(|ty| self.reference(*ty));
                format!("[{}]", all.collect::<Vec<_>>().join(", "))
            }
            // A function returns the value and throws the error.
            TypeDefKind::Result(result) => result.ok.map_or("void".into(), |ty| self.reference(ty)),
            TypeDefKind::Type(ty) => self.reference(*ty),
            other => other.as_str().into(),
        }
    }
}

/// Writes a comment of the contract.
pub(super) fn comment(docs: &Docs, indent: &str, out: &mut String) {
    let Some(text) = &docs.contents else { return };
    let mut lines = text.trim().lines();
    let first = lines.next().unwrap_or_default();
    let rest: Vec<_> = lines.collect();
    if rest.is_empty() {
        let _ = writeln!(out, "{indent}/** {first} */");
        return;
    }
    let _ = writeln!(out, "{indent}/**\n{indent} * {first}");
    for line in rest {
        let _ = writeln!(out, "{}", format!("{indent} * {line}").trim_end());
    }
    let _ = writeln!(out, "{indent} */");
}
