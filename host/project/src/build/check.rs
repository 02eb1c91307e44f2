//! Checks a component against its project.

use wit_component::DecodedWasm;
use wit_parser::{Resolve, WorldId, WorldKey};

use super::BuildError;
use crate::{Contract, Project};

/// Checks that a component exports the points that the manifest names, and no others.
pub(super) fn points(project: &Project, component: &[u8]) -> Result<(), BuildError> {
    let what = || "the result of the build is not a component".to_owned();
    let decoded = wit_component::decode(component).map_err(|cause| BuildError::Component {
        what: what(),
        cause,
    })?;
    let DecodedWasm::Component(resolve, world) = decoded else {
        let cause = anyhow::anyhow!("it is a WIT package");
        return Err(BuildError::Component {
            what: what(),
            cause,
        });
    };
    let ours = Contract::embedded().version();
    if let Some(theirs) = versions(&resolve, world).find(|theirs| *theirs != ours) {
        return Err(BuildError::Sdk { theirs, ours });
    }
    let serves = exported(&resolve, world);
    let mut named: Vec<String> = project.points().iter().map(ToString::to_string).collect();
    named.sort();
    named.dedup();
    match serves == named {
        true => Ok(()),
        false => Err(BuildError::Points { serves, named }),
    }
}

/// Returns the versions of the contract whose interfaces it exports.
fn versions(resolve: &Resolve, world: WorldId) -> impl Iterator<Item = String> {
    let (known, id) = Contract::embedded().resolve();
    let contract = known.packages.get(id).map(|package| &package.name);
    let world = resolve.worlds.get(world);
    let exports = world.into_iter().flat_map(|world| world.exports.keys());
    exports.filter_map(move |key| {
        let WorldKey::Interface(id) = key else {
            return None;
        };
        let name = &resolve
            .packages
            .get(resolve.interfaces.get(*id)?.package?)?
            .name;
        let is_ours = contract
            .is_some_and(|ours| (&ours.namespace, &ours.name) == (&name.namespace, &name.name));
        is_ours.then(|| {
            name.version
                .as_ref()
                .map_or_else(String::new, ToString::to_string)
        })
    })
}

fn exported(resolve: &Resolve, world: WorldId) -> Vec<String> {
    let known = Contract::embedded().points();
    let Some(world) = resolve.worlds.get(world) else {
        return Vec::new();
    };
    let names = world.exports.keys().filter_map(|key| match key {
        WorldKey::Interface(id) => resolve.interfaces.get(*id)?.name.clone(),
        WorldKey::Name(_) => None,
    });
    let mut names: Vec<String> = names
        .filter(|name| known.iter().any(|point| point.name == *name))
        .collect();
    names.sort();
    names
}
