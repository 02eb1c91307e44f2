//! The contract's names in other languages.

use std::collections::{BTreeMap, BTreeSet};

use wit_parser::{Interface, Resolve, TypeDef, TypeDefKind, TypeId, TypeOwner};

/// The names of the contract's types in one flat namespace.
pub(super) struct Names {
    /// WIT names that more than one interface defines.
    shared: BTreeSet<String>,
    interfaces: BTreeMap<TypeId, String>,
}

impl Names {
    pub(super) fn new(resolve: &Resolve, own: &[&Interface]) -> Self {
        let mut seen = BTreeSet::new();
        let mut shared = BTreeSet::new();
        let mut interfaces = BTreeMap::new();
        for interface in own {
            for (name, id) in &interface.types {
                if is_alias(&resolve.types[*id]) {
                    continue;
                }
                if !seen.insert(name.clone()) {
                    shared.insert(name.clone());
                }
                interfaces.insert(*id, interface.name.clone().unwrap_or_default());
            }
        }
        Self { shared, interfaces }
    }

    /// Returns a type's name. If the WIT name is not unique, the name of its point or interface
    /// precedes it.
    pub(super) fn of(&self, resolve: &Resolve, id: TypeId) -> String {
        let id = original(resolve, id);
        let name = resolve.types[id].name.clone().unwrap_or_default();
        match self.interfaces.get(&id) {
            Some(interface) if self.shared.contains(&name) => {
                let point = super::points::point_of(interface);
                format!("{}{}", pascal(point.unwrap_or(interface)), pascal(&name))
            }
            _ => pascal(&name),
        }
    }
}

/// Returns whether the type is an alias of another interface's type.
pub(super) fn is_alias(def: &TypeDef) -> bool {
    matches!(def.kind, TypeDefKind::Type(wit_parser::Type::Id(_)))
        && matches!(def.owner, TypeOwner::Interface(_))
}

fn original(resolve: &Resolve, mut id: TypeId) -> TypeId {
    while let TypeDefKind::Type(wit_parser::Type::Id(of)) = resolve.types[id].kind {
        id = of;
    }
    id
}

/// Converts `pre-llm-call` to `PreLlmCall`.
pub(super) fn pascal(name: &str) -> String {
    name.split('-').map(capital).collect()
}

/// Converts `pre-llm-call` to `preLlmCall`.
pub(super) fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| all + &capital(word))
}

/// Converts `pre-llm-call` to `pre_llm_call`.
pub(super) fn snake(name: &str) -> String {
    name.replace('-', "_")
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
