//! The contract, from which the SDK's code is made: the points, each with its facts and its answers.

use std::path::Path;

use wit_parser::{Function, Interface, InterfaceId, Resolve, TypeId, WorldItem, WorldKey};

/// The contract.
pub struct Contract {
    resolve: Resolve,
    package: wit_parser::PackageId,
}

/// A lifecycle point.
pub struct Point<'a> {
    /// Its name, such as `pre-turn`.
    pub name: &'a str,
    /// The point's documentation.
    pub docs: &'a str,
    /// The facts that a hook may read there.
    pub facts: &'a Interface,
    /// The answers that a hook may give there, if any.
    pub answers: Option<&'a Interface>,
}

impl Contract {
    /// Reads the WIT of a directory.
    pub fn read(directory: &Path) -> Result<Self, String> {
        let mut resolve = Resolve::default();
        let (package, _) = resolve
            .push_dir(directory)
            .map_err(|fault| format!("the contract cannot be read: {fault:#}"))?;
        Ok(Self { resolve, package })
    }

    /// Returns the definitions of the type ids.
    pub fn resolve(&self) -> &Resolve {
        &self.resolve
    }

    /// Returns the points, in the contract's order.
    pub fn points(&self) -> impl Iterator<Item = Point<'_>> {
        let worlds = self.resolve.packages[self.package].worlds.iter();
        worlds.filter_map(|(world, id)| {
            let name = world.strip_prefix("on-")?;
            let exports = &self.resolve.worlds[*id].exports;
            let point = exports.iter().find_map(|(_, item)| interface(item))?;
            Some(Point {
                name,
                docs: docs(&self.resolve.interfaces[point].docs),
                facts: self.interface(&format!("{name}-facts"))?,
                answers: self.interface(&format!("{name}-answer")),
            })
        })
    }

    /// Returns the interface of this name.
    pub fn interface(&self, name: &str) -> Option<&Interface> {
        let id = self.resolve.packages[self.package].interfaces.get(name)?;
        Some(&self.resolve.interfaces[*id])
    }

    /// Returns the interfaces of this package that a world imports.
    pub fn imports(&self, world: &str) -> impl Iterator<Item = &Interface> {
        let package = &self.resolve.packages[self.package];
        let world = package.worlds.get(world);
        let items = world
            .into_iter()
            .flat_map(|id| &self.resolve.worlds[*id].imports);
        items
            .filter_map(|(key, item)| {
                matches!(key, WorldKey::Interface(_)).then(|| interface(item))?
            })
            .map(|id| &self.resolve.interfaces[id])
            .filter(|interface| interface.package == Some(self.package))
    }

    /// Returns the full name of an interface or a world, with the package and the version.
    pub fn full_name(&self, name: &str) -> String {
        self.resolve.packages[self.package].name.interface_id(name)
    }

    /// Returns the types that an interface defines itself, without aliases.
    pub fn types<'a>(
        &'a self,
        interface: &'a Interface,
    ) -> impl Iterator<Item = (&'a str, TypeId)> {
        interface
            .types
            .iter()
            .map(|(name, id)| (name.as_str(), *id))
            .filter(|(_, id)| {
                !matches!(
                    self.resolve.types[*id].kind,
                    wit_parser::TypeDefKind::Type(_)
                )
            })
    }
}

impl<'a> Point<'a> {
    /// Returns the functions that read one fact each.
    pub fn fact_functions(&self) -> impl Iterator<Item = &'a Function> {
        let all = self.facts.functions.values();
        all.filter(|function| function.name != "facts")
    }

    /// Returns the type of the record of all facts.
    pub fn facts_type(&self) -> Option<&'a wit_parser::Type> {
        self.facts.functions.get("facts")?.result.as_ref()
    }

    /// Returns the functions that answer.
    pub fn answer_functions(&self) -> impl Iterator<Item = &'a Function> {
        let all = self.answers.into_iter();
        all.flat_map(|answers| answers.functions.values())
            .filter(|function| contribution(function).is_none())
    }

    /// Returns the functions that contribute, each with the kind of its contribution.
    pub fn contribution_functions(&self) -> impl Iterator<Item = (&'a str, &'a Function)> {
        let all = self.answers.into_iter();
        all.flat_map(|answers| answers.functions.values())
            .filter_map(|function| Some((contribution(function)?, function)))
    }
}

/// Returns the kind of a function's contribution, if it contributes.
fn contribution(function: &Function) -> Option<&str> {
    function.name.strip_prefix("add-")
}

fn interface(item: &WorldItem) -> Option<InterfaceId> {
    match item {
        WorldItem::Interface { id, .. } => Some(*id),
        _ => None,
    }
}

/// Returns the text of a comment.
pub fn docs(docs: &wit_parser::Docs) -> &str {
    docs.contents.as_deref().unwrap_or_default()
}
