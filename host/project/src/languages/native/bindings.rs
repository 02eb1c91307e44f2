//! The generated files of a hook in any of the languages: wit-bindgen's bindings in C, and the
//! functions of its points.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use wit_bindgen_c::Opts;
use wit_bindgen_core::Files;
use wit_parser::{Resolve, WorldId, WorldKey};

use super::api::{self, Served};
use super::world;
use crate::build::BuildError;
use crate::contract::World;
use crate::error::read;
use crate::{Contract, Point, Project};

/// The bindings' name, in file names and in names that belong to no interface.
const WORLD: &str = "hook";

/// The generated files, each with its name, and the data for the language's own files.
pub(super) struct Generated {
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) points: Vec<Served>,
}

pub(super) fn generate(
    project: &Project,
    config_schema: Option<&Path>,
) -> Result<Generated, BuildError> {
    let contract = Contract::read(&project.wit_dir())?;
    let schema = match config_schema {
        Some(file) => Some(schema(&project.dir().join(file))?),
        None => None,
    };
    files(&contract, project.points(), schema.as_deref()).map_err(|cause| BuildError::Component {
        what: "the bindings could not be generated from the WIT".to_owned(),
        cause,
    })
}

/// Returns the JSON schema in a file, without its layout.
fn schema(file: &Path) -> Result<String, BuildError> {
    let schema: serde_json::Value =
        serde_json::from_slice(&read(file)?).map_err(|cause| BuildError::Component {
            what: format!("{} is not JSON", file.display()),
            cause: cause.into(),
        })?;
    Ok(schema.to_string())
}

fn files(contract: &Contract, points: &[Point], schema: Option<&str>) -> anyhow::Result<Generated> {
    let (resolve, package) = contract.resolve();
    let package = resolve.packages.get(package).context("no such package")?;
    let mut files = bindings(contract, points, schema.is_some())?;
    files.push(("world.c".to_owned(), world::source(points, schema).into()));
    Ok(Generated {
        files,
        points: api::served(resolve, package, points),
    })
}

fn bindings(
    contract: &Contract,
    points: &[Point],
    configured: bool,
) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let (resolve, _) = contract.resolve();
    let mut resolve = resolve.clone();
    let text = World::new(WORLD, points)
        .configured(configured)
        .with_http()
        .in_its_own_package(contract);
    let package = resolve.push_source("hook.wit", &text)?;
    let world = resolve.select_world(&[package], Some(WORLD))?;
    let options = Opts {
        rename: names(&resolve, world).into_iter().collect(),
        // The helpers use `malloc`, which the SDK does not use.
        no_helpers: true,
        ..Opts::default()
    };
    let mut files = Files::default();
    options.build().generate(&mut resolve, world, &mut files)?;
    Ok(files
        .iter()
        .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))
        .collect())
}

/// Returns short names for interfaces: `pc_content` and `pre_turn_facts`, with `pc` for the types that
/// all of them share.
fn names(resolve: &Resolve, world: WorldId) -> BTreeMap<String, String> {
    let Some(world) = resolve.worlds.get(world) else {
        return BTreeMap::new();
    };
    let name = |key: &WorldKey| match key {
        WorldKey::Interface(id) => resolve.interfaces.get(*id)?.name.clone(),
        WorldKey::Name(_) => None,
    };
    let exports: Vec<(String, String)> = world
        .exports
        .keys()
        .filter_map(|key| Some((resolve.name_world_key(key), name(key)?)))
        .collect();
    let is_of_a_point = |name: &str| {
        let point = name
            .strip_suffix("-facts")
            .or_else(|| name.strip_suffix("-answer"));
        point.is_some_and(|point| exports.iter().any(|(_, export)| export == point))
    };
    let package = |key: &WorldKey| match key {
        WorldKey::Interface(id) => {
            let id = resolve.interfaces.get(*id)?.package?;
            Some(resolve.packages.get(id)?.name.name.clone())
        }
        WorldKey::Name(_) => None,
    };
    let imports = world.imports.keys().filter_map(|key| {
        let name = match name(key)?.as_str() {
            // Several packages of WASI have an interface of one name.
            of_wasi if matches!(package(key)?.as_str(), "http" | "io") => {
                format!("pc_{}_{of_wasi}", package(key)?)
            }
            "types" => "pc".to_owned(),
            "store" => "pc_config".to_owned(),
            of_a_point if is_of_a_point(of_a_point) => of_a_point.to_owned(),
            other => format!("pc_{other}"),
        };
        Some((resolve.name_world_key(key), name))
    });
    let all = imports.chain(exports.iter().cloned());
    all.map(|(key, name)| (key, name.replace('-', "_")))
        .collect()
}
