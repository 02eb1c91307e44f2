//! Go: compiled for WASI's first preview as a library that exports the functions of the SDK.

mod adapter;
mod compiler;
mod files;
mod module;
mod modules;

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

pub use compiler::Compiler;

use super::{Toolchain, embedded};
use crate::build::{BuildError, Work};
use crate::contract::{Contract, World};
use crate::error::read;
use crate::{Material, Part, Project, component};

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/go");

static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/go");

/// The flags for hooks: a library that is entered by its exports, without debugging information,
/// with function names, which a trap shows. The result depends on neither the place nor the time of
/// the build.
const FLAGS: &[&str] = &[
    "-buildmode=c-shared",
    "-trimpath",
    "-buildvcs=false",
    "-ldflags=-w -buildid=",
];

/// The language.
pub(super) struct Go;

impl Toolchain for Go {
    fn templates(&self) -> &'static Dir<'static> {
        &TEMPLATES
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let is_test = |path: &Path| path.to_string_lossy().ends_with("_test.go");
        embedded(&SDK)
            .into_iter()
            .filter(|(path, _)| !is_test(path))
            .map(|(path, bytes)| (Path::new("go").join(path), bytes.to_vec()))
            .collect()
    }

    fn packages(&self) -> &'static [&'static str] {
        compiler::PACKAGES
    }

    fn materials(&self, project: &Project, component: &[u8]) -> Vec<Material> {
        let mut materials = modules::of(project.dir());
        // The parts of Go's standard library that are linked are unknown, and its runtime always is
        // linked.
        let release = modules::release(component);
        materials.push(Material::new("stdlib", release.as_deref(), Part::Contained).from("golang"));
        materials
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let project = work.project();
        if !project.dir().join("go.mod").is_file() {
            return Err(BuildError::NoSource {
                dir: project.dir().to_owned(),
                what: "go.mod, the file of its module",
            });
        }
        let compiler = Compiler::of(work)?;
        let build = project.dir().join("build");
        let overlay = files::overlay(&compiler, &build)?;
        if overlay.is_none() {
            work.step("this Go finds files in its own way: relative paths begin in the first directory that is granted");
        }
        work.step("compiling");
        let core = build.join("core.wasm");
        let mut command = compiler.command();
        command
            .current_dir(project.dir())
            .envs([("GOOS", "wasip1"), ("GOARCH", "wasm")])
            .arg("build")
            .args(FLAGS)
            .args(
                overlay
                    .iter()
                    .flat_map(|file| ["-overlay".as_ref(), file.as_os_str()]),
            )
            .arg("-o")
            .arg(&core)
            .arg(".");
        if work.offline() {
            command.env("GOPROXY", "off");
        }
        work.run(&mut command)?;
        work.step("making the component");
        componentize(project, &read(&core)?).map_err(|cause| BuildError::Component {
            what: "the compiled module could not be made into a component".to_owned(),
            cause,
        })
    }
}

/// Returns the component of a compiled module. Its world has the points that the module exports,
/// and all imports; the component keeps those that the module has.
fn componentize(project: &Project, module: &[u8]) -> anyhow::Result<Vec<u8>> {
    let contract = Contract::read(&project.wit_dir())?;
    let contents = module::Contents::of(module)?;
    let points: Vec<_> = contract
        .points()
        .iter()
        .filter(|point| contents.exports_from(&point.name))
        .filter_map(|point| point.name.parse().ok())
        .collect();
    let world = World::new("hook", &points)
        .configured(contents.exports_from("configuration"))
        .with_http();
    let mut module = module.to_vec();
    component::say_world(
        &mut module,
        contract.resolve().0,
        &world.in_its_own_package(&contract),
        world.name(),
    )?;
    if contents.opens_files() {
        return component::of_module(&module);
    }
    let adapter = adapter::module(contract.resolve().0, contents.waits())?;
    component::with_adapter(&module, &adapter)
}
