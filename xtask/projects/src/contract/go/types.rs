//! The contract's types.

use std::collections::BTreeSet;
use std::fmt::Write;

use wit_parser::{Case, Docs, Type, TypeDefKind, TypeId};

use super::names::{exported, of_pascal};
use super::{HEAD, kind};
use crate::contract::Contract;
use crate::contract::names::is_alias;

/// Returns the package of all types.
pub(super) fn definitions(contract: &Contract<'_>) -> String {
    let mut out = format!(
        "{HEAD}\n// Package contract has the types of the contract between hooks and host.\npackage contract\n\n\
         import \"fmt\"\n"
    );
    let errors = errors(contract);
    for id in all(contract) {
        definition(contract, id, errors.contains(&name(contract, id)), &mut out);
    }
    out
}

/// Returns the types that the contract's own interfaces and the SDK's WASI interfaces define.
pub(super) fn all(contract: &Contract<'_>) -> Vec<TypeId> {
    let imported = super::packages(contract)
        .into_iter()
        .map(|package| package.interface);
    let mut seen = BTreeSet::new();
    let own = contract.own.iter().copied().chain(imported);
    own.flat_map(|interface| interface.types.values().copied())
        .filter(|id| !is_alias(&contract.resolve.types[*id]) && seen.insert(*id))
        .collect()
}

/// Returns the names of the types that functions return as their errors.
fn errors(contract: &Contract<'_>) -> BTreeSet<String> {
    let packages = super::packages(contract).into_iter();
    let functions = packages.flat_map(|package| package.interface.functions.values());
    functions
        .filter_map(
            |function| match super::Returns::of(contract, function).error?? {
                Type::Id(id) => Some(name(contract, id)),
                _ => None,
            },
        )
        .collect()
}

/// Returns a type's name.
pub(super) fn name(contract: &Contract<'_>, id: TypeId) -> String {
    match of_pascal(&contract.names.of(contract.resolve, id)).as_str() {
        // WASI's names are short, since each is in an interface of its own.
        "Error" => "ConfigError".to_owned(),
        "Level" => "LogLevel".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns a type as Go writes it. `from` precedes the names of the contract's types.
pub(super) fn go(contract: &Contract<'_>, ty: Type, from: &str) -> String {
    match ty {
        Type::Bool => "bool".into(),
        Type::String => "string".into(),
        Type::U8 => "uint8".into(),
        Type::U16 => "uint16".into(),
        Type::U32 => "uint32".into(),
        Type::U64 => "uint64".into(),
        Type::S8 => "int8".into(),
        Type::S16 => "int16".into(),
        Type::S32 => "int32".into(),
        Type::S64 => "int64".into(),
        Type::F32 => "float32".into(),
        Type::F64 => "float64".into(),
        Type::Char => "rune".into(),
        Type::ErrorContext => panic!("the contract has no error contexts"),
        Type::Id(id) => match &contract.resolve.types[id].kind {
            TypeDefKind::Type(of) => go(contract, *of, from),
            TypeDefKind::List(Type::U8) => "[]byte".into(),
            TypeDefKind::List(of) => format!("[]{}", go(contract, *of, from)),
            TypeDefKind::Option(of) => {
                format!("{}{}", pointer(contract, *of), go(contract, *of, from))
            }
            TypeDefKind::Tuple(tuple) => match tuple.types.as_slice() {
                [first, rest @ ..] if rest.iter().all(|ty| ty == first) => {
                    format!("[{}]{}", tuple.types.len(), go(contract, *first, from))
                }
                _ => panic!("only a case may hold a tuple of different types"),
            },
            _ => format!("{from}{}", name(contract, id)),
        },
    }
}

/// Returns the prefix that makes a type optional. It is empty for a variant, which is an interface
/// and may be nil, and for a slice.
pub(super) fn pointer(contract: &Contract<'_>, ty: Type) -> &'static str {
    match kind(contract, ty) {
        Some(TypeDefKind::Variant(_) | TypeDefKind::List(_)) => "",
        _ => "*",
    }
}

/// Returns the names and types of the fields of a case that is a struct, since it holds several
/// values or a variant.
pub(super) fn fields(contract: &Contract<'_>, case: &Case) -> Option<Vec<(String, Type)>> {
    let ty = case.ty?;
    let types = match kind(contract, ty) {
        Some(TypeDefKind::Tuple(tuple)) => tuple.types.clone(),
        Some(TypeDefKind::Variant(_)) => vec![ty],
        _ => return None,
    };
    let name = |ty: &Type| match ty {
        Type::Id(_) => go(contract, *ty, ""),
        _ => "Index".to_owned(),
    };
    Some(types.iter().map(|ty| (name(ty), *ty)).collect())
}

fn definition(contract: &Contract<'_>, id: TypeId, is_error: bool, out: &mut String) {
    let def = &contract.resolve.types[id];
    let name = name(contract, id);
    match &def.kind {
        TypeDefKind::Record(record) => {
            out.push('\n');
            docs(&name, &def.docs, "", out);
            let _ = writeln!(out, "type {name} struct {{");
            for field in &record.fields {
                docs("", &field.docs, "\t", out);
                let ty = go(contract, field.ty, "");
                let _ = writeln!(out, "\t{} {ty}", exported(&field.name));
            }
            out.push_str("}\n");
        }
        TypeDefKind::Enum(list) => {
            out.push('\n');
            docs(&name, &def.docs, "", out);
            let _ = writeln!(
                out,
                "type {name} uint8\n\n// The values of {name}.\nconst ("
            );
            for (number, case) in list.cases.iter().enumerate() {
                docs("", &case.docs, "\t", out);
                let _ = writeln!(out, "\t{name}{} {name} = {number}", exported(&case.name));
            }
            let names: Vec<_> = list
                .cases
                .iter()
                .map(|case| format!("\"{}\"", case.name))
                .collect();
            let _ = writeln!(
                out,
                ")\n\n// String is the name in the contract.\nfunc (v {name}) String() string {{\n\
                 \tnames := [...]string{{{}}}\n\tif int(v) >= len(names) {{\n\t\treturn \"unknown\"\n\t}}\n\
                 \treturn names[v]\n}}",
                names.join(", ")
            );
        }
        TypeDefKind::Variant(variant) => {
            out.push('\n');
            docs(&name, &def.docs, "", out);
            let also = if is_error { "\terror\n" } else { "" };
            let _ = writeln!(out, "type {name} interface {{\n{also}\tis{name}()\n}}");
            for case in &variant.cases {
                self::case(contract, &name, case, is_error, out);
            }
        }
        _ => {}
    }
}

fn case(contract: &Contract<'_>, of: &str, case: &Case, is_error: bool, out: &mut String) {
    let name = format!("{of}{}", exported(&case.name));
    out.push('\n');
    docs(&name, &case.docs, "", out);
    let holds = match (case.ty, fields(contract, case)) {
        (None, _) => "struct{}".to_owned(),
        (Some(_), Some(fields)) => {
            let width = fields
                .iter()
                .map(|(name, _)| name.len())
                .max()
                .unwrap_or_default();
            let fields: String = fields
                .into_iter()
                .map(|(name, ty)| format!("\t{name:width$} {}\n", go(contract, ty, "")))
                .collect();
            format!("struct {{\n{fields}}}")
        }
        (Some(ty), None) => go(contract, ty, ""),
    };
    let _ = writeln!(out, "type {name} {holds}\n\nfunc ({name}) is{of}() {{}}");
    if !is_error {
        return;
    }
    let words = case.name.replace('-', " ");
    let text = match case.ty {
        None => format!("return \"{words}\""),
        Some(Type::String) => format!("return \"{words}: \" + string(e)"),
        Some(_) => format!("return fmt.Sprint(\"{words}: \", {}(e))", holds),
    };
    let receiver = if case.ty.is_some() { "e " } else { "" };
    let _ = writeln!(
        out,
        "\n// Error is the message.\nfunc ({receiver}{name}) Error() string {{\n\t{text}\n}}"
    );
}

/// Writes docs as a comment that begins with the name of the documented item.
pub(super) fn docs(name: &str, docs: &Docs, indent: &str, out: &mut String) {
    let text = docs.contents.as_deref().unwrap_or_default().trim();
    let text = match (name, text) {
        ("", "") => return,
        ("", text) => text.to_owned(),
        (name, "") => format!("{name} is of the contract."),
        (name, text) => format!("{name}: {text}"),
    };
    for line in text.lines() {
        let _ = writeln!(out, "{}", format!("{indent}// {line}").trim_end());
    }
}
