//! What is generated for a hook in C: wit-bindgen's bindings, and the points' part of the header.

use std::collections::BTreeMap;

use wit_bindgen_c::Opts;
use wit_bindgen_core::Files;
use wit_parser::{Resolve, WorldId, WorldKey};

use super::points;
use crate::build::BuildError;
use crate::contract::{PointShape, World};
use crate::{Contract, Project};

/// What the bindings are called after, in the names of files and of what belongs to no interface.
const WORLD: &str = "hook";

/// The generated files: their names, and what they hold.
pub(super) fn generate(project: &Project) -> Result<Vec<(String, Vec<u8>)>, BuildError> {
    let contract = Contract::read(&project.wit_dir())?;
    let world = World::new(WORLD, project.points());
    let mut files = bindings(&contract, &world).map_err(|cause| BuildError::Component {
        what: "the bindings could not be generated from the WIT".to_owned(),
        cause,
    })?;
    let served: Vec<&PointShape> = contract
        .points()
        .iter()
        .filter(|shape| {
            project
                .points()
                .iter()
                .any(|point| point.name() == shape.name)
        })
        .collect();
    files.push(("points.h".to_owned(), points::header(&served).into_bytes()));
    let header = files.iter().find(|(name, _)| name == "hook.h");
    let header = header.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
    let source = points::source(&served, &header.unwrap_or_default());
    files.push(("points.c".to_owned(), source.into_bytes()));
    Ok(files)
}

fn bindings(contract: &Contract, world: &World) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let (resolve, _) = contract.resolve();
    let mut resolve = resolve.clone();
    let text = world.in_its_own_package(contract);
    let package = resolve.push_source("hook.wit", &text)?;
    let world = resolve.select_world(&[package], Some(WORLD))?;
    let options = Opts {
        rename: names(&resolve, world).into_iter().collect(),
        ..Opts::default()
    };
    let mut files = Files::default();
    options.build().generate(&mut resolve, world, &mut files)?;
    Ok(files
        .iter()
        .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))
        .collect())
}

/// Short names for interfaces: `pc_content` and `pre_turn`, with `pc` for the types that all share.
fn names(resolve: &Resolve, world: WorldId) -> BTreeMap<String, String> {
    let Some(world) = resolve.worlds.get(world) else {
        return BTreeMap::new();
    };
    let short = |key: &WorldKey| match key {
        WorldKey::Interface(id) => resolve
            .interfaces
            .get(*id)?
            .name
            .as_ref()
            .map(|name| name.replace('-', "_")),
        WorldKey::Name(_) => None,
    };
    let imports = world.imports.keys().filter_map(|key| {
        let name = match short(key)?.as_str() {
            "types" => "pc".to_owned(),
            "store" => "pc_config".to_owned(),
            other => format!("pc_{other}"),
        };
        Some((resolve.name_world_key(key), name))
    });
    let exports = world
        .exports
        .keys()
        .filter_map(|key| Some((resolve.name_world_key(key), short(key)?)));
    imports.chain(exports).collect()
}
