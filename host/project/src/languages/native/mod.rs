//! C, C++ and Zig: one compiler, one set of bindings and one linker, and the header of each language.
//!
//! The SDK is in C, which the other two call. What is theirs is a module each: its templates, its header of the points,
//! and how its sources become objects.

mod api;
mod bindings;
mod c;
mod compiler;
mod cpp;
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
use crate::{Manifest, component};

pub(super) use self::{c::C, cpp::Cpp, zig::Zig};

static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/c");

/// What one of the languages has of its own.
trait Native {
    /// The files of a new project.
    fn templates(&self) -> &'static Dir<'static>;

    /// The name of its SDK's directory, and its files where it is not that of C.
    fn sdk(&self) -> Option<(&'static str, &'static Dir<'static>)>;

    /// The table of its options in the manifest.
    fn settings<'a>(&self, manifest: &'a Manifest) -> &'a NativeSettings;

    /// The files that are generated for these points: their names, and their texts.
    fn generate(&self, points: &[Served]) -> Vec<(&'static str, String)>;

    /// The packages that build it, at exact versions, if no other compiler does.
    fn packages(&self) -> &'static [&'static str] {
        &[]
    }

    /// The language whose library is linked.
    fn linked_as(&self) -> Dialect {
        Dialect::C
    }

    /// The compiler of C that goes with it, and which links its objects.
    fn compiler(&self, work: &mut Work<'_>) -> Result<Compiler, BuildError> {
        Compiler::of(work, self.linked_as())
    }

    /// Compiles the author's sources, and what was generated for them.
    fn compile(&self, unit: &mut Unit<'_, '_>) -> Result<(), BuildError>;
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

    fn packages(&self) -> &'static [&'static str] {
        Native::packages(self)
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let project = work.project();
        let settings = self.settings(project.manifest());
        let build = project.dir().join("build");
        work.step("generating bindings");
        let generated = bindings::generate(project, settings.config_schema.as_deref())?;
        let own = self.generate(&generated.points).into_iter();
        let own = own.map(|(name, text)| (name.to_owned(), text.into_bytes()));
        for (name, bytes) in generated.files.into_iter().chain(own) {
            write(&build.join(name), &bytes)?;
        }
        let compiler = self.compiler(work)?;
        work.step("compiling");
        let own = Native::sdk(self).map(|(name, _)| project.sdk_dir().join(name));
        let mut unit = Unit {
            includes: [Some(project.sdk_dir().join("c")), own, Some(build.clone())]
                .into_iter()
                .flatten()
                .collect(),
            work,
            compiler,
            settings,
            objects: Vec::new(),
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
        component::with_lines(&core, &dir, |why| work.note(why)).map_err(|cause| {
            BuildError::Component {
                what: "the compiled module could not be made into a component".to_owned(),
                cause,
            }
        })
    }
}
