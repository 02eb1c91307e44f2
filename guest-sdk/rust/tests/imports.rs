//! A component imports only the functions that its code uses. The hook `answerer` is built once for each position that
//! an answer can have in the contract, and has only the answers at that position.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use wit_component::DecodedWasm;
use wit_parser::{Resolve, WorldItem};

/// The answers of a component or of the contract, as `pre-turn-answer reject`.
type Answers = BTreeSet<String>;

#[test]
fn a_component_imports_the_answers_that_its_code_gives() {
    let contract = contract();
    let most = contract.iter().map(|(_, answers)| answers.len()).max();
    for place in 0..=most.expect("there are points with answers") {
        let (answers, others) = imports(&answerer(place));
        let expected: Answers = contract
            .iter()
            .filter_map(|(point, answers)| Some(format!("{point} {}", answers.get(place)?)))
            .collect();
        assert_eq!(answers, expected, "the answers at place {place}");
        // The hook reads no fact, and never fails.
        assert_eq!(others, Answers::new(), "at place {place}");
    }
}

/// Returns the points' answers, in the contract's order.
fn contract() -> Vec<(String, Vec<String>)> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve
        .push_dir(xtask::root().join("wit"))
        .expect("the contract");
    let interfaces = resolve.packages[package].interfaces.iter();
    interfaces
        .filter(|(name, _)| name.ends_with("-answer"))
        .map(|(name, id)| {
            let functions = resolve.interfaces[*id].functions.keys();
            (name.clone(), functions.cloned().collect())
        })
        .collect()
}

/// Returns the component whose code gives the answers at this position.
fn answerer(place: usize) -> PathBuf {
    let place = place.to_string();
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("answerer-{place}.wasm"));
    xtask::guests::build_with(&xtask::root(), "answerer", &[("ANSWER", &place)], &to)
        .unwrap_or_else(|error| panic!("{error}"));
    to
}

/// Returns the answers that a component imports, and its other imports from the contract.
fn imports(component: &Path) -> (Answers, Answers) {
    let bytes = std::fs::read(component).expect("a component");
    let DecodedWasm::Component(resolve, world) =
        wit_component::decode(&bytes).expect("a component")
    else {
        panic!("it is no component");
    };
    let imports = resolve.worlds[world].imports.values();
    let functions = imports
        .filter_map(|item| match item {
            WorldItem::Interface { id, .. } => Some(&resolve.interfaces[*id]),
            _ => None,
        })
        .filter(|interface| {
            let package = interface.package.map(|id| &resolve.packages[id].name);
            package.is_some_and(|package| package.namespace == "portcullis")
        })
        .flat_map(|interface| {
            let name = interface.name.as_deref().unwrap_or_default();
            let functions = interface.functions.keys();
            functions.map(move |function| format!("{name} {function}"))
        });
    functions.partition(|function| function.contains("-answer "))
}
