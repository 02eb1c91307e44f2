//! The shape of a point: the facts that a hook can read there, and its possible answers.

use anyhow::Context as _;
use serde::Serialize;
use wit_parser::{Docs, Function, Interface, Package, Resolve, Type};

/// The beginning of the name of a point's world.
const WORLD: &str = "on-";

/// The function that returns all facts of a point as one record.
const FACTS: &str = "facts";

/// A point, as the contract has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PointShape {
    /// Its name, such as `pre-turn`.
    pub name: String,
    /// The point's description, in one sentence or two.
    pub docs: String,
    /// The name of the record of all its facts, such as `turn-input`.
    pub record: String,
    /// Its facts, each a function of the interface `POINT-facts`.
    pub facts: Vec<Item>,
    /// The possible answers of a hook, each a function of the interface `POINT-answer`. Empty if a
    /// hook can only observe.
    pub answers: Vec<Item>,
}

/// A fact or an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its name, such as `reject`.
    pub name: String,
    /// The item's description.
    pub docs: String,
}

/// Returns the points of a package: its worlds called `on-…`, each exporting one interface.
pub(super) fn points(resolve: &Resolve, package: &Package) -> anyhow::Result<Vec<PointShape>> {
    let interface = |name: &str| {
        let id = package.interfaces.get(name)?;
        resolve.interfaces.get(*id)
    };
    package
        .worlds
        .keys()
        .filter_map(|world| world.strip_prefix(WORLD))
        .map(|point| {
            let missing = |name: &str| format!("there is no interface `{name}`");
            let served = interface(point).with_context(|| missing(point))?;
            served
                .functions
                .get("handle")
                .with_context(|| format!("`{point}` has no function `handle`"))?;
            let facts = format!("{point}-facts");
            let facts = interface(&facts).with_context(|| missing(&facts))?;
            let record = facts.functions.get(FACTS);
            let record = record
                .and_then(|all| result_name(resolve, all))
                .with_context(|| format!("`{point}-facts` has no record of all facts"))?;
            let answers = interface(&format!("{point}-answer"));
            Ok(PointShape {
                name: point.to_owned(),
                docs: text(&served.docs),
                record,
                facts: items(facts).filter(|fact| fact.name != FACTS).collect(),
                answers: answers.into_iter().flat_map(items).collect(),
            })
        })
        .collect()
}

fn items(interface: &Interface) -> impl Iterator<Item = Item> {
    interface.functions.values().map(|function| Item {
        name: function.name.clone(),
        docs: text(&function.docs),
    })
}

/// Returns the name of the type that a function returns.
fn result_name(resolve: &Resolve, function: &Function) -> Option<String> {
    match function.result? {
        Type::Id(id) => resolve.types.get(id)?.name.clone(),
        _ => None,
    }
}

fn text(docs: &Docs) -> String {
    docs.contents.clone().unwrap_or_default().trim().to_owned()
}
