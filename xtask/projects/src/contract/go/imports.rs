//! The functions that a package's functions call: in a component the host's, elsewhere the tests' fake ones.

use std::fmt::Write;

use wit_parser::{Function, Interface};

use super::file::with_imports;
use super::names::local;
use super::types::go;
use super::wire::{Layout, Writer};
use super::{Returns, raw};
use crate::contract::Contract;
use crate::contract::points::ContractPoint;

/// A function of an interface, with its name in Go.
pub(super) struct Imported<'a> {
    pub(super) name: String,
    /// The interface, as components import it.
    pub(super) module: String,
    /// The interface, as tests name it.
    interface: &'a str,
    pub(super) function: &'a Function,
}

/// Returns the functions of interfaces.
pub(super) fn functions<'a>(
    contract: &Contract<'a>,
    interfaces: &[&'a Interface],
) -> Vec<Imported<'a>> {
    named(contract, interfaces, |_, function| local(&function.name))
}

/// Returns the functions of a point: its facts, then its answers.
pub(super) fn of_point<'a>(
    contract: &Contract<'a>,
    point: &ContractPoint<'a>,
) -> Vec<Imported<'a>> {
    let answers = contract.own.iter().copied().find(|interface| {
        let name = interface.name.as_deref().unwrap_or_default();
        name.strip_suffix("-answer") == Some(point.name)
    });
    let interfaces: Vec<_> = point.facts.into_iter().chain(answers).collect();
    named(contract, &interfaces, |interface, function| {
        let kind = if interface.ends_with("-facts") {
            "fact"
        } else {
            "answer"
        };
        local(&format!("{kind}-{}", function.name))
    })
}

fn named<'a>(
    contract: &Contract<'a>,
    interfaces: &[&'a Interface],
    name: impl Fn(&str, &Function) -> String,
) -> Vec<Imported<'a>> {
    let mut all = Vec::new();
    for interface in interfaces {
        let Some(package) = interface.package else {
            continue;
        };
        let own = interface.name.as_deref().unwrap_or_default();
        let module = contract.resolve.packages[package].name.interface_id(own);
        for function in interface.functions.values() {
            all.push(Imported {
                name: name(own, function),
                module: module.clone(),
                interface: own,
                function,
            });
        }
    }
    all
}

/// Returns the parameters of a function in Go.
pub(super) fn params(contract: &Contract<'_>, function: &Function) -> String {
    let params = function.params.iter();
    let params: Vec<_> = params
        .map(|param| {
            format!(
                "{} {}",
                local(&param.name),
                go(contract, param.ty, "contract.")
            )
        })
        .collect();
    params.join(", ")
}

/// Returns the file for components.
pub(super) fn host(
    contract: &Contract<'_>,
    package: &str,
    functions: &[Imported<'_>],
    more: &str,
) -> String {
    let layout = Layout::new(contract);
    let writer = Writer {
        contract,
        layout: &layout,
        from: "wire.",
    };
    let mut body = String::new();
    for imported in functions {
        raw::write(&writer, imported, &mut body);
    }
    body.push_str(more);
    let mut imports = Vec::new();
    for (used, path) in [
        ("contract.", "portcullis/contract"),
        ("serve.", "portcullis/internal/serve"),
        ("wire.", "portcullis/internal/wire"),
    ] {
        if body.contains(used) {
            imports.push(path);
        }
    }
    let library: &[&str] = if body.contains("unsafe.") {
        &["unsafe"]
    } else {
        &[]
    };
    with_imports(package, "", &[library, &imports], &body)
}

/// Returns the file for tests.
pub(super) fn fake(contract: &Contract<'_>, package: &str, functions: &[Imported<'_>]) -> String {
    let mut body = String::new();
    for Imported {
        name,
        interface,
        function,
        ..
    } in functions
    {
        let returns = Returns::of(contract, function).types(contract);
        let results: Vec<_> = returns
            .iter()
            .enumerate()
            .map(|(at, ty)| format!("r{at} {ty}"))
            .collect();
        let mut arguments: Vec<_> = function
            .params
            .iter()
            .map(|param| local(&param.name))
            .collect();
        arguments.insert(0, format!("\"{interface}.{}\"", function.name));
        let places: String = (0..returns.len()).map(|at| format!(", &r{at}")).collect();
        let signature = match results.is_empty() {
            true => String::new(),
            false => format!(" ({})", results.join(", ")),
        };
        let _ = writeln!(
            body,
            "\nfunc {name}({}){signature} {{\n\tfake.Call(fake.Args({}){places})\n\treturn\n}}",
            params(contract, function),
            arguments.join(", ")
        );
    }
    let mut imports = vec!["portcullis/internal/fake"];
    if body.contains("contract.") {
        imports.insert(0, "portcullis/contract");
    }
    with_imports(package, "//go:build !wasip1\n\n", &[&imports], &body)
}
