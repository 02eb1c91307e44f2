//! The contract for agents in Python: a record is a `TypedDict`, a case of a variant is a string,
//! or a `TypedDict` of one key if it carries a value. Names have `_` for `-`.

use std::fmt::Write;

use wit_parser::{Docs, Type, TypeDefKind, TypeId};

use super::Contract;
use super::names::{is_alias, pascal, snake};
use super::points::{ContractPoint, Payload};
use super::python::HEAD;

/// Returns the types of a caller's inputs and results at the points.
pub(super) fn types(contract: &Contract<'_>) -> String {
    let mut out = format!(
        "{HEAD}\
         \"\"\"The contract's types, as plain dictionaries, lists and strings.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from typing import Literal, NotRequired, TypeAlias, TypedDict, final\n"
    );
    for interface in &contract.own {
        for (_, id) in &interface.types {
            definition(contract, *id, &mut out);
        }
    }
    out
}

/// Returns the points, each with the types of its input and of the value that hooks may change.
pub(super) fn points(contract: &Contract<'_>) -> String {
    let mut out = format!(
        "{HEAD}\
         \"\"\"The lifecycle points, each with its input and its payload.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from typing import Any, Literal, Mapping, overload\n\n\
         from portcullis_host import contract\n\
         from portcullis_host._native import Call, Verdict\n\
         from portcullis_host.views import ToolOutput, Views\n\n\n\
         class Points:\n    \"\"\"The call of any lifecycle point.\"\"\"\n"
    );
    for point in &contract.points {
        let facts = point.facts_record();
        let input = facts.map_or("Mapping[str, Any]".into(), |ty| {
            format!("contract.{}", reference(contract, ty))
        });
        let (name, payload) = (point.name, payload(point));
        let _ = writeln!(
            out,
            "\n    @overload\n    def call(\n        self, point: Literal[\"{name}\"], input: {input}, views: Views | None = None\n    \
             ) -> Call[Verdict[{payload}]]: ..."
        );
    }
    out += "
    @overload
    def call(
        self, point: str, input: Mapping[str, Any], views: Views | None = None
    ) -> Call[Verdict[Any]]: ...

    def call(
        self, point: str, input: Mapping[str, Any], views: Views | None = None
    ) -> Call[Verdict[Any]]:
        \"\"\"Calls the hooks of a point, with its facts and the views that hooks may see.\"\"\"
        return self._call(point, input, views or {})

    def _call(self, point: str, input: Mapping[str, Any], views: Views) -> Call[Verdict[Any]]:
        raise NotImplementedError
";
    out
}

/// Returns the value that hooks may change at a point.
fn payload(point: &ContractPoint<'_>) -> &'static str {
    match point.payload() {
        Payload::None => "Any",
        Payload::Arguments => "str",
        Payload::ToolOutput => "ToolOutput",
        Payload::Content => "list[contract.ContentPart]",
        Payload::Messages => "list[contract.Message]",
        Payload::Fields => "dict[str, Any]",
    }
}

fn definition(contract: &Contract<'_>, id: TypeId, out: &mut String) {
    let def = &contract.resolve.types[id];
    if is_alias(def) {
        return;
    }
    let name = contract.names.of(contract.resolve, id);
    match &def.kind {
        TypeDefKind::Record(record) => {
            let _ = writeln!(out, "\n\nclass {name}(TypedDict):");
            comment(&def.docs, out);
            for field in &record.fields {
                let ty = reference(contract, field.ty);
                let ty = match ty.ends_with(" | None") {
                    true => format!("NotRequired[{ty}]"),
                    false => ty,
                };
                let _ = writeln!(out, "\n    {}: {ty}", snake(&field.name));
                comment(&field.docs, out);
            }
        }
        TypeDefKind::Enum(list) => {
            let cases: Vec<_> = list.cases.iter().map(|case| quoted(&case.name)).collect();
            alias(
                &name,
                &format!("Literal[{}]", cases.join(", ")),
                &def.docs,
                out,
            );
        }
        TypeDefKind::Variant(variant) => {
            let mut all = Vec::new();
            for case in &variant.cases {
                let Some(ty) = case.ty else {
                    all.push(format!("Literal[{}]", quoted(&case.name)));
                    continue;
                };
                let class = format!("{name}{}", pascal(&case.name));
                let _ = writeln!(out, "\n\n@final\nclass {class}(TypedDict):");
                comment(&case.docs, out);
                let _ = writeln!(
                    out,
                    "\n    {}: {}",
                    snake(&case.name),
                    reference(contract, ty)
                );
                all.push(class);
            }
            alias(&name, &all.join(" | "), &def.docs, out);
        }
        _ => {}
    }
}

fn alias(name: &str, of: &str, docs: &Docs, out: &mut String) {
    let _ = writeln!(out, "\n\n{name}: TypeAlias = '{of}'");
    if let Some(text) = &docs.contents {
        let _ = writeln!(out, "\"\"\"{}\"\"\"", text.trim());
    }
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
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
        TypeDefKind::List(ty) => format!("list[{}]", reference(contract, *ty)),
        TypeDefKind::Option(ty) => format!("{} | None", reference(contract, *ty)),
        TypeDefKind::Tuple(tuple) => {
            let all = tuple.types.iter().map(|ty| reference(contract, *ty));
            format!("tuple[{}]", all.collect::<Vec<_>>().join(", "))
        }
        other => other.as_str().into(),
    }
}

fn comment(docs: &Docs, out: &mut String) {
    if let Some(text) = &docs.contents {
        let text = text.trim().replace('\n', "\n    ");
        let _ = writeln!(out, "    \"\"\"{text}\"\"\"");
    }
}
