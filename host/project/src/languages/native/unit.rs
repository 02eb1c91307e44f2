//! The compilation and linking of one component.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::compiler::{Compiler, Dialect};
use super::{reads, symbols};
use crate::FileError;
use crate::build::{BuildError, Work};
use crate::error::read;
use crate::manifest::NativeSettings;

/// The flags for every source in C and C++: small code, and warnings.
const FLAGS: &[&str] = &[
    "-Os", // A compiler that optimises may leave assertions out.
    "-UNDEBUG", "-Wall", "-Wextra",
    // A trap names the running functions and their lines.
    "-g",
];

/// A library that is entered by its exports. Compilers differ in the size of the stack, from 64 KiB to 16 MiB, all of
/// which counts as the hook's memory.
const LINK: &[&str] = &[
    "-Os",
    "-g",
    "-mexec-model=reactor",
    "-Wl,-z,stack-size=262144",
];

/// The compilation of one component.
pub(super) struct Unit<'a, 'b> {
    pub(super) work: &'a mut Work<'b>,
    pub(super) compiler: Compiler,
    pub(super) settings: &'a NativeSettings,
    pub(super) includes: Vec<PathBuf>,
    /// The directories of headers that the settings name; `None` if the compiler's inputs cannot be
    /// known.
    pub(super) named: Option<Vec<PathBuf>>,
    pub(super) objects: Vec<PathBuf>,
    /// The author's sources in C and C++, each with its object.
    pub(super) authored: Vec<(PathBuf, PathBuf)>,
    pub(super) linker: Dialect,
    /// The directory of the generated files.
    pub(super) build: PathBuf,
}

impl Unit<'_, '_> {
    /// Returns the author's sources with one of these endings, of which there is at least one.
    pub(super) fn sources(
        &self,
        endings: &[&str],
        what: &'static str,
    ) -> Result<Vec<PathBuf>, BuildError> {
        let dir = self.work.project().dir().join("src");
        let sources = sources(&dir, endings)?;
        match sources.is_empty() {
            true => Err(BuildError::NoSource { dir, what }),
            false => Ok(sources),
        }
    }

    /// Returns a place for the next object.
    pub(super) fn place(&mut self, source: &Path) -> Result<PathBuf, BuildError> {
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let dir = self.build.join("objects");
        fs::create_dir_all(&dir).map_err(|cause| FileError::new("make", &dir, cause))?;
        // Files of the SDK and of the author may have one name.
        let object = dir.join(format!("{}-{name}.o", self.objects.len()));
        self.objects.push(object.clone());
        Ok(object)
    }

    /// Compiles sources in C and C++.
    pub(super) fn objects(
        &mut self,
        sources: impl Iterator<Item = PathBuf>,
    ) -> Result<(), BuildError> {
        for source in sources {
            self.object(&source)?;
        }
        Ok(())
    }

    /// Compiles a source in C or C++; its extension determines the language.
    fn object(&mut self, source: &Path) -> Result<(), BuildError> {
        let object = self.place(source)?;
        let mut command = self.compile(source);
        command.arg("-c").arg("-o").arg(&object).arg(source);
        match self.is_authored(source) {
            true => {
                self.keep(&mut command);
                self.work.run_with_warnings(&mut command)?;
                self.authored.push((source.to_owned(), object.clone()));
            }
            false => self.run(&mut command)?,
        }
        self.note_found(source, &object.with_extension("d"))
    }

    /// Returns whether a source is the author's own.
    fn is_authored(&self, source: &Path) -> bool {
        source.starts_with(self.work.project().dir().join("src"))
    }

    /// Checks the functions and the descriptor in the author's sources.
    pub(super) fn check_symbols(&self) -> Result<(), BuildError> {
        symbols::check(self.work.project(), self.linker, &self.authored)
    }

    /// Returns the compiler for a source in C or C++, without files.
    fn compile(&self, source: &Path) -> Command {
        let dialect = Dialect::of(source);
        let project = self.work.project();
        let mut command = self.compiler.command_for(dialect);
        command.args(FLAGS).args(dialect.flags());
        command.args(&self.settings.flags);
        // `__FILE__`, which assertions show, must not depend on where the project is.
        for (dir, name) in [(project.sdk_dir().as_path(), "sdk"), (project.dir(), ".")] {
            command.arg(format!("-ffile-prefix-map={}={name}", dir.display()));
        }
        for include in &self.includes {
            command.arg("-I").arg(include);
        }
        // Relative paths in debugging information are relative to the project.
        command.current_dir(project.dir());
        command
    }

    /// Notes the files that the compiler reads for a source, if they are not known before the
    /// build: sources other than the author's read files in the directories that the settings name,
    /// and the files that those include.
    fn note_found(&mut self, source: &Path, list: &Path) -> Result<(), BuildError> {
        let project = self.work.project();
        let is_author_s = self.is_authored(source);
        let headers = match &self.named {
            Some(named) if is_author_s || !named.is_empty() => {
                [self.includes.as_slice(), named].concat()
            }
            _ => return Ok(()),
        };
        // A separate run: Zig keeps no object when it also lists the files that it read.
        let mut command = self.compile(source);
        command.args(["-M", "-MT", "made"]).arg(source);
        self.run_into(&mut command, list)?;
        let rule = read(list)?;
        let found = reads::found(
            &String::from_utf8_lossy(&rule),
            project.dir(),
            &headers,
            self.work.tools(),
        );
        self.work.note_found(found);
        Ok(())
    }

    /// Returns the linked module.
    pub(super) fn link(&mut self) -> Result<Vec<u8>, BuildError> {
        let core = self.build.join("core.wasm");
        let mut command = self.compiler.command_for(self.linker);
        command.args(LINK).arg("-o").arg(&core);
        command
            .args(&self.objects)
            .arg(self.build.join("hook_component_type.o"));
        self.run(&mut command)?;
        Ok(read(&core)?)
    }

    pub(super) fn run(&mut self, command: &mut Command) -> Result<(), BuildError> {
        self.keep(command);
        self.work.run(command)
    }

    /// Runs a command, with its standard output in a file.
    pub(super) fn run_into(&mut self, command: &mut Command, to: &Path) -> Result<(), BuildError> {
        self.keep(command);
        self.work.run_into(command, to)
    }

    /// Sets Zig's cache directory, which keeps its compiled libraries.
    fn keep(&self, command: &mut Command) {
        let cache = self.work.tools().join("zig-cache");
        command
            .env("ZIG_GLOBAL_CACHE_DIR", &cache)
            .env("ZIG_LOCAL_CACHE_DIR", &cache);
    }
}

/// Returns the files of a directory with one of these endings, in order.
pub(super) fn sources(dir: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, BuildError> {
    let entries = fs::read_dir(dir).map_err(|cause| FileError::new("read", dir, cause))?;
    let is_source = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.contains(&ending))
    };
    let mut sources: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(is_source)
        .collect();
    sources.sort();
    Ok(sources)
}
