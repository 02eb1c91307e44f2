//! The contract in TypeScript, as QuickJS has it: a record is an object, a variant has a `tag` and
//! perhaps a `val`, an enum is a string, nothing is `null`, every number is a `number`.

use std::fmt::Write;

use wit_parser::{Docs, Function, Interface, Type, TypeDefKind, TypeId};

use super::Contract;
use super::names::{camel, is_alias, pascal};

const HEAD: &str = "// Written from wit/ by `cargo xtask contract`; do not change it here.\n";

/// Words that the language keeps for itself.
const RESERVED: &[&str] = &["delete", "new"];

/// All types of the contract, and what each point takes and may answer.
pub(super) fn types(contract: &Contract<'_>) -> String {
    let mut out = HEAD.to_owned();
    for interface in &contract.own {
        for (_, id) in &interface.types {
            definition(contract, *id, &mut out);
        }
    }
    out += "\n/** What each point takes and may answer. */\nexport interface Points {\n";
    for point in &contract.points {
        let name = point.name.as_deref().unwrap_or_default();
        let input = point.functions["handle"]
            .params
            .get(1)
            .map(|param| reference(contract, param.ty))
            .unwrap_or_default();
        comment(&point.docs, "  ", &mut out);
        let _ = writeln!(
            out,
            "  {}: {{ input: {input}; outcome: {}Outcome }};",
            camel(name),
            pascal(name)
        );
    }
    out += "}\n\n/** The points by the names of their handlers. */\nexport const POINTS = {\n";
    for point in &contract.points {
        let name = point.name.as_deref().unwrap_or_default();
        let _ = writeln!(out, "  {}: \"{name}\",", camel(name));
    }
    out += "} as const satisfies Record<keyof Points, string>;\n";
    out += "\n/** Points at which a hook can only look on: their outcomes are an enum. */\n";
    out += "export const LOOKING_ON: ReadonlySet<keyof Points> = new Set<keyof Points>([\n";
    for point in contract
        .points
        .iter()
        .filter(|point| looks_on(contract, point))
    {
        let _ = writeln!(
            out,
            "  \"{}\",",
            camel(point.name.as_deref().unwrap_or_default())
        );
    }
    out += "]);\n";
    out
}

fn looks_on(contract: &Contract<'_>, point: &Interface) -> bool {
    let outcome = point.types.get("outcome");
    outcome.is_some_and(|id| matches!(contract.resolve.types[*id].kind, TypeDefKind::Enum(_)))
}

/// What hooks import.
pub(super) fn imports(contract: &Contract<'_>) -> String {
    let mut out = HEAD.to_owned();
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
                shape(contract, &def.kind, &reference)
            );
        }
        for function in interface.functions.values() {
            import(contract, interface, function, &mut out);
        }
        out += "}\n";
    }
    out
}

fn import(contract: &Contract<'_>, interface: &Interface, function: &Function, out: &mut String) {
    let own = interface_is_own(contract, interface);
    let write = |contract: &Contract<'_>, ty| {
        let text = reference(contract, ty);
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
                    reference(contract, field.ty)
                );
            }
            out.push_str("}\n");
        }
        // `continue` is written the same at every point.
        TypeDefKind::Enum(_) if def.name.as_deref() == Some("outcome") => {
            let _ = writeln!(out, "export type {name} = {{ tag: \"continue\" }};");
        }
        kind => {
            let _ = writeln!(out, "export type {name} ={};", cases(contract, kind));
        }
    }
}

/// The cases of a type, one a line.
fn cases(contract: &Contract<'_>, kind: &TypeDefKind) -> String {
    let mut out = String::new();
    match kind {
        TypeDefKind::Variant(variant) => {
            for case in &variant.cases {
                out.push('\n');
                comment(&case.docs, "  ", &mut out);
                let val = case
                    .ty
                    .map(|ty| format!("; val: {}", reference(contract, ty)))
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
            let _ = write!(out, " {}", shape(contract, other, &reference));
        }
    }
    out
}

fn reference(contract: &Contract<'_>, ty: Type) -> String {
    match ty {
        Type::Bool => "boolean".into(),
        Type::String | Type::Char => "string".into(),
        Type::Id(id) => match &contract.resolve.types[id] {
            def if def.name.is_some() => contract.names.of(contract.resolve, id),
            def => shape(contract, &def.kind, &reference),
        },
        _ => "number".into(),
    }
}

fn shape(
    contract: &Contract<'_>,
    kind: &TypeDefKind,
    of: &dyn Fn(&Contract<'_>, Type) -> String,
) -> String {
    match kind {
        TypeDefKind::List(Type::U8) => "Uint8Array".into(),
        TypeDefKind::List(ty) => format!("{}[]", of(contract, *ty)),
        TypeDefKind::Option(ty) => format!("{} | null", of(contract, *ty)),
        TypeDefKind::Tuple(tuple) => {
            let all: Vec<_> = tuple.types.iter().map(|ty| of(contract, *ty)).collect();
            format!("[{}]", all.join(", "))
        }
        // A function gives what is right and throws the rest.
        TypeDefKind::Result(result) => result.ok.map_or("void".into(), |ty| of(contract, ty)),
        TypeDefKind::Type(ty) => of(contract, *ty),
        TypeDefKind::Enum(_) | TypeDefKind::Variant(_) => cases(contract, kind)
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with('|'))
            .collect::<Vec<_>>()
            .join(" "),
        other => other.as_str().into(),
    }
}

fn comment(docs: &Docs, indent: &str, out: &mut String) {
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
