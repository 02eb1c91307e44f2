//! The contract in TypeScript, as QuickJS has it: a record is an object, a variant has a `tag` and
//! perhaps a `val`, an enum is a string, nothing is `null`, every number is a `number`.

use std::fmt::Write;

use wit_parser::{Docs, Function, Interface, Type, TypeDefKind, TypeId};

use super::names::{camel, is_alias, pascal};
use super::{ANSWER, Contract, FACTS};

const HEAD: &str = "// Written from wit/ by `cargo xtask contract`; do not change it here.\n";

/// Words that the language keeps for itself.
const RESERVED: &[&str] = &["delete", "new"];

/// Answers that carry one value. The others are given by the parameters of a function of the SDK.
const VALUES: &[&str] = &["transform", "replace", "answer"];

/// The beginning of the names of answers that may be given any number of times.
const ADD: &str = "add-";

/// All types of the contract, and those of each point's handler.
pub(super) fn types(contract: &Contract<'_>) -> String {
    let mut out = HEAD.to_owned();
    out += "\nimport type { Facts } from \"./facts.ts\";";
    out += "\nimport type { Contribution, Outcome } from \"./outcome.ts\";\n";
    for interface in &contract.own {
        for (_, id) in &interface.types {
            definition(contract, *id, &mut out);
        }
    }
    for point in &contract.points {
        let name = point.name.as_deref().unwrap_or_default();
        let facts = interface(contract, name, FACTS);
        let all = facts.and_then(|facts| facts.functions.get("facts"));
        let record = all.and_then(|all| all.result);
        let record = record.map_or_else(String::new, |ty| reference(contract, ty));
        let _ = writeln!(
            out,
            "\n/** What a handler of `{name}` is called with. */\nexport type {}Facts = Facts<{record}>;",
            pascal(name)
        );
        let outcomes = outcomes(contract, interface(contract, name, ANSWER));
        let _ = writeln!(
            out,
            "\n/** What a handler of `{name}` may return. */\nexport type {}Outcome =\n  | {};",
            pascal(name),
            outcomes.join("\n  | ")
        );
    }
    out += "\n/** What the handler of each point is called with and may return. */\nexport interface Points {\n";
    for point in &contract.points {
        let name = point.name.as_deref().unwrap_or_default();
        let types = pascal(name);
        comment(&point.docs, "  ", &mut out);
        let _ = writeln!(
            out,
            "  {}: {{ facts: {types}Facts; outcome: {types}Outcome }};",
            camel(name)
        );
    }
    out += "}\n\n/** The points by the names of their handlers. */\nexport const POINTS = {\n";
    for point in &contract.points {
        let name = point.name.as_deref().unwrap_or_default();
        let _ = writeln!(out, "  {}: \"{name}\",", camel(name));
    }
    out += "} as const satisfies Record<keyof Points, string>;\n";
    out
}

/// An interface that belongs to a point.
fn interface<'a>(contract: &Contract<'a>, point: &str, end: &str) -> Option<&'a Interface> {
    let belongs = |name: &str| name.strip_suffix(end) == Some(point);
    let mut own = contract.own.iter().copied();
    own.find(|interface| interface.name.as_deref().is_some_and(belongs))
}

/// What a handler may return where a hook may give these answers.
fn outcomes(contract: &Contract<'_>, answers: Option<&Interface>) -> Vec<String> {
    let mut outcomes = vec!["Outcome<\"continue\", never>".to_owned()];
    let answers = answers
        .iter()
        .flat_map(|answers| answers.functions.values());
    let (added, given): (Vec<_>, Vec<_>) = answers.partition(|answer| answer.name.starts_with(ADD));
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

/// The value of an answer: its parameter, or an object of them if there are several.
fn value(contract: &Contract<'_>, answer: &Function) -> String {
    match answer.params.as_slice() {
        [only] => reference(contract, only.ty),
        params => {
            let fields: Vec<_> = params
                .iter()
                .map(|param| format!("{}: {}", camel(&param.name), reference(contract, param.ty)))
                .collect();
            format!("{{ {} }}", fields.join("; "))
        }
    }
}

/// What hooks import.
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
