//! The contract in Python, as `componentize-py` has it: a record is a data class, a case of a
//! variant a class of its own, nothing is `None`. An outcome is one of the SDK's, with what the point
//! takes in it.

use std::fmt::Write;

use wit_parser::{Docs, Type, TypeDefKind, TypeId, Variant};

use super::Contract;
use super::names::{is_alias, pascal, snake};

const HEAD: &str = "# Written from wit/ by `cargo xtask contract`; do not change it here.\n";

const IMPORTS: &str = "
from dataclasses import dataclass
from enum import Enum

from portcullis.outcomes import (
    Answer,
    Ask,
    Continue,
    Contribute,
    KeepGoing,
    Reject,
    Replace,
    Stop,
    Transform,
)
";

/// All types of the contract.
pub(super) fn types(contract: &Contract<'_>) -> String {
    let mut out = format!("{HEAD}{IMPORTS}");
    for interface in &contract.own {
        for (_, id) in &interface.types {
            definition(contract, *id, &mut out);
        }
    }
    out
}

/// The names of the points.
pub(super) fn points(contract: &Contract<'_>) -> String {
    let mut out = format!("{HEAD}\nPOINTS = (\n");
    for point in &contract.points {
        let name = point.name.as_deref().unwrap_or_default();
        let _ = writeln!(out, "    \"{name}\",");
    }
    out += ")\n\n# Types whose names begin with their point's, by the names the bindings have.\nPREFIXED = {\n";
    for interface in &contract.own {
        for (name, id) in &interface.types {
            let flat = contract.names.of(contract.resolve, *id);
            if !is_alias(&contract.resolve.types[*id]) && flat != pascal(name) && name != "outcome"
            {
                let module = snake(interface.name.as_deref().unwrap_or_default());
                let _ = writeln!(out, "    \"{flat}\": (\"{module}\", \"{}\"),", pascal(name));
            }
        }
    }
    out += "}\n";
    out
}

fn definition(contract: &Contract<'_>, id: TypeId, out: &mut String) {
    let def = &contract.resolve.types[id];
    if is_alias(def) {
        return;
    }
    let name = contract.names.of(contract.resolve, id);
    match (&def.kind, def.name.as_deref()) {
        (TypeDefKind::Record(record), _) => {
            let _ = writeln!(out, "\n@dataclass\nclass {name}:");
            comment(&def.docs, out);
            for field in &record.fields {
                let _ = writeln!(
                    out,
                    "    {}: {}",
                    snake(&field.name),
                    reference(contract, field.ty)
                );
                comment(&field.docs, out);
            }
        }
        (TypeDefKind::Enum(_), Some("outcome")) => {
            let _ = writeln!(out, "\n{name} = Continue | None");
        }
        (TypeDefKind::Enum(list), _) => {
            let _ = writeln!(out, "\nclass {name}(Enum):");
            comment(&def.docs, out);
            for (number, case) in list.cases.iter().enumerate() {
                let _ = writeln!(out, "    {} = {number}", snake(&case.name).to_uppercase());
                comment(&case.docs, out);
            }
        }
        (TypeDefKind::Variant(variant), Some("outcome")) => {
            let _ = writeln!(out, "\n{name} = {} | None", outcomes(contract, variant));
        }
        (TypeDefKind::Variant(variant), Some("contribution")) => {
            let all: Vec<_> = variant
                .cases
                .iter()
                .filter_map(|case| Some(reference(contract, case.ty?)))
                .collect();
            let _ = writeln!(out, "\n{name} = {}", all.join(" | "));
        }
        (TypeDefKind::Variant(variant), _) => {
            for case in &variant.cases {
                let _ = writeln!(out, "\n@dataclass\nclass {name}_{}:", pascal(&case.name));
                comment(&case.docs, out);
                match case.ty {
                    Some(ty) => {
                        let _ = writeln!(out, "    value: {}", reference(contract, ty));
                    }
                    None if case.docs.contents.is_none() => out.push_str("    ...\n"),
                    None => {}
                }
            }
            let all: Vec<_> = variant
                .cases
                .iter()
                .map(|case| format!("{name}_{}", pascal(&case.name)))
                .collect();
            let _ = writeln!(out, "\n{name} = {}", all.join(" | "));
        }
        _ => {}
    }
}

/// The outcomes of a point: the SDK's classes, with what they carry here where that differs.
fn outcomes(contract: &Contract<'_>, variant: &Variant) -> String {
    let all: Vec<_> = variant
        .cases
        .iter()
        .map(|case| {
            let name = pascal(&case.name);
            match (case.name.as_str(), case.ty) {
                ("transform" | "replace" | "answer" | "contribute", Some(ty)) => {
                    format!("{name}[{}]", reference(contract, ty))
                }
                _ => name,
            }
        })
        .collect();
    all.join(" | ")
}

fn reference(contract: &Contract<'_>, ty: Type) -> String {
    match ty {
        Type::Bool => "bool".into(),
        Type::String | Type::Char => "str".into(),
        Type::F32 | Type::F64 => "float".into(),
        Type::Id(id) => match &contract.resolve.types[id] {
            def if def.name.is_some() => contract.names.of(contract.resolve, id),
            def => shape(contract, &def.kind),
        },
        _ => "int".into(),
    }
}

fn shape(contract: &Contract<'_>, kind: &TypeDefKind) -> String {
    match kind {
        TypeDefKind::List(Type::U8) => "bytes".into(),
        TypeDefKind::List(ty) => format!("list[{}]", reference(contract, *ty)),
        TypeDefKind::Option(ty) => format!("{} | None", reference(contract, *ty)),
        TypeDefKind::Tuple(tuple) => {
            let all: Vec<_> = tuple
                .types
                .iter()
                .map(|ty| reference(contract, *ty))
                .collect();
            format!("tuple[{}]", all.join(", "))
        }
        other => other.as_str().into(),
    }
}

fn comment(docs: &Docs, out: &mut String) {
    let Some(text) = &docs.contents else { return };
    let text = text.trim().replace('\n', "\n    ");
    let _ = writeln!(out, "    \"\"\"{text}\"\"\"");
}
