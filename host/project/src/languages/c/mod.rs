//! C: clang or zig, and wit-bindgen's bindings under the header `portcullis.h`.

mod bindings;
mod compiler;
mod points;
mod types;

use std::fs;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

pub use compiler::Compiler;

use super::{Toolchain, embedded};
use crate::build::{BuildError, Work};
use crate::error::{read, write};
use crate::{FileError, component};

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/c");

static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/c");

/// What hooks are compiled with: small, with warnings, and as a library that is entered by its exports. Compilers differ
/// in the size of the stack, from 64 KiB to 16 MiB, all of which counts as the hook's memory.
const FLAGS: &[&str] = &[
    "-std=c17",
    "-Os",
    // A compiler that optimises may leave assertions out.
    "-UNDEBUG",
    "-Wall",
    "-Wextra",
    "-mexec-model=reactor",
    // For the names of functions, since a trap names those that were running. What else it adds is dropped.
    "-g",
    "-Wl,-z,stack-size=262144",
];

/// The language.
pub(super) struct C;

impl Toolchain for C {
    fn templates(&self) -> &'static Dir<'static> {
        &TEMPLATES
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = embedded(&SDK).into_iter();
        files
            .map(|(path, bytes)| (Path::new("c").join(path), bytes.to_vec()))
            .collect()
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let project = work.project();
        let sdk = project.sdk_dir().join("c");
        let mut sources = sources(&project.dir().join("src"))?;
        sources.extend(self::sources(&sdk)?);
        work.step("generating bindings");
        let build = project.dir().join("build");
        for (name, bytes) in bindings::generate(project)? {
            write(&build.join(name), &bytes)?;
        }
        let compiler = Compiler::of(work)?;
        work.step("compiling");
        let core = build.join("core.wasm");
        let mut command = compiler.command();
        command.args(FLAGS).args(&project.manifest().c.flags);
        // `__FILE__`, which assertions show, must not depend on where the project is.
        for (dir, name) in [(project.sdk_dir().as_path(), "sdk"), (project.dir(), ".")] {
            command.arg(format!("-ffile-prefix-map={}={name}", dir.display()));
        }
        for include in [&sdk, &build] {
            command.arg("-I").arg(include);
        }
        let made = ["points.c", "hook_component_type.o"].map(|name| build.join(name));
        command.arg("-o").arg(&core).args(sources).args(made);
        // The compiler keeps its library of C, compiled, there.
        command.env("ZIG_GLOBAL_CACHE_DIR", work.tools().join("zig-cache"));
        work.run(&mut command)?;
        work.step("making the component");
        component::of_module(&read(&core)?).map_err(|cause| BuildError::Component {
            what: "the compiled module could not be made into a component".to_owned(),
            cause,
        })
    }
}

/// The files of the source, in order.
fn sources(dir: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let entries = fs::read_dir(dir).map_err(|cause| FileError::new("read", dir, cause))?;
    let mut sources: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
        .collect();
    sources.sort();
    match sources.is_empty() {
        true => Err(BuildError::NoSource {
            dir: dir.to_owned(),
            what: "file that ends in `.c`",
        }),
        false => Ok(sources),
    }
}
