//! The contract for agents in TypeScript: a record is an object, a case of a variant is a string, or an
//! object of one key if it carries something. Names are in camel case.

use std::fmt::Write;

use wit_parser::{Docs, Interface, Type, TypeDefKind, TypeId};

use super::names::{camel, is_alias, pascal};
use super::{ANSWER, Contract, FACTS};

/// All types of the contract, and the points with their inputs and payloads.
pub(super) fn types(contract: &Contract<'_>) -> String {
    let mut out =
        "// Written from wit/ by `cargo xtask contract`; do not change it here.\n".to_owned();
    for interface in &contract.own {
        for (_, id) in &interface.types {
            definition(contract, *id, &mut out);
        }
    }
    out += "\n/** A tool's output. */\nexport interface ToolOutput {\n  content: string;\n  isError: boolean;\n}\n";
    out += "\n/** The input of each point, and what hooks may change there. */\nexport interface Points {\n";
    for point in &contract.points {
        let name = point.name.as_deref().unwrap_or_default();
        let facts = interface(contract, name, FACTS);
        let facts = facts.and_then(|facts| facts.functions.get("facts")?.result);
        let input = facts.map_or("object".into(), |ty| reference(contract, ty));
        let payload = payload(interface(contract, name, ANSWER));
        comment(&point.docs, "  ", &mut out);
        let _ = writeln!(
            out,
            "  \"{name}\": {{ input: {input}; payload: {payload} }};"
        );
    }
    out + "}\n"
}

fn interface<'a>(contract: &Contract<'a>, point: &str, end: &str) -> Option<&'a Interface> {
    let belongs = |name: &str| name.strip_suffix(end) == Some(point);
    let mut own = contract.own.iter().copied();
    own.find(|interface| interface.name.as_deref().is_some_and(belongs))
}

/// What hooks may change at a point: the name of the first parameter of its `transform` says what it is.
fn payload(answers: Option<&Interface>) -> &'static str {
    let transform = answers.and_then(|answers| answers.functions.get("transform"));
    let Some(transform) = transform else {
        return "unknown";
    };
    let names: Vec<_> = transform.params.iter().map(|param| &*param.name).collect();
    match names.as_slice() {
        ["arguments"] => "string",
        ["content", "is-error"] => "ToolOutput",
        ["content" | "text" | "task"] => "ContentPart[]",
        ["edits"] => "Message[]",
        _ => "Record<string, unknown>",
    }
}

fn definition(contract: &Contract<'_>, id: TypeId, out: &mut String) {
    let def = &contract.resolve.types[id];
    if is_alias(def) {
        return;
    }
    let name = contract.names.of(contract.resolve, id);
    out.push('\n');
    comment(&def.docs, "", out);
    match &def.kind {
        TypeDefKind::Record(record) => {
            let _ = writeln!(out, "export interface {name} {{");
            for field in &record.fields {
                comment(&field.docs, "  ", out);
                let ty = reference(contract, field.ty);
                let mark = if ty.ends_with(" | null") { "?" } else { "" };
                let _ = writeln!(out, "  {}{mark}: {ty};", camel(&field.name));
            }
            out.push_str("}\n");
        }
        TypeDefKind::Enum(list) => {
            let cases: Vec<_> = list
                .cases
                .iter()
                .map(|case| format!("\"{}\"", case.name))
                .collect();
            let _ = writeln!(out, "export type {name} = {};", cases.join(" | "));
        }
        TypeDefKind::Variant(variant) => {
            let cases = variant.cases.iter().map(|case| match case.ty {
                Some(ty) => format!("{{ {}: {} }}", camel(&case.name), reference(contract, ty)),
                None => format!("\"{}\"", case.name),
            });
            let cases: Vec<_> = cases.collect();
            let _ = writeln!(out, "export type {name} =\n  | {};", cases.join("\n  | "));
        }
        other => {
            let _ = writeln!(
                out,
                "export type {} = {};",
                pascal(&name),
                shape(contract, other)
            );
        }
    }
}

fn reference(contract: &Contract<'_>, ty: Type) -> String {
    match ty {
        Type::Bool => "boolean".into(),
        Type::String | Type::Char => "string".into(),
        Type::Id(id) => match &contract.resolve.types[id] {
            def if def.name.is_some() => contract.names.of(contract.resolve, id),
            def => shape(contract, &def.kind),
        },
        _ => "number".into(),
    }
}

fn shape(contract: &Contract<'_>, kind: &TypeDefKind) -> String {
    match kind {
        TypeDefKind::List(ty) => format!("{}[]", reference(contract, *ty)),
        TypeDefKind::Option(ty) => format!("{} | null", reference(contract, *ty)),
        TypeDefKind::Tuple(tuple) => {
            let all = tuple.types.iter().map(|ty| reference(contract, *ty));
            format!("[{}]", all.collect::<Vec<_>>().join(", "))
        }
        other => other.as_str().into(),
    }
}

fn comment(docs: &Docs, indent: &str, out: &mut String) {
    if let Some(text) = &docs.contents {
        let text = text.trim().replace('\n', " ");
        let _ = writeln!(out, "{indent}/** {text} */");
    }
}
