//! The contract in Python. As in `componentize-py`, a record is a data class, a case of a variant
//! is a class of its own, and an absent value is `None`. A handler's argument is a class with a
//! property for each fact.

use std::collections::BTreeMap;
use std::fmt::Write;

use wit_parser::{Docs, Function, Interface, Type, TypeDefKind, TypeId};

use super::Contract;
use super::names::{is_alias, pascal, snake};
use super::points::ContractPoint;

pub(super) const HEAD: &str =
    "# Written from wit/ by `cargo xtask contract`; do not change it here.\n";

/// The answers whose parameters differ between points.
const CHANGES: &[(&str, &str)] = &[
    ("transform", "Continues with this value."),
    (
        "replace",
        "Continues with this value. Later hooks still see it and may refuse it, but cannot change it.",
    ),
    (
        "answer",
        "Skips the operation itself and uses this result in its place.",
    ),
];

/// The name of the record of a call's context. The class of a handler's argument has the record's
/// own name.
const CONTEXT: &str = "ContextFacts";

/// Returns all types of the contract, and the arguments and results of handlers.
pub(super) fn types(contract: &Contract<'_>) -> String {
    let mut out = format!(
        "{HEAD}\
         \"\"\"The contract's types, the arguments of handlers, and their results.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from dataclasses import dataclass\n\
         from enum import Enum\n\
         from typing import Any\n\n\
         from portcullis._bindings import adopt, imported\n\
         from portcullis._outcome import (\n"
    );
    let mut classes = vec!["Contribute".to_owned(), "Proceed".to_owned()];
    for answer in answer_names(contract) {
        classes.push(pascal(&answer));
    }
    classes.sort();
    for class in classes {
        let _ = writeln!(out, "    {class},");
    }
    out += ")\n\n\nclass Current:\n    \"\"\"The current call.\"\"\"\n\n    __slots__ = (\"number\",)\n\n    \
            def __init__(self) -> None:\n        self.number = 0\n\n\n\
            #: One for all points: an instance of a component handles one call at a time. A fact that was read in another call is\n\
            #: read again; clearing the facts would cost more. The number is compared by identity, which is quicker: no\n\
            #: two calls have the same object.\nCURRENT = Current()\n";
    for interface in &contract.own {
        for (_, id) in &interface.types {
            definition(contract, *id, &mut out);
        }
    }
    let mut own = contract.own.iter();
    if let Some(context) = own.find(|interface| name(interface) == "call") {
        called(
            contract,
            "Context",
            "The session, the turn and the step of the call.",
            context,
            "context",
            &mut out,
        );
    }
    for point in &contract.points {
        let name = point.name;
        if let Some(facts) = point.facts {
            let docs = point.docs.contents.as_deref().unwrap_or_default();
            called(contract, &pascal(name), docs, facts, "facts", &mut out);
        }
        let _ = writeln!(
            out,
            "\n\n{}Outcome = {} | None",
            pascal(name),
            outcomes(contract, point)
        );
    }
    out += "\nadopt(globals())\n";
    out
}

/// Returns the constructors whose parameters differ between points, each with its forms.
pub(super) fn changes(contract: &Contract<'_>) -> String {
    let mut out = format!(
        "{HEAD}\
         \"\"\"The outcomes whose values depend on the point. The types say which values a point takes.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from typing import Any, overload\n\n\
         from portcullis._named import ordered\n\
         from portcullis._outcome import Answer, Replace, Transform\n\
         from portcullis.contract import (\n"
    );
    let mut forms = BTreeMap::new();
    for function in all_answers(contract) {
        if !CHANGES.iter().any(|(name, _)| *name == function.name) {
            continue;
        }
        let forms: &mut BTreeMap<_, _> = forms.entry(function.name.clone()).or_default();
        forms
            .entry(carried(contract, function))
            .or_insert_with(|| params(contract, function));
    }
    let named: Vec<_> = contract
        .own
        .iter()
        .flat_map(|interface| interface.types.values())
        .map(|id| flat(contract, *id))
        .filter(|name| {
            let is_name = |one: &str| one == name;
            forms
                .values()
                .flat_map(BTreeMap::keys)
                .any(|form| form.split(|c: char| !c.is_alphanumeric()).any(is_name))
        })
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    for name in named {
        let _ = writeln!(out, "    {name},");
    }
    out += ")\n";
    for (name, docs) in CHANGES {
        let class = pascal(name);
        for (carried, params) in forms.get(*name).into_iter().flatten() {
            let _ = writeln!(
                out,
                "\n\n@overload\ndef {name}({params}) -> {class}[{carried}]: ..."
            );
        }
        let _ = writeln!(
            out,
            "\n\ndef {name}(*values: Any, **named: Any) -> {class}[Any]:\n    \"\"\"{docs}\"\"\"\n    \
             return {class}(ordered(\"{name}\", values, named) if named else values)"
        );
    }
    // Stubs have one empty line between the forms of one function.
    out.replace("...\n\n\n@overload", "...\n\n@overload")
        .replace(": ...\n\n\ndef", ": ...\n\ndef")
}

/// Returns the points, and the paths of the contract's types in a component's bindings.
pub(super) fn points(contract: &Contract<'_>) -> String {
    let mut out = format!(
        "{HEAD}\
         \"\"\"The points, their answers, and the modules of the bindings that have the contract's types.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         #: The answers of each point: the functions of its answer interface, with the kinds of\n\
         #: their parameters.\n\
         ANSWERS: dict[str, dict[str, dict[str, str]]] = {{\n"
    );
    for point in &contract.points {
        let name = point.name;
        if point.answers().next().is_none() {
            let _ = writeln!(out, "    \"{name}\": {{}},");
            continue;
        }
        let _ = writeln!(out, "    \"{name}\": {{");
        for function in point.answers() {
            let params: Vec<_> = function
                .params
                .iter()
                .map(|param| {
                    let kind = kind(contract, param.ty);
                    format!("\"{}\": \"{kind}\"", snake(&param.name))
                })
                .collect();
            let _ = writeln!(
                out,
                "        \"{}\": {{{}}},",
                snake(&function.name),
                params.join(", ")
            );
        }
        out += "    },\n";
    }
    out +=
        "}\n\n#: The contract's types, by the module of the bindings that has them.\nTYPES = {\n";
    let mut renamed = String::new();
    for interface in &contract.own {
        let module = snake(name(interface));
        let mut names = Vec::new();
        for (own, id) in &interface.types {
            if is_alias(&contract.resolve.types[*id]) {
                continue;
            }
            let flat = flat(contract, *id);
            if flat != pascal(own) {
                let _ = writeln!(renamed, "    \"{flat}\": \"{}\",", pascal(own));
            }
            names.push(format!("        \"{flat}\",\n"));
        }
        if !names.is_empty() {
            let _ = writeln!(out, "    \"{module}\": (\n{}    ),", names.concat());
        }
    }
    let _ = writeln!(
        out,
        "}}\n\n#: Types that the bindings have under another name.\nRENAMED = {{\n{renamed}}}"
    );
    out
}

fn name(interface: &Interface) -> &str {
    interface.name.as_deref().unwrap_or_default()
}

/// Returns the functions that give an answer, of all points.
fn all_answers<'a>(contract: &Contract<'a>) -> Vec<&'a Function> {
    let points = contract.points.iter();
    points.flat_map(|point| point.answers()).collect()
}

/// Returns the names of all answers, each once.
fn answer_names(contract: &Contract<'_>) -> Vec<String> {
    let mut names: Vec<_> = all_answers(contract)
        .iter()
        .map(|function| function.name.clone())
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Writes the class of a handler's argument, with a property for each fact.
fn called(
    contract: &Contract<'_>,
    class: &str,
    docs: &str,
    facts: &Interface,
    whole: &str,
    out: &mut String,
) {
    let from = format!("_{}", snake(name(facts)));
    let single: Vec<_> = facts
        .functions
        .values()
        .filter(|function| function.name != whole)
        .collect();
    let _ = writeln!(
        out,
        "\n\n{from} = imported(\"{}\", optional=True)\n\n\nclass {class}:\n    \"\"\"{}\"\"\"\n",
        snake(name(facts)),
        docs.trim().replace('\n', "\n    "),
    );
    kept(contract, &single, out);
    for fact in single {
        let property = snake(&fact.name);
        let ty = result(contract, fact);
        let _ = writeln!(out, "\n    @property\n    def {property}(self) -> {ty}:");
        comment(&fact.docs, "        ", out);
        let _ = writeln!(
            out,
            "        number = CURRENT.number\n        \
             if self._{property}_of is not number:\n            \
             self._{property} = {from}.{property}()\n            \
             self._{property}_of = number\n        \
             return self._{property}"
        );
    }
    if let Some(all) = facts.functions.get(whole) {
        let record = result(contract, all);
        let _ = writeln!(
            out,
            "\n    def facts(self) -> {record}:\n        \
             \"\"\"All facts in one record: cheaper for handlers that read more than four.\"\"\"\n        \
             facts: {record} = {from}.{}()\n        return facts",
            snake(whole)
        );
    }
}

/// Writes the fields that keep the facts already read, each with the number of its call.
fn kept(contract: &Contract<'_>, facts: &[&Function], out: &mut String) {
    if facts.is_empty() {
        *out += "    __slots__ = ()\n";
        return;
    }
    let names: Vec<String> = facts.iter().map(|fact| snake(&fact.name)).collect();
    *out += "    __slots__ = (\n";
    for name in &names {
        let _ = writeln!(out, "        \"_{name}\",\n        \"_{name}_of\",");
    }
    *out += "    )\n";
    for (name, fact) in names.iter().zip(facts) {
        let _ = writeln!(out, "    _{name}: {}", result(contract, fact));
    }
    let _ = writeln!(out, "\n    def __init__(self) -> None:");
    for name in names {
        let _ = writeln!(out, "        self._{name}_of = 0");
    }
}

fn result(contract: &Contract<'_>, function: &Function) -> String {
    function
        .result
        .map_or_else(|| "None".into(), |ty| reference(contract, ty))
}

/// Returns the classes that a handler may return an instance of.
fn outcomes(contract: &Contract<'_>, point: &ContractPoint<'_>) -> String {
    let mut all = vec!["Proceed".to_owned()];
    let mut additions = Vec::new();
    for function in point.answers() {
        let class = pascal(&function.name);
        if function.name.starts_with("add-") {
            additions.push(class);
        } else if CHANGES.iter().any(|(name, _)| *name == function.name) {
            all.push(format!("{class}[{}]", carried(contract, function)));
        } else {
            all.push(class);
        }
    }
    if !additions.is_empty() {
        all.push(format!("Contribute[{}]", additions.join(" | ")));
        all.extend(additions);
    }
    all.join(" | ")
}

/// Returns the type of an answer's value.
fn carried(contract: &Contract<'_>, function: &Function) -> String {
    let types: Vec<_> = function
        .params
        .iter()
        .map(|param| reference(contract, param.ty))
        .collect();
    match types.as_slice() {
        [one] => one.clone(),
        many => format!("tuple[{}]", many.join(", ")),
    }
}

/// Returns the parameters of a constructor. The first is positional, as points name it differently.
fn params(contract: &Contract<'_>, function: &Function) -> String {
    let mut all = Vec::new();
    for (at, param) in function.params.iter().enumerate() {
        let ty = reference(contract, param.ty);
        let default = if ty.ends_with("| None") {
            " = None"
        } else {
            ""
        };
        let name = if at == 0 {
            "value".into()
        } else {
            snake(&param.name)
        };
        all.push(format!("{name}: {ty}{default}"));
        if at == 0 {
            all.push("/".into());
        }
    }
    all.join(", ")
}

/// Returns the kind that a parameter must have, as far as it is checked before the host is called.
fn kind(contract: &Contract<'_>, ty: Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::String => "str",
        Type::Id(id) => match contract.resolve.types[id].kind {
            TypeDefKind::List(_) => "list",
            TypeDefKind::Option(Type::String) => "str?",
            TypeDefKind::Option(_) => "object?",
            TypeDefKind::Type(of) => kind(contract, of),
            _ => "object",
        },
        Type::F32 | Type::F64 => "object",
        _ => "int",
    }
}

fn flat(contract: &Contract<'_>, id: TypeId) -> String {
    match contract.names.of(contract.resolve, id) {
        name if name == "Context" => CONTEXT.to_owned(),
        name => name,
    }
}

fn definition(contract: &Contract<'_>, id: TypeId, out: &mut String) {
    let def = &contract.resolve.types[id];
    if is_alias(def) {
        return;
    }
    let name = flat(contract, id);
    match &def.kind {
        TypeDefKind::Record(record) => {
            let _ = writeln!(out, "\n\n@dataclass\nclass {name}:");
            comment(&def.docs, "    ", out);
            out.push('\n');
            for field in &record.fields {
                let _ = writeln!(
                    out,
                    "    {}: {}",
                    snake(&field.name),
                    reference(contract, field.ty)
                );
                comment(&field.docs, "    ", out);
            }
        }
        TypeDefKind::Enum(list) => {
            let _ = writeln!(out, "\n\nclass {name}(Enum):");
            comment(&def.docs, "    ", out);
            out.push('\n');
            for (number, case) in list.cases.iter().enumerate() {
                let _ = writeln!(out, "    {} = {number}", snake(&case.name).to_uppercase());
                comment(&case.docs, "    ", out);
            }
        }
        TypeDefKind::Variant(variant) => {
            for case in &variant.cases {
                let _ = writeln!(out, "\n\n@dataclass\nclass {name}_{}:", pascal(&case.name));
                comment(&case.docs, "    ", out);
                match case.ty {
                    Some(ty) => {
                        let _ = writeln!(out, "\n    value: {}", reference(contract, ty));
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
            let _ = writeln!(out, "\n\n{name} = {}", all.join(" | "));
        }
        _ => {}
    }
}

fn reference(contract: &Contract<'_>, ty: Type) -> String {
    match ty {
        Type::Bool => "bool".into(),
        Type::String | Type::Char => "str".into(),
        Type::F32 | Type::F64 => "float".into(),
        Type::Id(id) => match &contract.resolve.types[id] {
            def if def.name.is_some() => flat(contract, id),
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

fn comment(docs: &Docs, indent: &str, out: &mut String) {
    let Some(text) = &docs.contents else { return };
    let text = text.trim().replace('\n', &format!("\n{indent}"));
    let _ = writeln!(out, "{indent}\"\"\"{text}\"\"\"");
}
