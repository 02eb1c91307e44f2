//! The flat contract, as WIT.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use wit_component::{Output as _, WitPrinter};
use wit_parser::abi::AbiVariant;
use wit_parser::{Function, InterfaceId, PackageId, Resolve, Type};

use super::params::{Flattening, ONCE, Param};
use super::{ANSWER, BEGIN, Flat, HANDLE, SESSION, Served};
use crate::Contract;

/// What a flat point's function says.
const HANDLES: &str = "Whether there is an outcome other than to go on; `answer` then tells it.";

/// What a flat point's other function says.
const ANSWERS: &str = "The outcome of the call before.";

/// The contract with flat functions in the place of those of the points that are served.
pub(super) fn flattened<'a>(contract: &'a Contract, served: &Served) -> anyhow::Result<Flat<'a>> {
    let (resolve, package) = contract.resolve();
    let mut resolve = resolve.clone();
    let mut points = BTreeMap::new();
    for (point, reads) in served {
        let params = flatten_point(&mut resolve, package, point, reads)
            .with_context(|| format!("`{point}`"))?;
        points.insert(point.clone(), params);
    }
    Ok(Flat {
        contract,
        resolve,
        package,
        points,
    })
}

fn flatten_point(
    resolve: &mut Resolve,
    package: PackageId,
    point: &str,
    reads: &[bool],
) -> anyhow::Result<Vec<Param>> {
    let id = interface(resolve, package, point)?;
    let handle = function(resolve, id, HANDLE)?.clone();
    let signature = resolve.wasm_signature(AbiVariant::GuestExport, &handle);
    let mut flattening = Flattening {
        resolve,
        interface: id,
        // Parameters that are passed in memory keep their places there.
        once: !signature.indirect_params,
        told: 0,
        flat: Vec::new(),
    };
    let params = handle.params.iter().enumerate();
    let params = params.map(|(index, param)| {
        let read = reads.get(index).copied().unwrap_or(true);
        match read || signature.indirect_params {
            true => flattening.take(&param.name, param.ty),
            false => Ok(Param::unread(&param.name)),
        }
    });
    let params: Vec<Param> = params.collect::<anyhow::Result<_>>()?;
    let begins = params.first().is_some_and(Param::is_passed) && !signature.indirect_params;
    ensure!(
        !begins || flattening.told == ONCE.len(),
        "what is told once is not all there"
    );
    let flat = flattening.flat;
    let param = |(name, ty)| wit_parser::Param {
        name,
        ty,
        span: handle.span,
    };
    let flat = Function {
        params: flat.into_iter().map(param).collect(),
        result: Some(Type::Bool),
        docs: docs(HANDLES),
        ..handle.clone()
    };
    let answer = Function {
        name: ANSWER.to_owned(),
        params: Vec::new(),
        docs: docs(ANSWERS),
        ..handle
    };
    let interface = resolve.interfaces.get_mut(id).context("no interface")?;
    interface.functions.insert(HANDLE.to_owned(), flat);
    interface.functions.insert(ANSWER.to_owned(), answer);
    Ok(params)
}

fn docs(text: &str) -> wit_parser::Docs {
    wit_parser::Docs {
        contents: Some(text.to_owned()),
    }
}

impl Flat<'_> {
    /// The flat contract's files, and those of the packages it needs: where each is in its directory, and its
    /// text.
    pub(super) fn files(&self) -> anyhow::Result<Vec<(String, String)>> {
        let packages = self.resolve.packages.iter();
        packages
            .map(|(id, package)| {
                let mut printer = WitPrinter::default();
                printer.print(&self.resolve, id, &[])?;
                let name = &package.name.name;
                let text = printer.output.to_string();
                Ok(match id == self.package {
                    true => (format!("{name}.wit"), text + &session()),
                    false => (format!("deps/{name}/{name}.wit"), text),
                })
            })
            .collect()
    }

    /// The flat points as a package of their own, beside the contract: its text.
    pub(super) fn package(&self, name: &str, points: &[&str]) -> anyhow::Result<String> {
        let mut resolve = self.resolve.clone();
        // From another package, the contract's types are used by their full names.
        let elsewhere = resolve.push_source("elsewhere.wit", &format!("package {name};"))?;
        let mut printer = WitPrinter::default();
        printer.emit_docs(false);
        for point in points {
            let id = interface(&resolve, self.package, point)?;
            if let Some(interface) = resolve.interfaces.get_mut(id) {
                interface.package = Some(elsewhere);
            }
            printer.print_interface_outer(&resolve, id, point)?;
            printer.output.indent_start();
            printer.print_interface(&resolve, id)?;
            printer.output.indent_end();
        }
        Ok(format!("package {name};\n{}{}", printer.output, session()))
    }
}

/// The interface that is told once what stays as it is.
fn session() -> String {
    let params = ONCE.iter().map(|(_, name)| format!("{name}: string"));
    let params = params.collect::<Vec<_>>().join(", ");
    format!("interface {SESSION} {{\n  {BEGIN}: func({params});\n}}\n")
}

/// An interface of a package.
pub(super) fn interface(
    resolve: &Resolve,
    package: PackageId,
    name: &str,
) -> anyhow::Result<InterfaceId> {
    let package = resolve.packages.get(package);
    package
        .and_then(|package| package.interfaces.get(name).copied())
        .with_context(|| format!("there is no interface `{name}`"))
}

/// A function of an interface.
pub(super) fn function<'a>(
    resolve: &'a Resolve,
    interface: InterfaceId,
    name: &str,
) -> anyhow::Result<&'a Function> {
    let interface = resolve.interfaces.get(interface);
    interface
        .and_then(|interface| interface.functions.get(name))
        .with_context(|| format!("there is no function `{name}`"))
}
