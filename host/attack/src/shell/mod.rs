//! The common shell of a hostile component: types, exports, imports, memory. An attack file
//! contains only the hostile rest of the core module.

mod around;
mod contract;
mod descriptor;
mod imports;
mod repeat;

use std::fmt::Write as _;

use crate::attack::Header;
pub(crate) use around::around;
use contract::{Function, VERSION};
use imports::Imported;
pub(crate) use repeat::unrolled;

const COMMON: &str = include_str!("common.wat");
const LIBC: &str = include_str!("libc.wat");
/// An honest `cabi_realloc`.
const REALLOC: &str = include_str!("realloc.wat");
/// A `cabi_realloc` that calls the attack's.
const TRAMPOLINE: &str = include_str!("trampoline.wat");

/// The points that hostile hooks can serve.
const POINTS: &[&str] = &[
    "pre-turn",
    "post-turn",
    "pre-tool-call",
    "pre-llm-call",
    "prompt-policy",
    "prompt-tools",
];

/// Refuses with empty texts.
const REFUSE: &str = "    (func $refuse (result i32)
      (call $reject (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)
        (i32.const 0) (i32.const 0) (i32.const 0))
      (i32.const 1))
";

/// Returns the points that a hook serves.
fn points(header: &Header) -> Result<Vec<&str>, String> {
    let points: Vec<&str> = [header.point.as_str()]
        .into_iter()
        .chain(header.also.as_deref())
        .collect();
    match points.iter().find(|point| !POINTS.contains(point)) {
        Some(point) => Err(format!("no hostile hook serves `{point}`")),
        None => Ok(points),
    }
}

/// Returns the imports of a hook: the turn, its possible answers, and the imports that its file
/// names.
fn imported(header: &Header) -> Result<(Imported, bool), String> {
    let reject = format!("{}-answer/reject", header.point);
    let answers: Vec<String> = match &header.answers {
        Some(names) => names
            .iter()
            .map(|name| format!("{}-answer/{name}", header.point))
            .collect(),
        // A hook that may refuse, and so fails closed.
        None if Function::of(&reject).is_some() => vec![reject.clone()],
        None => Vec::new(),
    };
    let refuses = answers.contains(&reject);
    let names = ["call/turn"]
        .into_iter()
        .chain(answers.iter().map(String::as_str))
        .chain(header.imports.iter().map(String::as_str));
    Ok((Imported::of(names, &header.point)?, refuses))
}

/// Adds the instance that has the memory.
fn libc(out: &mut String, header: &Header, functions: &str) {
    *out += &LIBC
        .replace("{pages}", &header.pages.to_string())
        .replace("{functions}", functions);
    *out += "  (core instance $libc (instantiate $libc))\n";
    *out += "  (alias core export $libc \"memory\" (core memory $memory))\n";
    *out += "  (alias core export $libc \"cabi_realloc\" (core func $realloc))\n";
}

/// Returns the text of a component around the body of its core module.
///
/// The body defines `$attack`, which is called in every odd turn, or all of `handle`. It may define
/// `describe`, `$cabi_realloc`, which the host calls for everything that it passes to the hook, and
/// `post`, which is called after `handle` returned. A function of the contract that is imported as
/// `interface/function` is `$function`; one of another point is `$interface/function`. Where
/// `reject` is imported, `$refuse` calls it and returns true.
///
/// # Errors
///
/// Hostile hooks cannot have the point or an import.
pub(crate) fn component(header: &Header, body: &str) -> Result<String, String> {
    let points = points(header)?;
    let (imported, refuses) = imported(header)?;
    let body = unrolled(body)?;
    let own_realloc = body.contains("(func $cabi_realloc ");
    let mut out = String::from("(component\n");
    out += COMMON;
    libc(
        &mut out,
        header,
        match own_realloc {
            true => TRAMPOLINE,
            false => REALLOC,
        },
    );
    out += &imported.component;
    out += "  (core module $main\n    (import \"libc\" \"memory\" (memory $memory 1))\n";
    if own_realloc {
        out += "    (import \"libc\" \"table\" (table $reallocs 1 funcref))\n";
    }
    out += &imported.main;
    main(&mut out, header, refuses, &body);
    if own_realloc {
        out += "    (elem (table $reallocs) (i32.const 0) func $cabi_realloc)\n";
    }
    out += "  )\n  (core instance $host\n";
    out += &imported.core;
    out += "  )\n  (core instance $main (instantiate $main\n";
    out += "    (with \"libc\" (instance $libc)) (with \"host\" (instance $host))))\n";
    exports(&mut out, &points, &body, "$main");
    out.push(')');
    Ok(out)
}

fn main(out: &mut String, header: &Header, refuses: bool, body: &str) {
    let at = descriptor::AT;
    // Writing to a string does not fail.
    let _ = writeln!(out, "    (type $handle (func (result i32)))");
    let _ = writeln!(
        out,
        "    (data (i32.const {at}) \"{}\")",
        descriptor::data(header)
    );
    if !defines(body, "describe") {
        let _ = writeln!(
            out,
            "    (func (export \"describe\") (result i32) (i32.const {at}))"
        );
    }
    if !defines(body, "handle") {
        let now = match header.turn {
            Some(turn) => format!("(i32.eq (call $turn) (i32.const {turn}))"),
            None => "(i32.and (call $turn) (i32.const 1))".to_owned(),
        };
        let _ = writeln!(
            out,
            "    (func (export \"handle\") (type $handle)\n      (if {now}\n        \
             (then (return (call $attack))))\n      (i32.const 0))"
        );
    }
    if header.also.is_some() {
        *out += "    (func (export \"also\") (type $handle) (i32.const 0))\n";
    }
    if refuses {
        *out += REFUSE;
    }
    *out += body;
}

fn exports(out: &mut String, points: &[&str], body: &str, describes: &str) {
    let post = match defines(body, "post") {
        true => " (post-return (core func $main \"post\"))",
        false => "",
    };
    // Writing to a string does not fail.
    let _ = writeln!(
        out,
        r#"  (func $describe (result $descriptor) (canon lift (core func {describes} "describe")
    (memory $memory)))
  (instance $describes (export "describe" (func $describe)))
  (export "portcullis:hooks/describe@{VERSION}" (instance $describes))"#
    );
    if defines(body, "schema") {
        let _ = writeln!(
            out,
            r#"  (func $schema (result string) (canon lift (core func $main "schema") (memory $memory)))
  (instance $configures (export "schema" (func $schema)))
  (export "portcullis:hooks/configuration@{VERSION}" (instance $configures))"#
        );
    }
    for (point, (function, post)) in points.iter().zip([("handle", post), ("also", "")]) {
        let _ = writeln!(
            out,
            r#"  (func ${function} (result bool) (canon lift (core func $main "{function}"){post}))
  (instance ${function}s (export "handle" (func ${function})))
  (export "portcullis:hooks/{point}@{VERSION}" (instance ${function}s))"#
        );
    }
}

/// Returns whether a body exports a function under a name of the shell's own exports.
fn defines(body: &str, name: &str) -> bool {
    body.contains(&format!("(export \"{name}\")"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_and_every_import_makes_a_component() {
        for point in POINTS {
            for name in imports::names() {
                let header = Header {
                    point: (*point).into(),
                    imports: vec![name.clone()],
                    also: POINTS.iter().find(|p| *p != point).map(|p| (*p).into()),
                    ..Header::bare()
                };
                let body = "(func $attack (type $handle) unreachable)\n\
                    (func $cabi_realloc (param i32 i32 i32 i32) (result i32) unreachable)\n";
                let text = component(&header, body).expect("a component");
                let bytes = wat::parse_str(&text);
                assert!(bytes.is_ok(), "{point} {name}: {:?}", bytes.err());
            }
        }
    }

    #[test]
    fn the_version_is_the_hosts() {
        assert_eq!(VERSION, portcullis::contract::VERSION);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let header = Header {
            point: "pre-lunch".into(),
            ..Header::bare()
        };
        let error = component(&header, "").expect_err("an error");
        assert!(error.contains("pre-lunch"), "{error}");
        let header = Header {
            imports: vec!["call/lunch".into()],
            ..Header::bare()
        };
        let error = component(&header, "").expect_err("an error");
        assert!(error.contains("call/lunch"), "{error}");
    }
}
