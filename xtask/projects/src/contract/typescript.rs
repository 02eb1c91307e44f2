//! The contract in TypeScript, as QuickJS represents it: a record is an object, a variant has a
//! `tag` and perhaps a `val`, an enum is a string, an absent value is `null`, every number is a
//! `number`.

use std::fmt::Write;

use wit_parser::{Function, Interface, Type, TypeDefKind, TypeId};

use super::Contract;
use super::names::{camel, is_alias, pascal};
use super::points::ContractPoint;
use super::typescript_types::{HEAD, Types, comment};

/// Reserved words of the language.
const RESERVED: &[&str] = &["delete", "new"];

/// Answers that carry one value. The parameters of an SDK function give the others.
const VALUES: &[&str] = &["transform", "replace", "answer"];

/// The beginning of the names of answers that may be given any number of times.
const ADD: &str = "add-";

fn types<'a>(contract: &'a Contract<'a>) -> Types<'a> {
    Types {
        contract,
        bytes: "Uint8Array",
    }
}

/// Returns all types of the contract, and the types of each point's handler.
pub(super) fn contract(contract: &Contract<'_>) -> String {
    let mut out = HEAD.to_owned();
    out += "\nimport type { Facts } from \"./facts.ts\";";
    out += "\nimport type { Contribution, Outcome } from \"./outcome.ts\";\n";
    for interface in &contract.own {
        for (_, id) in &interface.types {
            definition(contract, *id, &mut out);
        }
    }
    for point in &contract.points {
        let name = point.name;
        let record = point.facts_record();
        let record = record.map_or_else(String::new, |ty| types(contract).reference(ty));
        let _ = writeln!(
            out,
            "\n/** The facts of a call at `{name}`. */\nexport type {}Facts = Facts<{record}>;",
            pascal(name)
        );
        let outcomes = outcomes(contract, point);
        let _ = writeln!(
            out,
            "\n/** The outcomes that a handler of `{name}` may return. */\nexport type {}Outcome =\n  | {};",
            pascal(name),
            outcomes.join("\n  | ")
        );
    }
    out += "\n/** The facts and the outcomes of each point, for its handler. */\nexport interface Points {\n";
    for point in &contract.points {
        let name = point.name;
        let types = pascal(name);
        comment(point.docs, "  ", &mut out);
        let _ = writeln!(
            out,
            "  {}: {{ facts: {types}Facts; outcome: {types}Outcome }};",
            camel(name)
        );
    }
    out += "}\n\n/** The points by the names of their handlers. */\nexport const POINTS = {\n";
    for point in &contract.points {
        let name = point.name;
        let _ = writeln!(out, "  {}: \"{name}\",", camel(name));
    }
    out += "} as const satisfies Record<keyof Points, string>;\n";
    out
}

/// Returns the outcomes that a handler may return at a point.
fn outcomes(contract: &Contract<'_>, point: &ContractPoint<'_>) -> Vec<String> {
    let mut outcomes = vec!["Outcome<\"continue\", never>".to_owned()];
    let (added, given): (Vec<_>, Vec<_>) = point
        .answers()
        .partition(|answer| answer.name.starts_with(ADD));
    outcomes.extend(given.into_iter().map(|answer| {
        let name = &answer.name;
        match VALUES.contains(&name.as_str()) {
            true => format!("Outcome<\"{name}\", {}>", value(contract, answer)),
            false => format!("Outcome<\"{name}\", never>"),
        }
    }));
    if !added.is_empty() {
        let all: Vec<_> = added
            .iter()
            .map(|answer| format!("Contribution<\"{}\">", answer.name))
            .collect();
        outcomes.push(format!("Outcome<\"contribute\", {}>", all.join(" | ")));
    }
    outcomes
}

/// Returns the value of an answer: its parameter, or an object of its parameters if it has several.
fn value(contract: &Contract<'_>, answer: &Function) -> String {
    match answer.params.as_slice() {
        [only] => types(contract).reference(only.ty),
        params => {
            let fields: Vec<_> = params
                .iter()
                .map(|param| {
                    format!(
                        "{}: {}",
                        camel(&param.name),
                        types(contract).reference(param.ty)
                    )
                })
                .collect();
            format!("{{ {} }}", fields.join("; "))
        }
    }
}

/// Returns the interfaces that hooks import.
pub(super) fn imports(contract: &Contract<'_>) -> String {
    let mut out = HEAD.to_owned();
    out += "
/** The imports that give an answer, at all points that the hook serves: the build writes them. */
declare module \"portcullis:answers/*\" {
  const imports: import(\"./outcome.ts\").Imports;
  export default imports;
}
";
    for (path, interface) in &contract.imports {
        let _ = writeln!(out, "\ndeclare module \"{path}\" {{");
        for (_, id) in &interface.types {
            let def = &contract.resolve.types[*id];
            if is_alias(def) || interface_is_own(contract, interface) {
                continue;
            }
            let _ = writeln!(
                out,
                "  type {} = {};",
                pascal(def.name.as_deref().unwrap_or_default()),
                imported(contract, &def.kind)
            );
        }
        for function in interface.functions.values() {
            import(contract, interface, function, &mut out);
        }
        out += "}\n";
    }
    out
}

/// Returns a type of an interface that is not the contract's.
fn imported(contract: &Contract<'_>, kind: &TypeDefKind) -> String {
    let TypeDefKind::Record(record) = kind else {
        return nested(contract, kind);
    };
    let fields = record.fields.iter().map(|field| {
        let ty = types(contract).reference(field.ty);
        format!("{}: {ty}", camel(&field.name))
    });
    format!("{{ {} }}", fields.collect::<Vec<_>>().join("; "))
}

fn import(contract: &Contract<'_>, interface: &Interface, function: &Function, out: &mut String) {
    let own = interface_is_own(contract, interface);
    let write = |contract: &Contract<'_>, ty| {
        let text = types(contract).reference(ty);
        let bare = text.trim_end_matches("[]").trim_end_matches(" | null");
        match ty {
            Type::Id(_) if own && bare.starts_with(char::is_uppercase) && bare != "Uint8Array" => {
                format!("import(\"./contract.js\").{text}")
            }
            _ => text,
        }
    };
    comment(&function.docs, "  ", out);
    let params: Vec<_> = function
        .params
        .iter()
        .map(|param| {
            let name = camel(&param.name);
            let mark = if RESERVED.contains(&name.as_str()) {
                "_"
            } else {
                ""
            };
            format!("{name}{mark}: {}", write(contract, param.ty))
        })
        .collect();
    let result = function
        .result
        .map_or("void".into(), |ty| write(contract, ty));
    let name = camel(&function.name);
    let params = params.join(", ");
    let _ = match RESERVED.contains(&name.as_str()) {
        true => writeln!(
            out,
            "  function {name}_({params}): {result};\n  export {{ {name}_ as {name} }};"
        ),
        false => writeln!(out, "  export function {name}({params}): {result};"),
    };
}

fn interface_is_own(contract: &Contract<'_>, interface: &Interface) -> bool {
    contract.own.iter().any(|own| std::ptr::eq(*own, interface))
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
                let _ = writeln!(
                    out,
                    "  {}: {};",
                    camel(&field.name),
                    types(contract).reference(field.ty)
                );
            }
            out.push_str("}\n");
        }
        kind => {
            let _ = writeln!(out, "export type {name} ={};", cases(contract, kind));
        }
    }
}

/// Returns the cases of a type, one a line.
fn cases(contract: &Contract<'_>, kind: &TypeDefKind) -> String {
    let mut out = String::new();
    match kind {
        TypeDefKind::Variant(variant) => {
            for case in &variant.cases {
                out.push('\n');
                comment(&case.docs, "  ", &mut out);
                let val = case
                    .ty
                    .map(|ty| format!("; val: {}", types(contract).reference(ty)))
                    .unwrap_or_default();
                let _ = write!(out, "  | {{ tag: \"{}\"{val} }}", case.name);
            }
        }
        TypeDefKind::Enum(list) => {
            for case in &list.cases {
                out.push('\n');
                comment(&case.docs, "  ", &mut out);
                let _ = write!(out, "  | \"{}\"", case.name);
            }
        }
        other => {
            let _ = write!(out, " {}", types(contract).shape(other));
        }
    }
    out
}

/// Returns a type in one line.
fn nested(contract: &Contract<'_>, kind: &TypeDefKind) -> String {
    match kind {
        TypeDefKind::Enum(_) | TypeDefKind::Variant(_) => cases(contract, kind)
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with('|'))
            .collect::<Vec<_>>()
            .join(" "),
        other => types(contract).shape(other),
    }
}
