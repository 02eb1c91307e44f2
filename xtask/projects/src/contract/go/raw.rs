//! The functions that a component imports, and the conversions from their values to Go's.

use std::fmt::Write;

use wit_parser::{Function, Type, TypeDefKind};

use super::flat::{self, Flat, MOST};
use super::imports::{Imported, params};
use super::names::local;
use super::types::go;
use super::wire::Writer;
use super::{Returns, kind};

/// Writes a declaration of a host function, and the function that Go calls.
pub(super) fn write(writer: &Writer<'_>, imported: &Imported<'_>, out: &mut String) {
    let Imported {
        name,
        module,
        function,
        ..
    } = imported;
    let contract = writer.contract;
    let raw = format!("raw{}{}", name[..1].to_uppercase(), &name[1..]);

    // The parameters of the host function.
    let types: Vec<Type> = function.params.iter().map(|param| param.ty).collect();
    let mut numbers: Vec<&str> = types
        .iter()
        .flat_map(|ty| flat::types(writer, *ty))
        .collect();
    let spilled = numbers.len() > MOST;
    if spilled {
        numbers = vec!["uint32"];
    }
    let direct = function.result.and_then(|ty| direct(writer, ty));
    let in_memory = function.result.is_some() && direct.is_none();
    if in_memory {
        numbers.push("uint32");
    }
    let declared: Vec<_> = numbers
        .iter()
        .enumerate()
        .map(|(at, ty)| format!("n{} {ty}", at + 1))
        .collect();
    let result = direct
        .as_ref()
        .map_or(String::new(), |(number, _)| format!(" {number}"));
    let _ = writeln!(
        out,
        "\n//go:wasmimport {module} {}\nfunc {raw}({}){result}",
        function.name,
        declared.join(", ")
    );

    // The function that Go calls.
    let returns = Returns::of(contract, function);
    let _ = writeln!(
        out,
        "\nfunc {name}({}){} {{",
        params(contract, function),
        returns.signature(contract)
    );
    let mut flat = Flat::default();
    let mut given = Vec::new();
    if spilled {
        let offsets = writer.layout.offsets(&types);
        let size = offsets.last().copied().unwrap_or_default()
            + types.last().map_or(0, |ty| writer.layout.size(*ty));
        let _ = writeln!(flat.statements, "\tp := a.Block({size})");
        for (param, offset) in function.params.iter().zip(offsets) {
            let lower = writer.lower(param.ty);
            let _ = writeln!(
                flat.statements,
                "\t{lower}(a, unsafe.Add(p, {offset}), {})",
                local(&param.name)
            );
        }
        given.push("wire.Address(p)".to_owned());
    } else {
        for param in &function.params {
            given.extend(flat.lower(writer, param.ty, &local(&param.name)));
        }
    }
    let is_given_memory = flat.statements.contains("a.") || flat.statements.contains("(a,");
    if is_given_memory {
        out.push_str("\ta := wire.Begin()\n");
    }
    let end = if is_given_memory {
        "\twire.End()\n"
    } else {
        ""
    };
    out.push_str(&flat.statements);
    if in_memory {
        out.push_str("\tp := wire.Result()\n");
        given.push("wire.Address(p)".to_owned());
    }
    let call = format!("{raw}({})", given.join(", "));
    match (direct, in_memory) {
        (Some((_, value)), _) => {
            let _ = writeln!(
                out,
                "\tr := {call}\n{end}\treturn {}",
                value.replace('@', "r")
            );
        }
        (None, true) => {
            let _ = writeln!(out, "\t{call}");
            lifted(writer, function, &returns, out);
        }
        (None, false) => {
            let _ = write!(out, "\t{call}\n{end}");
        }
    }
    out.push_str("}\n");
}

/// Returns the type of the number that a function returns, and the expression of its value, with
/// `@` as a placeholder for the number.
fn direct(writer: &Writer<'_>, ty: Type) -> Option<(&'static str, String)> {
    let name = || go(writer.contract, ty, "contract.");
    match (ty, kind(writer.contract, ty)) {
        (Type::String, _) => None,
        (Type::Bool, _) => Some(("uint32", "@ != 0".into())),
        (Type::U64 | Type::S64, _) => Some(("uint64", format!("{}(@)", name()))),
        (Type::F64 | Type::F32, _) => Some(("float64", "@".into())),
        (Type::Id(_), Some(TypeDefKind::Enum(_))) => Some(("uint32", format!("{}(@)", name()))),
        (
            Type::Id(_),
            Some(TypeDefKind::Record(_) | TypeDefKind::Variant(_) | TypeDefKind::Option(_)),
        ) => {
            assert!(
                flat::types(writer, ty).len() > 1,
                "a result of one number is a plain one"
            );
            None
        }
        (Type::Id(_), _) => None,
        _ => Some(("uint32", format!("{}(@)", name()))),
    }
}

/// Writes the statements that read the result from memory.
fn lifted(writer: &Writer<'_>, function: &Function, returns: &Returns, out: &mut String) {
    let contract = writer.contract;
    let Some(mut ty) = function.result else {
        return;
    };
    let value = |ty: Type, at: usize| format!("{}(unsafe.Add(p, {at}))", writer.lift(ty));
    let mut at = 0;
    let zero = returns.value.map(|_| "zero".to_owned());
    let ok = returns.optional.then(|| "false".to_owned());
    if let Some(zero) = &zero
        && (returns.optional || returns.error.is_some())
    {
        let ty = returns
            .value
            .map_or_else(String::new, |ty| go(contract, ty, "contract."));
        let _ = writeln!(out, "\tvar {zero} {ty}");
    }
    out.push_str("\tdefer wire.End()\n");
    if let Some(TypeDefKind::Result(result)) = kind(contract, ty) {
        let payload = writer.layout.result(result.ok, result.err);
        let error = match result.err {
            Some(err) => value(err, payload),
            None => "wire.Failed".to_owned(),
        };
        let none: Vec<_> = zero.iter().chain(&ok).cloned().chain([error]).collect();
        let _ = writeln!(
            out,
            "\tif wire.U8(p) != 0 {{\n\t\treturn {}\n\t}}",
            none.join(", ")
        );
        at = payload;
        match result.ok {
            Some(of) => ty = of,
            None => {
                out.push_str("\treturn nil\n");
                return;
            }
        }
    }
    let nil = returns.error.as_ref().map(|_| "nil".to_owned());
    if let Some(TypeDefKind::Option(some)) = kind(contract, ty) {
        let none: Vec<_> = zero.iter().chain(&ok).chain(&nil).cloned().collect();
        let _ = writeln!(
            out,
            "\tif wire.U8(unsafe.Add(p, {at})) == 0 {{\n\t\treturn {}\n\t}}",
            none.join(", ")
        );
        at += writer.layout.some(*some);
        ty = *some;
    }
    let ok = returns.optional.then(|| "true".to_owned());
    let all: Vec<_> = [value(ty, at)].into_iter().chain(ok).chain(nil).collect();
    let _ = writeln!(out, "\treturn {}", all.join(", "));
}
