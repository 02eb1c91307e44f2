//! The common shell of a hostile component: types, exports, imports, memory. An attack is the rest
//! of the core module, so that its file holds what is hostile and nothing else.

mod around;
mod descriptor;
mod imports;
mod repeat;

use std::fmt::Write as _;

use crate::attack::Card;
pub(crate) use around::around;
use imports::Wiring;

const COMMON: &str = include_str!("common.wat");
const LIBC: &str = include_str!("libc.wat");
const REALLOC: &str = include_str!("realloc.wat");

/// A point that hostile hooks can serve: its types, the core parameters of its function, and how a
/// core function finds out which turn it is.
struct Serves {
    name: &'static str,
    types: &'static str,
    parameters: &'static str,
    turn: &'static str,
}

/// Where the turn is where parameters are passed one by one.
const FIFTH: &str = "(local.get 4)";

const SERVES: &[Serves] = &[
    Serves {
        name: "pre-turn",
        types: include_str!("pre-turn.wat"),
        parameters: "i32 i32 i32 i32 i32 i32 i32 i32",
        turn: FIFTH,
    },
    Serves {
        name: "pre-tool-call",
        types: include_str!("pre-tool-call.wat"),
        parameters: "i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32",
        turn: FIFTH,
    },
    Serves {
        name: "pre-llm-call",
        types: include_str!("pre-llm-call.wat"),
        // More than sixteen values: they are passed in memory.
        parameters: "i32",
        turn: "(i32.load offset=16 (local.get 0))",
    },
    Serves {
        name: "prompt-policy",
        types: include_str!("prompt-policy.wat"),
        parameters: "i32 i32 i32 i32 i32 i32 i32 i32 i32 i32",
        turn: FIFTH,
    },
];

fn serves(card: &Card) -> Result<&'static Serves, String> {
    SERVES
        .iter()
        .find(|serves| serves.name == card.point)
        .ok_or_else(|| format!("no hostile hook serves `{}`", card.point))
}

/// The instance that has the memory.
fn libc(out: &mut String, card: &Card, functions: &str) {
    *out += &LIBC
        .replace("{pages}", &card.pages.to_string())
        .replace("{realloc}", functions);
    *out += "  (core instance $libc (instantiate $libc))\n";
    *out += "  (alias core export $libc \"memory\" (core memory $memory))\n";
    *out += "  (alias core export $libc \"cabi_realloc\" (core func $realloc))\n";
}

/// The text of a component around the body of its core module.
///
/// The body defines `$attack`, which is called in every odd turn, or all of `handle`; it may define
/// `describe`, `cabi_realloc` and `post`, the function that is called after `handle` returned.
///
/// # Errors
///
/// The point or an import is none that hostile hooks can have.
pub(crate) fn component(card: &Card, body: &str) -> Result<String, String> {
    let serves = serves(card)?;
    let wiring = card
        .imports
        .iter()
        .map(|name| Wiring::of(name).ok_or_else(|| format!("there is no import `{name}`")))
        .collect::<Result<Vec<_>, _>>()?;
    let body = repeat::unrolled(body)?;
    let mut out = String::from("(component\n");
    out += COMMON;
    out += serves.types;
    libc(&mut out, card, card.realloc.as_deref().unwrap_or(REALLOC));
    for wired in &wiring {
        out += &wired.component;
    }
    main(&mut out, serves, card, &wiring, &body);
    out += "  (core instance $host\n";
    for wired in &wiring {
        out += &wired.core;
    }
    out += "  )\n  (core instance $main (instantiate $main\n";
    out += "    (with \"libc\" (instance $libc)) (with \"host\" (instance $host))))\n";
    exports(&mut out, serves, &body, "$main");
    out.push(')');
    Ok(out)
}

fn main(out: &mut String, serves: &Serves, card: &Card, wiring: &[Wiring], body: &str) {
    *out += "  (core module $main\n    (import \"libc\" \"memory\" (memory $memory 1))\n";
    *out += "    (import \"libc\" \"cabi_realloc\"\n";
    *out += "      (func $realloc (param i32 i32 i32 i32) (result i32)))\n";
    for wired in wiring {
        *out += &wired.main;
    }
    // Writing to a string does not fail.
    let parameters = serves.parameters;
    let _ = writeln!(
        out,
        "    (type $handle (func (param {parameters}) (result i32)))"
    );
    let _ = writeln!(
        out,
        "    (data (i32.const {}) \"{}\")",
        descriptor::AT,
        descriptor::data(card)
    );
    if !defines(body, "describe") {
        let at = descriptor::AT;
        let _ = writeln!(
            out,
            "    (func (export \"describe\") (result i32) (i32.const {at}))"
        );
    }
    if !defines(body, "handle") {
        let count = parameters.split(' ').count();
        let all: String = (0..count).map(|n| format!(" (local.get {n})")).collect();
        let turn = serves.turn;
        let _ = writeln!(
            out,
            "    (func (export \"handle\") (type $handle)\n      \
               (if (i32.and {turn} (i32.const 1))\n        \
                 (then (return (call $attack{all}))))\n      (i32.const {}))",
            descriptor::CONTINUE
        );
    }
    *out += body;
    *out += "  )\n";
}

fn exports(out: &mut String, serves: &Serves, body: &str, describes: &str) {
    let realloc = match defines(body, "cabi_realloc") {
        true => "(core func $main \"cabi_realloc\")",
        false => "$realloc",
    };
    let post = match defines(body, "post") {
        true => " (post-return (core func $main \"post\"))",
        false => "",
    };
    let name = serves.name;
    let _ = writeln!(
        out,
        r#"  (func $describe (result $descriptor) (canon lift (core func {describes} "describe")
    (memory $memory)))
  (instance $describes (export "describe" (func $describe)))
  (export "portcullis:hooks/describe@0.1.0" (instance $describes))
  (func $handle
    (param "context" $context) (param "input" $input)
    (result (result $outcome (error $hook-error)))
    (canon lift (core func $main "handle") (memory $memory) (realloc {realloc}){post}))
  (instance $handles (export "handle" (func $handle)))
  (export "portcullis:hooks/{name}@0.1.0" (instance $handles))"#
    );
}

/// Whether a body exports a function of its own under a name that the shell has one for.
fn defines(body: &str, name: &str) -> bool {
    body.contains(&format!("(export \"{name}\")"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_and_every_import_makes_a_component() {
        for serves in SERVES {
            for name in imports::names() {
                let card = Card {
                    point: serves.name.into(),
                    imports: vec![name.into()],
                    ..Card::bare()
                };
                let body = "(func $attack (type $handle) unreachable)";
                let text = component(&card, body).expect("a component");
                let bytes = wat::parse_str(&text);
                assert!(bytes.is_ok(), "{} {name}: {:?}", serves.name, bytes.err());
            }
        }
    }

    #[test]
    fn what_is_not_there_is_named() {
        let card = Card {
            point: "pre-lunch".into(),
            ..Card::bare()
        };
        let error = component(&card, "").expect_err("an error");
        assert!(error.contains("pre-lunch"), "{error}");
    }
}
