//! Zig, with the module `portcullis`.

mod points;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use include_dir::{Dir, include_dir};

use super::compiler::remove_headers;
use super::unit::{Unit, sources};
use super::{Compiler, Native, Served, reads};
use crate::build::{BuildContext, BuildError, Work, files_below};
use crate::error::write;
use crate::manifest::NativeSettings;
use crate::tools;
use crate::{Manifest, Project};

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/zig");

static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/zig");

/// The package for Python: the compiler of Zig, which has clang, a linker and libraries of C and C++ in it.
pub(super) const PACKAGE: &str = "ziglang==0.17.1";

/// The prefix of the versions that the SDK is written for: Zig changes with each.
const VERSION: &str = "0.17.";

/// The target of all code that Zig compiles.
pub(super) const TARGET: &str = "wasm32-wasi";

/// The arguments that run the package.
const RUN: [&str; 2] = ["-m", "ziglang"];

/// The flags for sources in Zig. A check of `ReleaseSafe` fails with a message.
const FLAGS: &[&str] = &[
    "-OReleaseSafe",
    "-fno-strip",
    "-fsingle-threaded",
    "-lc",
    // Release builds record no lines of errors without this flag.
    "-ferror-tracing",
];

/// Returns its compiler of C, from the package.
pub(super) fn installed(cx: &mut BuildContext<'_>) -> Result<Compiler, BuildError> {
    Ok(Program::installed(cx)?.compiler())
}

/// The program of Zig: the machine's own if it has the right version, or else that of the package.
struct Program {
    path: PathBuf,
    arguments: &'static [&'static str],
    is_package: bool,
}

impl Program {
    fn of(cx: &mut BuildContext<'_>) -> Result<Self, BuildError> {
        if let Some(path) = tools::find("zig").filter(|path| is_current(path)) {
            return Ok(Self {
                path,
                arguments: &[],
                is_package: false,
            });
        }
        Self::installed(cx)
    }

    fn installed(cx: &mut BuildContext<'_>) -> Result<Self, BuildError> {
        Ok(Self {
            path: cx.python(&[PACKAGE])?,
            arguments: &RUN,
            is_package: true,
        })
    }

    fn compiler(&self) -> Compiler {
        Compiler::zig(&self.path, self.arguments, self.is_package)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.path);
        command.args(self.arguments).args([name, "-target", TARGET]);
        remove_headers(&mut command);
        command
    }
}

fn is_current(zig: &Path) -> bool {
    let version = Command::new(zig)
        .arg("version")
        .stdin(Stdio::null())
        .output();
    version.is_ok_and(|ran| ran.stdout.starts_with(VERSION.as_bytes()))
}

/// The language.
pub(in crate::languages) struct Zig;

impl Native for Zig {
    fn templates(&self) -> &'static Dir<'static> {
        &TEMPLATES
    }

    fn sdk(&self) -> Option<(&'static str, &'static Dir<'static>)> {
        Some(("zig", &SDK))
    }

    fn settings<'a>(&self, manifest: &'a Manifest) -> &'a NativeSettings {
        &manifest.zig
    }

    fn sources(&self, project: &Project) -> Vec<String> {
        let files = files_below(&project.dir().join("src"), &|_| true).unwrap_or_default();
        let names = files.iter().filter_map(|file| {
            let is_zig = file.extension().is_some_and(|ending| ending == "zig");
            let inner = file.strip_prefix(project.dir()).ok()?;
            is_zig.then(|| inner.to_string_lossy().replace('\\', "/"))
        });
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    fn header_dirs(&self, project: &Project) -> Option<Vec<PathBuf>> {
        // A module reads only files of its directory. For headers, Zig does not report the files
        // that it read.
        let dirs = reads::header_dirs(project.dir(), &project.manifest().zig.flags);
        dirs.filter(Vec::is_empty)
    }

    fn headers(&self, points: &[Served]) -> Vec<(&'static str, String)> {
        vec![
            ("points.zig", points::module(points)),
            ("main.zig", points::root(points)),
        ]
    }

    fn compiler(&self, work: &mut Work<'_>) -> Result<Compiler, BuildError> {
        Ok(Program::of(work)?.compiler())
    }

    fn compile(&self, unit: &mut Unit<'_, '_>) -> Result<(), BuildError> {
        unit.sources(&["zig"], "src/hook.zig, the root of the hook's module")?;
        let program = Program::of(unit.work)?;
        let project = unit.work.project();
        let names = points::sources(&self.sources(project));
        write(&unit.build.join("sources.zig"), names.as_bytes())?;
        let sdk = project.sdk_dir();
        let mut translate = program.command("translate-c");
        translate.arg("-lc");
        for include in &unit.includes {
            translate.arg("-I").arg(include);
        }
        translate.arg(sdk.join("c/core.h"));
        let bindings = unit.build.join("bindings.zig");
        unit.run_into(&mut translate, &bindings)?;

        let mut command = program.command("build-obj");
        command.args(FLAGS).current_dir(project.dir());
        let build = &unit.build;
        let modules: [(&str, PathBuf, &[&str]); 5] = [
            ("root", build.join("main.zig"), &["portcullis", "hook"]),
            ("hook", project.dir().join("src/hook.zig"), &["portcullis"]),
            (
                "portcullis",
                sdk.join("zig/portcullis.zig"),
                &["bindings", "points"],
            ),
            ("points", build.join("points.zig"), &["portcullis"]),
            ("bindings", bindings.clone(), &[]),
        ];
        for (name, source, needs) in modules {
            for needed in needs {
                command.args(["--dep", needed]);
            }
            command.arg(format!("-M{name}={}", source.display()));
        }
        command.args(&unit.settings.flags);
        let object = unit.place(Path::new("hook.zig"))?;
        command.arg(format!("-femit-bin={}", object.display()));
        unit.run(&mut command)?;
        // A hook may have parts in C.
        let project = unit.work.project();
        let parts = sources(&project.dir().join("src"), &["c"])?;
        unit.objects(parts.into_iter())
    }
}
