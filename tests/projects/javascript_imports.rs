//! A hook in JavaScript imports the answers that its code uses, and no others; its types allow only legal answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use portcullis_project::contract::PointShape;
use portcullis_project::{BuildError, Contract, Language};

use super::c_imports::imports;
use super::from_nothing::{built, make, options, point};

/// Each answer with an expression that makes it.
const ANSWERS: [(&str, &str); 16] = [
    ("transform", "sdk.transform('')"),
    ("replace", "sdk.replace('')"),
    ("answer", "sdk.answer('')"),
    ("reject", "sdk.reject('code', 'reason')"),
    ("ask", "sdk.ask('question')"),
    ("stop", "sdk.stop('code', 'message')"),
    ("keep-going", "sdk.keepGoing('message')"),
    ("retry", "sdk.retry(1)"),
    ("switch-provider", "sdk.switchProvider('other')"),
    ("give-up", "sdk.giveUp()"),
    ("add-policy", "sdk.contribute(sdk.policy('domain', {}))"),
    ("add-context", "sdk.contribute(sdk.contextItem('kind', ''))"),
    ("add-section", "sdk.contribute(sdk.section('id', ''))"),
    ("add-tools", "sdk.contribute(sdk.tools('name', []))"),
    ("add-note", "sdk.contribute(sdk.note('code'))"),
    ("add-job", "sdk.contribute(sdk.job('name'))"),
];

/// The number of hooks. A build takes seconds, so a hook uses several answers: those that have the
/// hook's bit in their number, from 1.
const HOOKS: usize = 5;

fn points() -> &'static [PointShape] {
    Contract::embedded().points()
}

/// Returns the name of the point's handler.
fn handler(point: &PointShape) -> String {
    let mut words = point.name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(1);
        name + &initial.to_uppercase() + rest
    })
}

#[test]
fn every_answer_of_the_contract_is_in_the_table() {
    let in_contract: BTreeSet<&str> = points()
        .iter()
        .flat_map(|point| point.answers.iter().map(|answer| answer.name.as_str()))
        .collect();
    assert_eq!(in_contract, ANSWERS.map(|(name, _)| name).into());
    assert!(ANSWERS.len() < 1 << HOOKS);
}

#[test]
fn a_hook_imports_the_answers_it_uses() {
    let all = points().iter().map(|shape| point(&shape.name)).collect();
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::JavaScript, all);
    for hook in 0..HOOKS {
        let used: BTreeMap<&str, &str> = ANSWERS
            .iter()
            .enumerate()
            .filter(|(at, _)| (at + 1) >> hook & 1 == 1)
            .map(|(_, answer)| *answer)
            .collect();
        fs::write(dir.path().join("src/hook.js"), source(&used)).expect("the source");
        let imports = imports(&built(&project));
        assert_eq!(imports, expected(&used), "hook {hook}");
    }
}

/// Returns the source of a hook that serves all points, and returns any of these answers at each.
fn source(used: &BTreeMap<&str, &str>) -> String {
    let mut source = String::from("import * as sdk from \"portcullis\";\n\nconst outcomes = [\n");
    for outcome in used.values() {
        // Writing to a string does not fail.
        let _ = writeln!(source, "  () => {outcome},");
    }
    source += "];\nconst any = (_, call) => outcomes[Object.keys(call).length]?.();\n\n";
    source += "export default sdk.defineHook({\n  id: \"my-hook\",\n  description: \"Answers.\",\n";
    for shape in points() {
        let _ = writeln!(source, "  {}: any,", handler(shape));
    }
    source + "});\n"
}

/// Returns the expected imports of such a hook.
fn expected(used: &BTreeMap<&str, &str>) -> BTreeMap<String, BTreeSet<String>> {
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let mut expected = BTreeMap::from([
        (
            "call".to_owned(),
            set(&["agent", "context", "session-id", "step", "turn"]),
        ),
        ("failure".to_owned(), set(&["bad-config", "fail"])),
    ]);
    for PointShape {
        name,
        facts,
        answers,
        ..
    } in points()
    {
        let mut facts: BTreeSet<String> = facts.iter().map(|fact| fact.name.clone()).collect();
        facts.insert("facts".to_owned());
        expected.insert(format!("{name}-facts"), facts);
        let answers: BTreeSet<String> = answers
            .iter()
            .map(|answer| answer.name.clone())
            .filter(|answer| used.contains_key(answer.as_str()))
            .collect();
        if !answers.is_empty() {
            expected.insert(format!("{name}-answer"), answers);
        }
    }
    expected
}

#[test]
fn the_types_allow_what_is_legal_and_nothing_else() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(
        dir.path(),
        Language::TypeScript,
        vec![point("pre-tool-call")],
    );
    let mut checks = String::from("import * as sdk from \"portcullis\";\n\nconst any: any = 0;\n");
    for shape in points() {
        let handler = handler(shape);
        let mut check = |is_legal: bool, outcome: &str| {
            let mark = if is_legal {
                ""
            } else {
                "// @ts-expect-error\n"
            };
            let of = format!("sdk.Points[\"{handler}\"][\"outcome\"]");
            let _ = writeln!(checks, "{mark}(): {of} => {outcome};");
        };
        check(true, "sdk.proceed()");
        check(false, "({ tag: \"continue\" })");
        for (answer, outcome) in ANSWERS {
            let is_legal = shape.answers.iter().any(|legal| legal.name == answer);
            check(is_legal, &outcome.replace("('')", "(any)"));
        }
    }
    checks += "// @ts-expect-error\n(): sdk.Points[\"preToolCall\"][\"outcome\"] => sdk.transform({ path: \"a\" });\n";
    checks += "// @ts-expect-error\n(): sdk.Points[\"postToolCall\"][\"outcome\"] => sdk.transform({ content: \"a\" });\n";
    fs::write(dir.path().join("src/checks.ts"), checks).expect("the checks");
    built(&project);

    let hook = dir.path().join("src/hook.ts");
    let source = fs::read_to_string(&hook).expect("the hook");
    let illegal = source.replace("proceed", "giveUp");
    assert_ne!(source, illegal, "the template has changed");
    fs::write(&hook, illegal).expect("the hook");
    let error = project.build_with(&options(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, BuildError::Tool { .. }), "{error}");
    assert!(error.to_string().contains("Outcome<\"give-up\""), "{error}");
}

#[test]
fn a_misspelt_handler_is_answered_with_the_nearest() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(
        dir.path(),
        Language::JavaScript,
        vec![point("pre-tool-call")],
    );
    let hook = dir.path().join("src/hook.js");
    let source = fs::read_to_string(&hook).expect("the hook");
    let misspelt = source.replace("preToolCall(", "preToolCal(");
    assert_ne!(source, misspelt, "the template has changed");
    fs::write(&hook, misspelt).expect("the hook");
    let error = project.build_with(&options(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, BuildError::Hook { .. }), "{error}");
    let said = error.to_string();
    assert!(said.starts_with("the hook cannot be built\n"), "{said}");
    assert!(said.contains("did you mean `preToolCall`?"), "{said}");
    assert!(!said.contains("globals of Node"), "{said}");

    fs::write(&hook, format!("process.exit();\n{source}")).expect("the hook");
    let error = project.build_with(&options(), &mut |_| {}).unwrap_err();
    let said = error.to_string();
    assert!(said.contains("ReferenceError: process"), "{said}");
    assert!(said.contains("globals of Node"), "{said}");
}

#[test]
fn a_value_that_a_key_does_not_take_is_named_with_its_line() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::JavaScript, vec![point("pre-turn")]);
    let hook = dir.path().join("src/hook.js");
    let source = fs::read_to_string(&hook).expect("the hook");
    let define = "export default defineHook({\n";
    let place = source.lines().position(|line| line == define.trim_end());
    let place = format!("src/hook.js:{}:16: ", place.expect("a hook") + 1);
    for (key, takes) in [
        (
            "priority: \"high\"",
            "`priority` takes a whole number from -2147483648 to 2147483647, but was given \"high\"",
        ),
        ("priority: 1.5", "but was given 1.5"),
        (
            "failure: \"opne\"",
            "`failure` takes \"fail-open\" or \"fail-closed\", but was given \"opne\"",
        ),
        (
            "deadlineMs: -1",
            "`deadlineMs` takes a whole number from 0 to 2147483647",
        ),
        ("after: \"other\"", "`after` takes an array of strings"),
        (
            "config: {}",
            "`config` takes what `config` or `configOf` gave",
        ),
        (
            "postTurn: true",
            "`postTurn` takes a function, but was given true",
        ),
    ] {
        let wrong = source.replace(define, &format!("{define}  {key},\n"));
        assert_ne!(source, wrong, "the template has changed");
        fs::write(&hook, wrong).expect("the hook");
        let error = project.build_with(&options(), &mut |_| {}).unwrap_err();
        assert!(matches!(error, BuildError::Hook { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains(takes) && said.contains(&place), "{said}");
    }

    fs::write(&hook, format!("{source}\nthrow new Error(\"top\");\n")).expect("the hook");
    let error = project.build_with(&options(), &mut |_| {}).unwrap_err();
    let place = format!("src/hook.js:{}:7: ", source.lines().count() + 2);
    let said = error.to_string();
    assert!(
        said.contains(&place) && said.contains("Error: top"),
        "{said}"
    );
}
