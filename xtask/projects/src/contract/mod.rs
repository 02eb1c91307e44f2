//! The SDKs' types, generated from the contract in `wit/`.

mod go;
mod http_failures;
mod names;
mod points;
mod probes;
mod python;
mod python_host;
mod typescript;
mod typescript_host;
mod typescript_types;

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use wit_parser::{Interface, Resolve, Type, TypeDefKind, TypeId};

use http_failures::Codes;
use names::Names;
use points::ContractPoint;
use xtask::{Error, Result};

/// The contract's package.
const PACKAGE: &str = "portcullis";

/// A file generated from the contract: its path and its content.
pub type Written = (Cow<'static, str>, String);

/// Writes the files that are generated from the contract. Returns the changed ones.
///
/// # Errors
///
/// The WIT is wrong, or a file cannot be written.
pub fn write(root: &Path) -> Result<Vec<Cow<'static, str>>> {
    let mut changed = Vec::new();
    for (path, text) in files(root)? {
        let to = root.join(&*path);
        if fs::read_to_string(&to).is_ok_and(|there| there == text) {
            continue;
        }
        if let Some(dir) = to.parent() {
            fs::create_dir_all(dir).map_err(|cause| Error::file("make", dir, &cause))?;
        }
        fs::write(&to, text).map_err(|cause| Error::file("write", &to, &cause))?;
        changed.push(path);
    }
    Ok(changed)
}

/// Returns the up-to-date files that are generated from the contract.
///
/// # Errors
///
/// The WIT is wrong.
pub fn files(root: &Path) -> Result<Vec<Written>> {
    let mut resolve = Resolve::default();
    resolve
        .push_dir(root.join("wit"))
        .map_err(|cause| Error::new(format!("the contract in wit/ is wrong: {cause:#}")))?;
    let contract = Contract::new(&resolve);
    let codes = Codes::new(&resolve)?;
    let mut files = vec![
        (
            "guest-sdk/javascript/src/contract.ts".into(),
            typescript::contract(&contract),
        ),
        (
            "guest-sdk/javascript/src/imports.d.ts".into(),
            typescript::imports(&contract),
        ),
        (
            "guest-sdk/python/src/portcullis/contract.py".into(),
            python::types(&contract),
        ),
        (
            "guest-sdk/python/src/portcullis/_changes.py".into(),
            python::changes(&contract),
        ),
        (
            "guest-sdk/python/src/portcullis/_points.py".into(),
            python::points(&contract),
        ),
        (
            "host/python/python/portcullis_host/contract.py".into(),
            python_host::types(&contract),
        ),
        (
            "host/python/python/portcullis_host/_points.py".into(),
            python_host::points(&contract),
        ),
        (
            "host/node/lib/contract.ts".into(),
            typescript_host::contract(&contract),
        ),
        ("guest-sdk/rust/src/http/failures.rs".into(), codes.rust()),
        ("guest-sdk/c/http_failures.h".into(), codes.c()),
        ("guest-sdk/go/http/failures_wasip1.go".into(), codes.go()),
        (
            "guest-sdk/javascript/src/http/failures.ts".into(),
            codes.typescript(),
        ),
        (
            "guest-sdk/python/src/portcullis/_http_failures.py".into(),
            codes.python(),
        ),
    ];
    files.extend(go::files(&contract));
    files.extend(probes::files(&contract));
    Ok(files)
}

/// The contract, sorted for writing.
struct Contract<'a> {
    resolve: &'a Resolve,
    names: Names,
    /// The contract's own interfaces, in the order of the files.
    own: Vec<&'a Interface>,
    points: Vec<ContractPoint<'a>>,
    /// The interfaces that hooks import besides facts and answers, under their import names.
    imports: Vec<(String, &'a Interface)>,
}

impl<'a> Contract<'a> {
    fn new(resolve: &'a Resolve) -> Self {
        let mut own = Vec::new();
        let mut imports = Vec::new();
        for (_, interface) in resolve.interfaces.iter() {
            let Some(package) = interface.package.map(|id| &resolve.packages[id].name) else {
                continue;
            };
            if package.namespace == PACKAGE {
                own.push(interface);
            }
            if let Some(name) = &interface.name
                && is_import(name, interface)
                && !has_resources(resolve, interface)
            {
                imports.push((package.interface_id(name), interface));
            }
        }
        let points = ContractPoint::all(&own);
        Self {
            resolve,
            names: Names::new(resolve, &own),
            own,
            points,
            imports,
        }
    }
}

/// Returns whether a hook imports the interface for itself, not for a point.
fn is_import(name: &str, interface: &Interface) -> bool {
    let is_point = points::point_of(name).is_some() || interface.functions.contains_key("handle");
    let is_declared = ["describe", "configuration"].contains(&name);
    !is_point && !is_declared && !interface.functions.is_empty()
}

/// Returns whether the interface is a WASI interface with resources. The SDKs name their uses of
/// these in files of their own.
fn has_resources(resolve: &Resolve, interface: &Interface) -> bool {
    let is_resource = |mut id: TypeId| {
        while let TypeDefKind::Type(Type::Id(other)) = resolve.types[id].kind {
            id = other;
        }
        matches!(resolve.types[id].kind, TypeDefKind::Resource)
    };
    interface.types.values().copied().any(is_resource)
}

#[cfg(test)]
mod tests {
    use super::files;
    use xtask::root;

    #[test]
    fn what_is_written_from_the_contract_is_up_to_date() {
        for (path, text) in files(&root()).expect("the contract is right") {
            let there = std::fs::read_to_string(root().join(&*path)).unwrap_or_default();
            assert!(
                there == text,
                "{path} is out of date; run: cargo xtask contract"
            );
        }
    }
}
