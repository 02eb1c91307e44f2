//! Checks that the objects of the author's sources define the hook's functions and descriptor. The
//! errors name the function. The linker would name a symbol, or drop the function without an error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use heck::ToSnakeCase as _;
use wasmparser::{KnownCustom, Linking, Parser, Payload, SymbolFlags, SymbolInfo};

use super::compiler::Dialect;
use crate::build::BuildError;
use crate::error::read;
use crate::nearest::nearest;
use crate::{Contract, Point, Project};

/// The symbol of the descriptor.
const DESCRIPTOR: &str = "pc_hook";

/// Checks that the author's sources define the descriptor, the functions of the points that
/// `portcullis.toml` lists, and those of no other point. Each source has its object.
pub(super) fn check(
    project: &Project,
    dialect: Dialect,
    objects: &[(PathBuf, PathBuf)],
) -> Result<(), BuildError> {
    let mut defined = BTreeMap::new();
    for (source, object) in objects {
        // An object for optimisation by the linker is not wasm. The linker checks it.
        let Some(names) = defined_in(&read(object)?) else {
            return Ok(());
        };
        let source = source.strip_prefix(project.dir()).unwrap_or(source);
        defined.extend(names.into_iter().map(|name| (name, source.to_owned())));
    }
    let problems = problems(project, dialect, &defined);
    match problems.is_empty() {
        true => Ok(()),
        false => Err(BuildError::Hook {
            output: problems.join("\n"),
        }),
    }
}

fn problems(
    project: &Project,
    dialect: Dialect,
    defined: &BTreeMap<String, PathBuf>,
) -> Vec<String> {
    let mut problems = Vec::new();
    if !defined.contains_key(DESCRIPTOR) {
        problems.push(format!(
            "src has no descriptor of the hook; write PORTCULLIS_HOOK(.id = \"{}\", .description = \"…\"); in one of its files",
            project.name()
        ));
    }
    let points = project.points();
    for point in points {
        let function = function_of(point.name());
        if defined.contains_key(&symbol_of(&function, dialect)) {
            continue;
        }
        let result = match dialect {
            Dialect::C => "bool",
            Dialect::Cpp => "portcullis::Answer",
        };
        let fix = match misspelled(&function, defined) {
            Some(name) => format!("rename `{name}`"),
            None => "write it, or remove the point from `points`".to_owned(),
        };
        problems.push(format!(
            "portcullis.toml lists `{point}`, and src has no function `{result} {function}({})`; {fix}",
            dialect.no_parameters(),
        ));
    }
    for (name, source) in defined {
        let function = plain(name);
        let has_no_parameters = name == function || *name == symbol_of(function, dialect);
        if let Some(point) = unlisted(function, points).filter(|_| has_no_parameters) {
            let listed: Vec<&str> = points.iter().map(Point::name).collect();
            problems.push(not_listed(function, source, point, &listed));
        }
    }
    problems
}

/// Returns the function that is most like this one, among those that serve no point.
fn misspelled(function: &str, defined: &BTreeMap<String, PathBuf>) -> Option<String> {
    let others = defined.keys().map(|name| plain(name));
    let others = others.filter(|name| name.starts_with("on_") && point_of(name).is_none());
    let others: Vec<String> = others.map(|name| name.replace('_', "-")).collect();
    let similar = nearest(function, others.iter().map(String::as_str));
    similar.first().map(|name| name.replace('-', "_"))
}

/// Returns the point that a function serves.
fn point_of(function: &str) -> Option<&'static str> {
    let known = Contract::embedded().points().iter();
    let mut known = known.map(|point| point.name.as_str());
    known.find(|point| function_of(point) == function)
}

/// Returns the point that a function serves, if it is not one of these.
fn unlisted(function: &str, points: &[Point]) -> Option<&'static str> {
    let point = point_of(function)?;
    let is_listed = points.iter().any(|listed| listed.name() == point);
    (!is_listed).then_some(point)
}

/// Returns the error for a function of a point that `portcullis.toml` does not list.
pub(super) fn not_listed(function: &str, source: &Path, point: &str, listed: &[&str]) -> String {
    let all = listed.iter().chain([&point]);
    let all: Vec<String> = all.map(|point| format!("\"{point}\"")).collect();
    format!(
        "{} has the function `{function}`, and portcullis.toml does not list `{point}`, so it would never run; write points = [{}] there, or remove the function",
        source.display(),
        all.join(", ")
    )
}

/// Returns the name of the function that serves a point.
fn function_of(point: &str) -> String {
    format!("on_{}", point.to_snake_case())
}

/// Returns the symbol of a function without parameters.
fn symbol_of(function: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::C => function.to_owned(),
        Dialect::Cpp => format!("_Z{}{function}v", function.len()),
    }
}

/// Returns the name of a function from its symbol, in C or in C++.
fn plain(symbol: &str) -> &str {
    let mangled = symbol.strip_prefix("_Z").and_then(|rest| {
        let name = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let len = rest.get(..rest.len() - name.len())?.parse().ok()?;
        name.get(..len)
    });
    mangled.unwrap_or(symbol)
}

/// Returns the global symbols that an object defines; `None` if it is no object of wasm.
fn defined_in(object: &[u8]) -> Option<Vec<String>> {
    let mut defined = Vec::new();
    let mut has_symbols = false;
    for payload in Parser::new(0).parse_all(object) {
        let Payload::CustomSection(section) = payload.ok()? else {
            continue;
        };
        let KnownCustom::Linking(linking) = section.as_known() else {
            continue;
        };
        for part in linking.subsections() {
            let Linking::SymbolTable(table) = part.ok()? else {
                continue;
            };
            has_symbols = true;
            for symbol in table {
                let (flags, name) = match symbol.ok()? {
                    SymbolInfo::Func { flags, name, .. } => (flags, name),
                    SymbolInfo::Data { flags, name, .. } => (flags, Some(name)),
                    _ => continue,
                };
                let is_elsewhere = SymbolFlags::UNDEFINED | SymbolFlags::BINDING_LOCAL;
                if let Some(name) = name.filter(|_| !flags.intersects(is_elsewhere)) {
                    defined.push(name.to_owned());
                }
            }
        }
    }
    has_symbols.then_some(defined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_has_the_name_of_its_function() {
        for (symbol, name) in [
            ("on_pre_turn", "on_pre_turn"),
            ("_Z11on_pre_turnv", "on_pre_turn"),
            ("_Z11on_pre_turni", "on_pre_turn"),
            ("_ZN1a3fooEv", "_ZN1a3fooEv"),
            ("_Z99on", "_Z99on"),
            ("_Z", "_Z"),
        ] {
            assert_eq!(plain(symbol), name);
        }
        assert_eq!(symbol_of("on_pre_turn", Dialect::Cpp), "_Z11on_pre_turnv");
    }

    #[test]
    fn a_function_of_a_point_that_is_not_listed_is_found() {
        let listed = ["pre-turn".parse().expect("a point")];
        assert_eq!(unlisted("on_post_turn", &listed), Some("post-turn"));
        for other in ["on_pre_turn", "on_time", "post_turn"] {
            assert_eq!(unlisted(other, &listed), None, "{other}");
        }
    }

    #[test]
    fn bytes_that_are_no_object_have_no_symbols() {
        for bytes in [&b"BC\xc0\xde"[..], b"", b"\0asm\x01\0\0\0"] {
            assert_eq!(defined_in(bytes), None);
        }
    }
}
