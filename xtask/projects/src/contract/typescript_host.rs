//! The contract for agents in TypeScript: a record is an object, a case of a variant is a string,
//! or an object of one key if it carries a value. Names are in camel case.

use std::fmt::Write;

use wit_parser::{TypeDefKind, TypeId};

use super::Contract;
use super::names::{camel, is_alias, pascal};
use super::points::{ContractPoint, Payload};
use super::typescript_types::{HEAD, Types, comment};

fn types<'a>(contract: &'a Contract<'a>) -> Types<'a> {
    Types {
        contract,
        bytes: "number[]",
    }
}

/// Returns all types of the contract, and the points with their inputs and payloads.
pub(super) fn contract(contract: &Contract<'_>) -> String {
    let mut out = HEAD.to_owned();
    for interface in &contract.own {
        for (_, id) in &interface.types {
            definition(contract, *id, &mut out);
        }
    }
    out += "\n/** A tool's output. */\nexport interface ToolOutput {\n  content: string;\n  isError: boolean;\n}\n";
    out += "\n/** The input of each point, and what hooks may change there. */\nexport interface Points {\n";
    for point in &contract.points {
        let facts = point.facts_record();
        let input = facts.map_or("object".into(), |ty| types(contract).reference(ty));
        let (name, payload) = (point.name, payload(point));
        comment(point.docs, "  ", &mut out);
        let _ = writeln!(
            out,
            "  \"{name}\": {{ input: {input}; payload: {payload} }};"
        );
    }
    out + "}\n"
}

/// Returns the value that hooks may change at a point.
fn payload(point: &ContractPoint<'_>) -> &'static str {
    match point.payload() {
        Payload::None => "unknown",
        Payload::Arguments => "string",
        Payload::ToolOutput => "ToolOutput",
        Payload::Content => "ContentPart[]",
        Payload::Messages => "Message[]",
        Payload::Fields => "Record<string, unknown>",
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
                let ty = types(contract).reference(field.ty);
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
                Some(ty) => format!(
                    "{{ {}: {} }}",
                    camel(&case.name),
                    types(contract).reference(ty)
                ),
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
                types(contract).shape(other)
            );
        }
    }
}
