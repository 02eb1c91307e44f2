//! A hook in Go imports only the facts and answers that its code calls: those that the linker
//! keeps.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use portcullis_project::{Contract, Language};
use portcullis_tests::root;
use wit_parser::{Function, Interface, Resolve, Type, TypeDefKind};

use super::c_imports::imports;
use super::from_nothing::{built, make, point};

/// The maximum number of answers of a point. The hook at an index uses the answer at that index of
/// every point, and every `HOOKS`-th fact.
const HOOKS: usize = 5;

#[test]
fn a_hook_in_go_imports_what_it_calls() {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(root().join("wit")).expect("the contract");
    let interfaces = &resolve.packages[package].interfaces;
    let points: Vec<&str> = Contract::embedded()
        .points()
        .iter()
        .map(|point| point.name.as_str())
        .collect();
    let all = points.iter().copied().map(point).collect();
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::Go, all);
    for index in 0..HOOKS {
        let (mut packages, mut handlers) = (String::new(), String::new());
        let mut expected = BTreeMap::new();
        for point in &points {
            let find = |suffix: &str| {
                let id = interfaces.get(&format!("{point}-{suffix}"))?;
                resolve.interfaces.get(*id)
            };
            let answers = find("answer");
            let answer = answers.and_then(|answers| answers.functions.values().nth(index));
            let facts = find("facts").expect("facts").functions.values();
            let facts: Vec<&Function> = facts.skip(index).step_by(HOOKS).collect();
            let name = point.replace('-', "");
            // Writing to a string does not fail.
            let _ = writeln!(packages, "\t\"portcullis/{name}\"");
            let _ = writeln!(handlers, "\t{name}.Handle(func(call {name}.Call) error {{");
            for fact in &facts {
                let _ = writeln!(handlers, "\t\tcall.{}()", method(&resolve, answers, fact));
            }
            if let Some(answer) = answer {
                let _ = writeln!(handlers, "\t\t{}", called(&resolve, answer));
            }
            let _ = writeln!(handlers, "\t\treturn nil\n\t}})");
            let used = [("facts", facts), ("answer", Vec::from_iter(answer))];
            for (suffix, used) in used.into_iter().filter(|(_, used)| !used.is_empty()) {
                let names: BTreeSet<String> = used.iter().map(|it| it.name.clone()).collect();
                expected.insert(format!("{point}-{suffix}"), names);
            }
        }
        let source = format!(
            "package main\n\nimport (\n\t\"portcullis\"\n\t\"portcullis/contract\"\n{packages})\n\n\
             var _ contract.ContentPart\n\nfunc init() {{\n\
             \tportcullis.Describe(portcullis.Hook{{ID: \"my-hook\", Description: \"Uses some.\"}})\n\
             {handlers}}}\n\nfunc main() {{}}\n"
        );
        fs::write(dir.path().join("hook.go"), source).expect("the source");
        let component = built(&project);
        let mut imported = imports(&component);
        imported.retain(|name, _| name.ends_with("-facts") || name.ends_with("-answer"));
        assert_eq!(imported, expected, "hook {index}");
    }
}

/// Returns a fact's method. A fact with the name of an answer is named by its type.
fn method(resolve: &Resolve, answers: Option<&Interface>, fact: &Function) -> String {
    let is_taken = answers.is_some_and(|answers| answers.functions.contains_key(&fact.name));
    match fact.result.filter(|_| is_taken) {
        Some(Type::Id(id)) => {
            let mut id = id;
            while let TypeDefKind::Type(Type::Id(of)) = resolve.types[id].kind {
                id = of;
            }
            pascal(resolve.types[id].name.as_deref().unwrap_or_default())
        }
        _ => pascal(&fact.name),
    }
}

/// Returns a call of the answer's method.
fn called(resolve: &Resolve, answer: &Function) -> String {
    let is_option = |ty: Type| match ty {
        Type::Id(id) => matches!(resolve.types[id].kind, TypeDefKind::Option(_)),
        _ => false,
    };
    let params = match answer.params.split_last() {
        Some((last, rest)) if is_option(last.ty) => rest,
        _ => &answer.params,
    };
    let values: Vec<String> = params
        .iter()
        .map(|param| value(resolve, param.ty))
        .collect();
    format!("call.{}({})", pascal(&answer.name), values.join(", "))
}

fn value(resolve: &Resolve, ty: Type) -> String {
    let mut id = match ty {
        Type::Bool => return "false".into(),
        Type::String => return "\"\"".into(),
        Type::Id(id) => id,
        _ => return "0".into(),
    };
    while let TypeDefKind::Type(Type::Id(of)) = resolve.types[id].kind {
        id = of;
    }
    let defined = &resolve.types[id];
    match &defined.kind {
        TypeDefKind::Record(_) => {
            let name = defined.name.as_deref().unwrap_or_default();
            format!("contract.{}{{}}", pascal(name))
        }
        // A nil ends a real call, and this one is never made.
        _ => "nil".into(),
    }
}

fn pascal(name: &str) -> String {
    name.split('-')
        .map(|word| match word {
            "id" | "llm" | "url" => word.to_uppercase(),
            _ => {
                let (first, rest) = word.split_at(1);
                first.to_uppercase() + rest
            }
        })
        .collect()
}
