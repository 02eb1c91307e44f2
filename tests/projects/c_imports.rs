//! A hook in C imports the facts and answers that its code calls, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use portcullis_project::{Contract, Language};
use portcullis_tests::root;
use wit_component::DecodedWasm;
use wit_parser::{Function, Interface, Resolve, Type, TypeDefKind, WorldItem};

use super::from_nothing::{built, make, point};

/// The maximum number of answers of a point. The hook at an index uses the answer at that index of
/// every point, and every `HOOKS`-th fact.
const HOOKS: usize = 5;

#[test]
fn a_hook_in_c_imports_what_it_calls() {
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
    let project = make(dir.path(), Language::C, all);
    for index in 0..HOOKS {
        let mut source = SOURCE.to_owned();
        let mut expected = BTreeMap::new();
        for point in &points {
            let find = |suffix: &str| {
                let id = interfaces.get(&format!("{point}-{suffix}"))?;
                resolve.interfaces.get(*id)
            };
            let answers = find("answer");
            assert!(answers.is_none_or(|answers| answers.functions.len() <= HOOKS));
            let c = InC {
                resolve: &resolve,
                point: snake(point),
                answers,
            };
            let answer = answers.and_then(|answers| answers.functions.values().nth(index));
            let facts = find("facts").expect("facts").functions.values();
            let facts: Vec<&Function> = facts.skip(index).step_by(HOOKS).collect();
            c.handler(&mut source, &facts, answer);
            let used = [("facts", facts), ("answer", Vec::from_iter(answer))];
            for (suffix, used) in used.into_iter().filter(|(_, used)| !used.is_empty()) {
                let names: BTreeSet<String> = used.iter().map(|it| it.name.clone()).collect();
                expected.insert(format!("{point}-{suffix}"), names);
            }
        }
        fs::write(dir.path().join("src/hook.c"), source).expect("the source");
        let component = built(&project);
        assert_eq!(imports(&component), expected, "hook {index}");
    }
}

const SOURCE: &str = "#include \"portcullis.h\"

PORTCULLIS_HOOK(.id = \"my-hook\", .description = \"Uses some of every point.\");

static _Alignas(8) char room[256];
static volatile bool with;
";

/// A point in the SDK.
struct InC<'a> {
    resolve: &'a Resolve,
    point: String,
    answers: Option<&'a Interface>,
}

impl InC<'_> {
    /// Writes the point's function, which reads these facts and gives this answer.
    fn handler(&self, source: &mut String, facts: &[&Function], answer: Option<&Function>) {
        let point = &self.point;
        let mut body = String::new();
        for fact in facts {
            let is_option = fact.result.is_some_and(|result| self.is_option(result));
            let given = if is_option { "(void *)room" } else { "" };
            let name = snake(self.name(fact));
            // Writing to a string does not fail.
            let _ = writeln!(body, "    (void){point}_{name}({given});");
        }
        let answer = answer.map(|answer| self.answer(answer));
        let answer = answer.unwrap_or_else(|| "PC_CONTINUE".to_owned());
        let _ = writeln!(
            source,
            "\nbool on_{point}(void) {{\n{body}    return {answer};\n}}"
        );
    }

    /// Returns a fact's name. A fact with the name of an answer is named by its type.
    fn name<'b>(&'b self, fact: &'b Function) -> &'b str {
        let is_taken = |answers: &Interface| answers.functions.contains_key(&fact.name);
        match fact.result.filter(|_| self.answers.is_some_and(is_taken)) {
            Some(Type::Id(id)) => self.resolve.types[id].name.as_deref().unwrap_or_default(),
            _ => &fact.name,
        }
    }

    /// Returns calls of the answer's function, and of the function with its option if there is one.
    fn answer(&self, answer: &Function) -> String {
        let function = format!("{}_{}", self.point, snake(&answer.name));
        let values: Vec<String> = answer.params.iter().map(|it| self.value(it.ty)).collect();
        match answer.params.split_last() {
            Some((last, rest)) if self.is_option(last.ty) => format!(
                "with ? {function}_with({}) : {function}({})",
                values.join(", "),
                values[..rest.len()].join(", ")
            ),
            _ => format!("{function}({})", values.join(", ")),
        }
    }

    fn value(&self, ty: Type) -> String {
        let Type::Id(id) = ty else {
            let is_text = matches!(ty, Type::String);
            return if is_text { "\"\"" } else { "0" }.to_owned();
        };
        let defined = &self.resolve.types[id];
        match (&defined.name, &defined.kind) {
            (_, TypeDefKind::List(_)) => "NULL, 0".to_owned(),
            (_, TypeDefKind::Option(some)) => self.value(*some),
            (Some(name), _) => format!("({}_answer_{}_t){{0}}", self.point, snake(name)),
            (None, kind) => panic!("no answer has a {}", kind.as_str()),
        }
    }

    fn is_option(&self, ty: Type) -> bool {
        let Type::Id(id) = ty else { return false };
        matches!(self.resolve.types[id].kind, TypeDefKind::Option(_))
    }
}

fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns the functions that a component imports, by interface.
pub(super) fn imports(component: &[u8]) -> BTreeMap<String, BTreeSet<String>> {
    let decoded = wit_component::decode(component).expect("a component");
    let DecodedWasm::Component(resolve, world) = decoded else {
        panic!("it is a package");
    };
    let interfaces = resolve.worlds[world].imports.values();
    interfaces
        .filter_map(|item| match item {
            WorldItem::Interface { id, .. } => Some(&resolve.interfaces[*id]),
            _ => None,
        })
        .filter(|interface| !interface.functions.is_empty())
        .map(|interface| {
            let name = interface.name.clone().unwrap_or_default();
            (name, interface.functions.keys().cloned().collect())
        })
        .collect()
}
