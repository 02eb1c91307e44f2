//! The contract in Go. A record is a struct, an enum a number, a variant an interface with a type
//! for each case, and an option a pointer. A point is a package, and so is each interface that
//! hooks import.
//!
//! The functions that a package's functions call are in two files: in a component they call the
//! host, elsewhere the tests' fake.

mod api;
mod exports;
mod file;
mod flat;
mod imports;
mod names;
mod raw;
mod types;
mod wire;

use wit_parser::{Function, Interface, Type, TypeDefKind};

use super::{Contract, Written};
use names::package;

pub(super) const HEAD: &str =
    "// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.\n";

/// The module's directory.
const MODULE: &str = "guest-sdk/go";

/// An interface that becomes a package.
struct Package<'a> {
    /// The path in the module.
    path: String,
    interface: &'a Interface,
}

/// Returns all files of the module that are generated from the contract.
pub(super) fn files(contract: &Contract<'_>) -> Vec<Written> {
    let mut files = vec![
        file("contract/contract.go", types::definitions(contract)),
        file("internal/wire/types_wasip1.go", wire::types(contract)),
        file(
            "internal/serve/describe_wasip1.go",
            exports::describe(contract),
        ),
        file("config/export_wasip1.go", exports::configuration(contract)),
    ];
    for package in packages(contract) {
        let Package { path, .. } = &package;
        let of = [package.interface];
        let name = path.rsplit('/').next().unwrap_or_default();
        let text = api::interface(contract, &package);
        files.push(file(&format!("{path}/{name}.go"), text));
        let functions = imports::functions(contract, &of);
        files.push(file(
            &format!("{path}/host_wasip1.go"),
            imports::host(contract, name, &functions, ""),
        ));
        files.push(file(
            &format!("{path}/fake.go"),
            imports::fake(contract, name, &functions),
        ));
    }
    for point in &contract.points {
        let path = package(point.name);
        files.push(file(
            &format!("{path}/{path}.go"),
            api::point(contract, point),
        ));
        let functions = imports::of_point(contract, point);
        let export = exports::point(contract, point);
        files.push(file(
            &format!("{path}/host_wasip1.go"),
            imports::host(contract, &path, &functions, &export),
        ));
        files.push(file(
            &format!("{path}/fake.go"),
            imports::fake(contract, &path, &functions),
        ));
    }
    files
}

fn file(path: &str, text: String) -> Written {
    (format!("{MODULE}/{path}").into(), text)
}

/// Returns the interfaces that hooks import directly. SDK functions wrap the interfaces of WASI and
/// the failure interface.
fn packages<'a>(contract: &Contract<'a>) -> Vec<Package<'a>> {
    contract
        .imports
        .iter()
        .filter_map(|(module, interface)| {
            let name = interface.name.as_deref()?;
            let own = module.starts_with(super::PACKAGE);
            let path = match name {
                "failure" => "internal/failure".to_owned(),
                "logging" | "store" if !own => format!("internal/{name}"),
                _ if own => package(name),
                _ => return None,
            };
            Some(Package { path, interface })
        })
        .collect()
}

/// Returns the kind of a type, behind all its aliases.
fn kind<'a>(contract: &Contract<'a>, ty: Type) -> Option<&'a TypeDefKind> {
    let Type::Id(id) = ty else { return None };
    match &contract.resolve.types[id].kind {
        TypeDefKind::Type(of) => kind(contract, *of),
        kind => Some(kind),
    }
}

/// The results of a function in Go: values, and the alternatives to the first value.
struct Returns {
    /// The value, if there is one.
    value: Option<Type>,
    /// Whether the value may be absent.
    optional: bool,
    /// Whether there may be an error, and the error's type.
    error: Option<Option<Type>>,
}

impl Returns {
    fn of(contract: &Contract<'_>, function: &Function) -> Self {
        let mut returns = Self {
            value: function.result,
            optional: false,
            error: None,
        };
        if let Some(TypeDefKind::Result(result)) = returns.value.and_then(|ty| kind(contract, ty)) {
            returns.value = result.ok;
            returns.error = Some(result.err);
        }
        if let Some(TypeDefKind::Option(some)) = returns.value.and_then(|ty| kind(contract, ty)) {
            returns.value = Some(*some);
            returns.optional = true;
        }
        returns
    }

    /// Returns the types. Those of the contract are qualified with its package.
    fn types(&self, contract: &Contract<'_>) -> Vec<String> {
        let value = self.value.map(|ty| types::go(contract, ty, "contract."));
        let ok = self.optional.then(|| "bool".to_owned());
        let error = self.error.as_ref().map(|_| "error".to_owned());
        value.into_iter().chain(ok).chain(error).collect()
    }

    /// Returns the types as a signature writes them.
    fn signature(&self, contract: &Contract<'_>) -> String {
        match self.types(contract).as_slice() {
            [] => String::new(),
            [one] => format!(" {one}"),
            many => format!(" ({})", many.join(", ")),
        }
    }
}
