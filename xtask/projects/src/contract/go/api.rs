//! The API that authors call.

use std::fmt::Write;

use wit_parser::{Docs, Function, Type, TypeDefKind};

use super::file::with_imports;
use super::imports::params;
use super::names::{exported, local, package};
use super::types::{docs, go};
use super::{Package, Returns, kind};
use crate::contract::Contract;
use crate::contract::points::ContractPoint;

/// The beginning of a contribution's name: a hook may add several.
const CONTRIBUTION: &str = "add-";

/// Returns the package of an interface.
pub(super) fn interface(contract: &Contract<'_>, package: &Package<'_>) -> String {
    let name = package.path.rsplit('/').next().unwrap_or_default();
    let mut body = String::new();
    for function in package.interface.functions.values() {
        body.push('\n');
        docs(&exported(&function.name), &function.docs, "", &mut body);
        delegate(
            contract,
            "func ",
            &exported(&function.name),
            &local(&function.name),
            function,
            &mut body,
        );
    }
    file(name, &package.interface.docs, "", &body)
}

/// Returns the package of a point.
pub(super) fn point(contract: &Contract<'_>, point: &ContractPoint<'_>) -> String {
    let name = package(point.name);
    let mut body = format!(
        "\nvar handler func(Call) error\n\n\
         // Handle makes `handle` the handler of the point. An answer's method returns nil, so that the handler can return\n\
         // it; a handler that returns nil without an answer continues. An error is the hook's own failure, never a refusal.\n\
         func Handle(handle func(Call) error) {{\n\tserve.Point(\"{}\")\n\thandler = handle\n}}\n\n\
         // Call is a call of the hook at this point: its facts, each read when it is asked for, and its answers.\n\
         type Call struct{{}}\n",
        point.name
    );
    let answers: Vec<&Function> = point.answers().collect();
    let facts = point
        .facts
        .into_iter()
        .flat_map(|facts| facts.functions.values());
    let facts: Vec<&Function> = facts.collect();
    for fact in &facts {
        // A fact with the same name as an answer is named by its type.
        let method = match answers.iter().any(|answer| answer.name == fact.name) {
            true => fact
                .result
                .map_or_else(String::new, |ty| go(contract, ty, "")),
            false => exported(&fact.name),
        };
        body.push('\n');
        docs(&method, &fact.docs, "", &mut body);
        let inner = local(&format!("fact-{}", fact.name));
        delegate(contract, "func (Call) ", &method, &inner, fact, &mut body);
    }
    let shared = contract
        .own
        .iter()
        .find(|interface| interface.name.as_deref() == Some("call"));
    for function in shared
        .into_iter()
        .flat_map(|interface| interface.functions.values())
    {
        if facts.iter().any(|fact| fact.name == function.name) {
            continue;
        }
        let method = exported(&function.name);
        body.push('\n');
        docs(&method, &function.docs, "", &mut body);
        delegate(
            contract,
            "func (Call) ",
            &method,
            &format!("call.{method}"),
            function,
            &mut body,
        );
    }
    for answer in answers {
        self::answer(contract, answer, &mut body);
    }
    let about = Docs {
        contents: Some(format!(
            "Package {name} serves the point `{}`.\n\n{}",
            point.name,
            point.docs.contents.as_deref().unwrap_or_default().trim()
        )),
    };
    file(&name, &about, "", &body)
}

/// Writes a function that only calls another.
fn delegate(
    contract: &Contract<'_>,
    start: &str,
    name: &str,
    to: &str,
    function: &Function,
    out: &mut String,
) {
    let returns = Returns::of(contract, function).signature(contract);
    let given: Vec<_> = function
        .params
        .iter()
        .map(|param| local(&param.name))
        .collect();
    let result = if returns.is_empty() { "" } else { "return " };
    let _ = writeln!(
        out,
        "{start}{name}({}){returns} {{\n\t{result}{to}({})\n}}",
        params(contract, function),
        given.join(", ")
    );
}

/// Writes an answer's method. An answer whose last parameter is an option has a second method with
/// that parameter.
fn answer(contract: &Contract<'_>, answer: &Function, out: &mut String) {
    let last = answer.params.last();
    let some = last.and_then(|param| match kind(contract, param.ty) {
        Some(TypeDefKind::Option(some)) => Some((param, *some)),
        _ => None,
    });
    match some {
        Some((param, some)) => {
            let name = exported(&answer.name);
            method(contract, answer, &name, None, "nil", out);
            let with = format!("{name}With");
            let last = local(&param.name);
            let pointer = super::types::pointer(contract, some).replace('*', "&");
            method(
                contract,
                answer,
                &with,
                Some(some),
                &format!("{pointer}{last}"),
                out,
            );
        }
        None => {
            let last = last.map(|param| (param.ty, local(&param.name)));
            let (ty, name) = last.unzip();
            method(
                contract,
                answer,
                &exported(&answer.name),
                ty,
                name.as_deref().unwrap_or_default(),
                out,
            );
        }
    }
}

/// Writes a method whose last parameter has the type `last`. The parameter is left out if `last` is
/// `None`.
fn method(
    contract: &Contract<'_>,
    answer: &Function,
    name: &str,
    last: Option<Type>,
    given: &str,
    out: &mut String,
) {
    let count = answer.params.len().saturating_sub(1);
    let mut declared = Vec::new();
    let mut passed = Vec::new();
    for (at, param) in answer.params.iter().enumerate() {
        let ty = match at == count {
            true => last,
            false => Some(param.ty),
        };
        if let Some(ty) = ty {
            declared.push(format!(
                "{} {}",
                local(&param.name),
                go(contract, ty, "contract.")
            ));
        }
        passed.push(if at == count {
            given.to_owned()
        } else {
            local(&param.name)
        });
    }
    let inner = local(&format!("answer-{}", answer.name));
    let (result, end) = match answer.name.starts_with(CONTRIBUTION) {
        true => ("", ""),
        false => (" error", "\treturn nil\n"),
    };
    out.push('\n');
    docs(name, &answer.docs, "", out);
    let _ = writeln!(
        out,
        "func (Call) {name}({}){result} {{\n\tserve.Answered()\n\t{inner}({})\n{end}}}",
        declared.join(", "),
        passed.join(", ")
    );
}

fn file(name: &str, about: &Docs, constraint: &str, body: &str) -> String {
    let mut imports = Vec::new();
    for (used, path) in [
        ("call.", "portcullis/call"),
        ("contract.", "portcullis/contract"),
        ("serve.", "portcullis/internal/serve"),
    ] {
        let code = body.lines().filter(|line| !line.starts_with("//"));
        let mut code =
            code.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '.')));
        if code.any(|word| word.starts_with(used)) {
            imports.push(path);
        }
    }
    let mut text = String::new();
    let named = match about.contents.as_deref().unwrap_or_default() {
        text if text.starts_with("Package ") => "".to_owned(),
        _ => format!("Package {name} is an import of the contract"),
    };
    docs(&named, about, "", &mut text);
    let text = format!("{constraint}{text}");
    with_imports(name, &text, &[&imports], body)
}
