//! The imports that hooks may have.

use std::fmt::Write as _;

use portcullis::capabilities::{CAPABILITIES, Capability, Permission};

use crate::wit::{Contract, docs};

/// The package whose interfaces are described function by function.
const OURS: &str = "portcullis:hooks/";

/// The page of the functions, relative to the table's page.
const PAGE: &str = "../reference/imports.md";

/// Returns one row for each import that needs a grant or that a hook's author would ask for.
pub(crate) fn table() -> String {
    let mut table = "| import | lets a hook | grant |\n| --- | --- | --- |\n\
         | `POINT-facts`, of a point it serves | read the facts of a call: names, sizes, counts | none needed |\n\
         | `POINT-answer`, of a point it serves | give the answers that it imports | `answers`; `contribute` for `add-…` |"
        .to_owned();
    for capability in asked_for() {
        let interfaces = capability.interfaces.iter();
        let names: Vec<String> = interfaces.map(|interface| linked(interface)).collect();
        let grant = match capability.permission {
            Permission::View(_) => "`views`".to_owned(),
            permission => permission
                .example()
                .map_or("none needed".to_owned(), |example| format!("`{example}`")),
        };
        let names = names.join(", ");
        let _ = write!(
            table,
            "\n| {names} | {} | {grant} |",
            capability.description
        );
    }
    table
}

/// Returns an interface's name, with a link if the interface is ours.
fn linked(interface: &str) -> String {
    match interface.strip_prefix(OURS) {
        Some(name) => format!("[`{name}`]({PAGE}#{name})"),
        None => format!("`{interface}`"),
    }
}

/// Returns the capabilities that an author asks for.
fn asked_for() -> impl Iterator<Item = &'static Capability> {
    let runtime = |capability: &&Capability| {
        let inert = matches!(capability.permission, Permission::None);
        inert
            && capability
                .interfaces
                .iter()
                .all(|interface| is_runtime(interface))
    };
    CAPABILITIES
        .iter()
        .filter(move |capability| !runtime(capability))
}

/// Returns whether a language's runtime imports the interface and no author asks for it. One
/// sentence covers these.
fn is_runtime(interface: &str) -> bool {
    let runtime = ["wasi:io/", "wasi:cli/", "wasi:clocks/", "wasi:random/"];
    interface.ends_with("/types") || runtime.iter().any(|begin| interface.starts_with(begin))
}

/// Returns the functions of each of our imports, each import under a heading.
pub(crate) fn functions(wit: &Contract) -> anyhow::Result<String> {
    let mut text = String::new();
    let interfaces = asked_for().flat_map(|capability| capability.interfaces);
    for name in interfaces.filter_map(|interface| interface.strip_prefix(OURS)) {
        let interface = wit.interface(name)?;
        let _ = write!(text, "### {name}\n\n{}\n\n```wit\n", docs(&interface.docs));
        for (index, function) in interface.functions.values().enumerate() {
            let gap = if index == 0 { "" } else { "\n" };
            let said = docs(&function.docs).replace('\n', "\n/// ");
            let _ = writeln!(text, "{gap}/// {said}\n{};", wit.signature(function));
        }
        text += "```\n\n";
        for (name, definition) in wit.own(interface) {
            let described = wit.described(definition, "types.md");
            let _ = write!(text, "#### {name}\n\n{described}\n");
        }
    }
    Ok(text)
}
