//! What hooks may import.

use std::fmt::Write as _;

use portcullis::{CAPABILITIES, Capability, Permission};

use crate::wit::{Contract, docs};

/// The package whose interfaces are described function by function.
const OURS: &str = "portcullis:hooks/";

/// The page of the functions, as seen from that of the table.
const PAGE: &str = "../reference/imports.md";

/// One row for each import that needs a grant or that a hook's author would ask for.
pub(crate) fn table() -> String {
    let mut table = "| import | lets a hook | grant |\n| --- | --- | --- |\n\
         | `POINT-facts`, of a point it serves | read the facts of a call: names, sizes, counts | none needed |\n\
         | `POINT-answer`, of a point it serves | give the answers that it imports | `answers`; `contribute` for `add-…` |"
        .to_owned();
    for capability in CAPABILITIES.iter().filter(|listed| is_asked_for(listed)) {
        let name = capability.interface.trim_start_matches(OURS);
        let linked = match capability.interface.starts_with(OURS) {
            true => format!("[`{name}`]({PAGE}#{name})"),
            false => format!("`{name}`"),
        };
        let _ = write!(
            table,
            "\n| {linked} | {} | {} |",
            capability.lets,
            grant(capability.permission)
        );
    }
    table
}

fn is_asked_for(capability: &Capability) -> bool {
    capability.permission != Permission::None || !is_runtime(capability.interface)
}

/// What a language's runtime imports and no author asks for: one sentence covers it.
fn is_runtime(interface: &str) -> bool {
    let runtime = [
        "wasi:io/",
        "wasi:cli/",
        "wasi:clocks/",
        "wasi:random/",
        "wasi:filesystem/",
    ];
    interface.ends_with("/types") || runtime.iter().any(|begin| interface.starts_with(begin))
}

const fn grant(permission: Permission) -> &'static str {
    match permission {
        Permission::None => "none needed",
        Permission::View(_) => "`views`",
        Permission::Answers(_) => "`answers`",
        Permission::State => "`state = true`",
        Permission::SharedState => "`shared-state = [\"name\"]`",
        Permission::Events => "`events = true`",
        Permission::Secrets => "`secrets = [\"NAME\"]`",
        Permission::Http => "`http = [\"GET https://api.example.com\"]`",
        Permission::Directories => "`read = [\"dir\"]`, `write = [\"dir\"]`",
    }
}

/// The functions of each import of ours, each import under a heading.
pub(crate) fn functions(wit: &Contract) -> anyhow::Result<String> {
    let mut text = String::new();
    for capability in CAPABILITIES.iter().filter(|listed| is_asked_for(listed)) {
        let Some(name) = capability.interface.strip_prefix(OURS) else {
            continue;
        };
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
