//! The points of the contract, as the writers of types need them.

use wit_parser::{Docs, Function, Interface, Type};

/// The suffixes of the names of interfaces that belong to a point.
const FACTS: &str = "-facts";
const ANSWER: &str = "-answer";

/// A lifecycle point.
pub(super) struct ContractPoint<'a> {
    pub(super) name: &'a str,
    pub(super) docs: &'a Docs,
    /// The facts that hooks read at the point.
    pub(super) facts: Option<&'a Interface>,
    /// The answers that hooks may give at the point.
    answer: Option<&'a Interface>,
}

/// The value that hooks may change at a point.
pub(super) enum Payload {
    /// Nothing.
    None,
    /// The arguments of a tool, as text.
    Arguments,
    /// The output of a tool, and whether it is an error.
    ToolOutput,
    Content,
    Messages,
    /// Fields of the point's own.
    Fields,
}

impl<'a> ContractPoint<'a> {
    /// Returns the points among the contract's own interfaces: those with a `handle`.
    pub(super) fn all(own: &[&'a Interface]) -> Vec<Self> {
        let named = |point: &str, end: &str| {
            let belongs = |name: &str| name.strip_suffix(end) == Some(point);
            let mut own = own.iter().copied();
            own.find(|interface| interface.name.as_deref().is_some_and(belongs))
        };
        own.iter()
            .filter(|interface| interface.functions.contains_key("handle"))
            .map(|interface| {
                let name = interface.name.as_deref().unwrap_or_default();
                Self {
                    name,
                    docs: &interface.docs,
                    facts: named(name, FACTS),
                    answer: named(name, ANSWER),
                }
            })
            .collect()
    }

    /// Returns the record of all facts.
    pub(super) fn facts_record(&self) -> Option<Type> {
        self.facts?.functions.get("facts")?.result
    }

    /// Returns the functions that give an answer.
    pub(super) fn answers(&self) -> impl Iterator<Item = &'a Function> + use<'a> {
        let answer = self.answer.into_iter();
        answer.flat_map(|answer| answer.functions.values())
    }

    /// Returns the value that hooks may change, which the parameter names of `transform` determine.
    pub(super) fn payload(&self) -> Payload {
        let Some(transform) = self.answers().find(|answer| answer.name == "transform") else {
            return Payload::None;
        };
        let names: Vec<_> = transform.params.iter().map(|param| &*param.name).collect();
        match names.as_slice() {
            ["arguments"] => Payload::Arguments,
            ["content", "is-error"] => Payload::ToolOutput,
            ["content" | "text" | "task"] => Payload::Content,
            ["edits"] => Payload::Messages,
            _ => Payload::Fields,
        }
    }
}

/// Returns the name of the point that an interface of facts or answers belongs to.
pub(super) fn point_of(interface: &str) -> Option<&str> {
    let facts = interface.strip_suffix(FACTS);
    facts.or_else(|| interface.strip_suffix(ANSWER))
}
