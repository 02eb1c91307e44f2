//! The contract's own functions, which an attack imports one by one: facts, answers, failures.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::imports::Imported;

/// The version of the contract.
pub(super) const VERSION: &str = "0.2.0";
/// The functions: the interface, the name and the types it needs; its type in the component; its type in the core module.
const FUNCTIONS: &str = include_str!("functions.wat");
/// The types of the contract that functions name.
const TYPES: &str = include_str!("types.wat");

/// A function of the contract.
#[derive(Clone, Copy)]
pub(super) struct Function {
    pub(super) interface: &'static str,
    pub(super) name: &'static str,
    /// The types that it needs, by name.
    types: &'static str,
    component: &'static str,
    core: &'static str,
}

impl Function {
    /// Returns the function with the path `interface/name`.
    pub(super) fn of(path: &str) -> Option<Self> {
        all().find(|function| path.split_once('/') == Some((function.interface, function.name)))
    }

    /// Returns the function's identifier in the core module of a hook that serves `point`. For a
    /// function of another point, the identifier includes the interface.
    fn identifier(&self, point: &str) -> String {
        let part = ["-facts", "-answer"]
            .iter()
            .find_map(|part| self.interface.strip_suffix(part));
        match part {
            Some(other) if other != point => format!("{}/{}", self.interface, self.name),
            _ => self.name.to_owned(),
        }
    }
}

/// Returns all functions.
pub(super) fn all() -> impl Iterator<Item = Function> {
    FUNCTIONS.split("\n\n").filter_map(|block| {
        let (title, rest) = block.trim_start_matches(";; ").split_once('\n')?;
        let (title, types) = title.split_once(": ").unwrap_or((title, ""));
        let (interface, name) = title.split_once(' ')?;
        let (component, core) = rest.trim_end().rsplit_once('\n')?;
        Some(Function {
            interface,
            name,
            types,
            component,
            core,
        })
    })
}

/// Returns the imports of functions by a hook that serves `point`.
pub(super) fn imported(functions: &[Function], point: &str) -> Imported {
    let mut imported = Imported::default();
    let interfaces: BTreeSet<&str> = functions.iter().map(|f| f.interface).collect();
    for interface in interfaces {
        let of_it: Vec<_> = functions
            .iter()
            .filter(|f| f.interface == interface)
            .collect();
        let mut types = Vec::new();
        for name in of_it.iter().flat_map(|f| f.types.split_whitespace()) {
            need(name, &mut types);
        }
        let component = &mut imported.component;
        // Writing to a string does not fail.
        let _ = writeln!(
            component,
            "  (import \"portcullis:hooks/{interface}@{VERSION}\" (instance ${interface}"
        );
        for (name, definition) in types {
            let _ = writeln!(
                component,
                "    (type ${name}' {definition})\n    \
                 (export \"{name}\" (type ${name} (eq ${name}')))"
            );
        }
        for function in &of_it {
            let _ = writeln!(
                component,
                "    (export \"{}\" {})",
                function.name, function.component
            );
        }
        *component += "  ))\n";
        for function in of_it {
            let Function { name, core, .. } = function;
            let path = format!("{interface}/{name}");
            let _ = writeln!(
                component,
                "  (core func ${path}' (canon lower (func ${interface} \"{name}\")\n    \
                 (memory $memory) (realloc $realloc)))"
            );
            let _ = writeln!(imported.core, "    (export \"{path}\" (func ${path}'))");
            let _ = writeln!(
                imported.main,
                "    (import \"host\" \"{path}\" (func ${} {core}))",
                function.identifier(point)
            );
        }
    }
    imported
}

/// Returns the functions as core instances, one for each interface, and the arguments that give
/// them to a core module under the interfaces' own names.
pub(super) fn instances(functions: &[Function]) -> (String, String) {
    let (mut instances, mut given) = (String::new(), String::new());
    for function in functions {
        let Function {
            interface, name, ..
        } = function;
        // Writing to a string does not fail.
        let _ = writeln!(
            instances,
            "  (core instance ${interface}' (export \"{name}\" (func ${interface}/{name}')))"
        );
        let _ = write!(
            given,
            " (with \"portcullis:hooks/{interface}@{VERSION}\" (instance ${interface}'))"
        );
    }
    (instances, given)
}

/// Adds a type after the types that it needs.
fn need(name: &str, into: &mut Vec<(&'static str, &'static str)>) {
    let Some((title, definition)) = TYPES
        .split("\n\n")
        .filter_map(|block| block.trim_start_matches(";; ").split_once('\n'))
        .find(|(title, _)| title.split(':').next() == Some(name))
    else {
        return;
    };
    let (name, needs) = title.split_once(": ").unwrap_or((title, ""));
    if into.iter().any(|(there, _)| *there == name) {
        return;
    }
    for needed in needs.split_whitespace() {
        need(needed, into);
    }
    into.push((name, definition.trim_end()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_another_point_are_told_apart() {
        let reject = Function::of("pre-turn-answer/reject").expect("a function");
        assert_eq!(reject.identifier("pre-turn"), "reject");
        assert_eq!(reject.identifier("pre-tool-call"), "pre-turn-answer/reject");
        let turn = Function::of("call/turn").expect("a function");
        assert_eq!(turn.identifier("pre-turn"), "turn");
        assert!(Function::of("call/approve").is_none());
    }

    #[test]
    fn a_type_stands_behind_what_it_needs() {
        let mut types = Vec::new();
        need("content-part", &mut types);
        let names: Vec<_> = types.iter().map(|(name, _)| *name).collect();
        assert_eq!(
            names,
            [
                "image-source",
                "image",
                "tool-call",
                "tool-result",
                "content-part"
            ]
        );
    }
}
