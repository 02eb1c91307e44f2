//! The functions of a point: its facts and its answers, as the header of each language declares them.

use heck::ToSnakeCase as _;
use wit_parser::{Docs, Function, Interface, Package, Resolve};

use super::types::{Types, Value};
use crate::Point;

/// The name of a record's function that returns all facts at once.
const FACTS: &str = "facts";

/// The prefix of contributions: they may be repeated, so not each of them is returned.
const CONTRIBUTION: &str = "add-";

/// A point and its functions. Names are in snake case.
pub(super) struct Served {
    /// The point as the contract names it.
    pub(super) point: String,
    pub(super) name: String,
    pub(super) docs: String,
    pub(super) facts: Vec<Fact>,
    pub(super) answers: Vec<Answer>,
}

pub(super) struct Fact {
    pub(super) name: String,
    pub(super) docs: String,
    /// The function of the bindings.
    pub(super) raw: String,
    pub(super) value: Value,
    /// Whether there may be none.
    pub(super) is_option: bool,
}

pub(super) struct Answer {
    pub(super) name: String,
    pub(super) docs: String,
    /// The function of the bindings.
    pub(super) raw: String,
    pub(super) repeats: bool,
    pub(super) params: Vec<Param>,
}

pub(super) struct Param {
    pub(super) name: String,
    pub(super) value: Value,
    pub(super) is_option: bool,
}

impl Answer {
    /// Returns the parameters, without the last where that is an option, which is given too.
    pub(super) fn split_option(&self) -> (&[Param], Option<&Param>) {
        match self.params.split_last() {
            Some((last, rest)) if last.is_option => (rest, Some(last)),
            _ => (&self.params, None),
        }
    }
}

/// Returns the functions of these points.
pub(super) fn served(resolve: &Resolve, contract: &Package, points: &[Point]) -> Vec<Served> {
    let points = points.iter().map(Point::name);
    points.map(|point| of(resolve, contract, point)).collect()
}

fn of(resolve: &Resolve, contract: &Package, point: &str) -> Served {
    let interface = |name: &str| resolve.interfaces.get(*contract.interfaces.get(name)?);
    let name = point.to_snake_case();
    let answers = interface(&format!("{point}-answer"));
    let is_answer = |name: &str| functions(answers).any(|answer| answer.name == name);
    let of_facts = Types::new(resolve, format!("{name}_facts"));
    let facts = functions(interface(&format!("{point}-facts"))).filter_map(|fact| {
        let result = fact.result?;
        let some = of_facts.option(result);
        Some(Fact {
            // A fact with the name of an answer is named by its type.
            name: match is_answer(&fact.name) {
                true => of_facts.plain(result),
                false => fact.name.to_snake_case(),
            },
            docs: match fact.name == FACTS {
                true => "All facts at once, for hooks that read more than four.".to_owned(),
                false => line(&fact.docs),
            },
            raw: format!("{name}_facts_{}", fact.name.to_snake_case()),
            value: of_facts.value(some.unwrap_or(result)),
            is_option: some.is_some(),
        })
    });
    let of_answers = Types::new(resolve, format!("{name}_answer"));
    let param = |param: &wit_parser::Param| {
        let some = of_answers.option(param.ty);
        Param {
            name: param.name.to_snake_case(),
            value: of_answers.value(some.unwrap_or(param.ty)),
            is_option: some.is_some(),
        }
    };
    let given = functions(answers).map(|answer| Answer {
        name: answer.name.to_snake_case(),
        docs: line(&answer.docs),
        raw: format!("{name}_answer_{}", answer.name.to_snake_case()),
        repeats: answer.name.starts_with(CONTRIBUTION),
        params: answer.params.iter().map(param).collect(),
    });
    Served {
        docs: interface(point).map_or_else(String::new, |served| line(&served.docs)),
        facts: facts.collect(),
        answers: given.collect(),
        point: point.to_owned(),
        name,
    }
}

fn functions(interface: Option<&Interface>) -> impl Iterator<Item = &Function> {
    interface.into_iter().flat_map(|it| it.functions.values())
}

fn line(docs: &Docs) -> String {
    let docs = docs.contents.as_deref().unwrap_or_default();
    docs.trim().replace('\n', " ")
}
