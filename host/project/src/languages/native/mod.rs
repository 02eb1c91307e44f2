//! C, C++ and Zig: one compiler, one set of bindings and one linker, and the header of each language.
//!
//! The SDK is in C, and the other two languages call it. Each language has a module: its templates,
//! its header of the points, and the compilation of its sources to objects.

mod api;
mod bindings;
mod c;
mod compiler;
mod cpp;
mod reads;
mod symbols;
mod types;
mod unit;
mod world;
mod zig;

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

pub use compiler::Compiler;

use self::api::Served;
use self::compiler::Dialect;
use self::unit::{Unit, sources};
use super::{Toolchain, embedded};
use crate::build::{BuildError, Work};
use crate::error::write;
use crate::manifest::NativeSettings;
use crate::{Manifest, Material, Part, Project, component};

pub(super) use self::{c::C, cpp::Cpp, zig::Zig};

static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/c");

/// The parts that differ between the languages.
trait Native {
    /// Returns the files of a new project.
    fn templates(&self) -> &'static Dir<'static>;

    /// Returns the name of its SDK's directory, and its files where it is not that of C.
    fn sdk(&self) -> Option<(&'static str, &'static Dir<'static>)>;

    /// Returns the table of its options in the manifest.
    fn settings<'a>(&self, manifest: &'a Manifest) -> &'a NativeSettings;

    /// Returns the language's own headers for these points: file names and texts.
    fn headers(&self, points: &[Served]) -> Vec<(&'static str, String)>;

    /// Returns the sources whose errors have places, seen from the project.
    fn sources(&self, project: &Project) -> Vec<String> {
        let _ = project;
        Vec::new()
    }

    /// Returns the directories that the compiler's flags name; see [`reads::header_dirs`].
    fn header_dirs(&self, project: &Project) -> Option<Vec<PathBuf>> {
        let flags = &self.settings(project.manifest()).flags;
        // The author's own compiler is not known.
        let is_known = !Compiler::is_named();
        is_known.then(|| reads::header_dirs(project.dir(), flags))?
    }

    /// Returns the language whose library is linked.
    fn linked_as(&self) -> Dialect {
        Dialect::C
    }

    /// Returns the compiler of C that belongs to it, and which links its objects.
    fn compiler(&self, work: &mut Work<'_>) -> Result<Compiler, BuildError> {
        Compiler::of(work, self.linked_as())
    }

    /// Compiles the author's sources and the generated ones.
    fn compile(&self, unit: &mut Unit<'_, '_>) -> Result<(), BuildError>;
}

/// Returns the directory of the generated files and the objects.
fn build_dir(project: &Project) -> PathBuf {
    project.dir().join("build")
}

/// Returns the directories of the SDK.
fn sdk_dirs(language: &impl Native, project: &Project) -> Vec<PathBuf> {
    let own = Native::sdk(language).map(|(name, _)| name);
    let names = ["c"].into_iter().chain(own);
    names.map(|name| project.sdk_dir().join(name)).collect()
}

impl<T: Native> Toolchain for T {
    fn templates(&self) -> &'static Dir<'static> {
        Native::templates(self)
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let dirs = [Some(("c", &SDK)), Native::sdk(self)];
        let files = dirs.into_iter().flatten().flat_map(|(name, dir)| {
            let files = embedded(dir).into_iter();
            files.map(move |(path, bytes)| (Path::new(name).join(path), bytes.to_vec()))
        });
        files.collect()
    }

    fn generate(&self, project: &Project) -> Result<(), BuildError> {
        let settings = self.settings(project.manifest());
        let generated = bindings::generate(project, settings.config_schema.as_deref())?;
        let own = self.headers(&generated.points).into_iter();
        let own = own.map(|(name, text)| (name.to_owned(), text.into_bytes()));
        for (name, bytes) in generated.files.into_iter().chain(own) {
            write(&build_dir(project).join(name), &bytes)?;
        }
        Ok(())
    }

    fn packages(&self) -> &'static [&'static str] {
        &[zig::PACKAGE]
    }

    fn reads(&self, project: &Project) -> Option<Vec<PathBuf>> {
        let mut headers = Native::header_dirs(self, project)?;
        headers.extend(sdk_dirs(self, project));
        let schema = self.settings(project.manifest()).config_schema.as_deref();
        reads::before(project, &headers, schema)
    }

    fn materials(&self, _: &Project, _: &[u8]) -> Vec<Material> {
        let packages = Toolchain::packages(self).iter();
        let packages = packages.filter_map(|package| package.split_once("=="));
        let mut materials: Vec<Material> = packages
            .map(|(name, version)| Material::new(name, Some(version), Part::Contained).from("pypi"))
            .collect();
        // The origin of the library depends on the compiler, which does not report it.
        let libraries = match self.linked_as() {
            Dialect::C => &["wasi-libc"][..],
            Dialect::Cpp => &["wasi-libc", "libc++"],
        };
        let libraries = libraries.iter();
        materials.extend(libraries.map(|name| Material::new(name, None, Part::Contained)));
        materials
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let project = work.project();
        let settings = self.settings(project.manifest());
        let build = build_dir(project);
        work.step("generating bindings");
        Toolchain::generate(self, project)?;
        let compiler = self.compiler(work)?;
        work.step("compiling");
        let named = Native::header_dirs(self, project).filter(|_| compiler.is_package());
        if named.is_none() {
            work.note_found(None);
        }
        let mut includes = sdk_dirs(self, project);
        includes.push(build.clone());
        let mut unit = Unit {
            includes,
            named,
            work,
            compiler,
            settings,
            objects: Vec::new(),
            authored: Vec::new(),
            linker: self.linked_as(),
            build,
        };
        let sdk = sources(&project.sdk_dir().join("c"), &["c"])?;
        let world = unit.build.join("world.c");
        unit.objects(sdk.into_iter().chain([world]))?;
        self.compile(&mut unit)?;
        let core = unit.link()?;
        work.step("making the component");
        let dir = project.dir().to_owned();
        let sources = Native::sources(self, project);
        component::with_lines(&core, &dir, &sources, |why| work.note(why)).map_err(|cause| {
            BuildError::Component {
                what: "the compiled module could not be made into a component".to_owned(),
                cause,
            }
        })
    }
}
