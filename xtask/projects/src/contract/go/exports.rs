//! The exports of components.

use super::file::with_imports;
use crate::contract::Contract;
use crate::contract::points::ContractPoint;

/// Returns the export of a point.
pub(super) fn point(contract: &Contract<'_>, point: &ContractPoint<'_>) -> String {
    let module = exported(contract, point.name);
    format!(
        "\n//go:wasmexport {module}#handle\nfunc export() bool {{\n\treturn serve.Run(func() error {{ return handler(Call{{}}) }})\n}}\n"
    )
}

/// Returns the export that every hook has: the author's declarations.
pub(super) fn describe(contract: &Contract<'_>) -> String {
    let export = exported(contract, "describe");
    let body = format!(
        "\n// The descriptor, and what it points to: the host reads them when the function has returned.\n\
         var (\n\tdescribed [64]uint64\n\tkept      wire.Args\n)\n\n\
         //go:wasmexport {export}#describe\nfunc describe() uint32 {{\n\tp := unsafe.Pointer(&described)\n\
         \twire.LowerDescriptor(&kept, p, Described())\n\treturn wire.Address(p)\n}}\n"
    );
    with_imports(
        "serve",
        "",
        &[&["unsafe"], &["portcullis/internal/wire"]],
        &body,
    )
}

/// Returns the export of hooks that read a configuration: its schema.
pub(super) fn configuration(contract: &Contract<'_>) -> String {
    let export = exported(contract, "configuration");
    let body = format!(
        "\n// The schema: the host reads it when the function has returned.\n\
         var (\n\tdescribed [1]uint64\n\tkept      wire.Args\n)\n\n\
         //go:wasmexport {export}#schema\nfunc export() uint32 {{\n\tp := unsafe.Pointer(&described)\n\
         \twire.PutString(&kept, p, text())\n\treturn wire.Address(p)\n}}\n"
    );
    with_imports(
        "config",
        "",
        &[&["unsafe"], &["portcullis/internal/wire"]],
        &body,
    )
}

/// Returns an interface's name, as components export it.
fn exported(contract: &Contract<'_>, name: &str) -> String {
    let mut own = contract.own.iter();
    let interface = own.find(|interface| interface.name.as_deref() == Some(name));
    let package = interface.and_then(|interface| interface.package);
    package.map_or_else(String::new, |id| {
        contract.resolve.packages[id].name.interface_id(name)
    })
}
