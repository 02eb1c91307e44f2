//! Building the core modules that are written in C.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use portcullis_project::languages::native;

use xtask::{Error, Result};

use crate::hooks;

/// The flags for a module without a library. Its memory is imported, and its data begin after the
/// first page.
const FLAGS: &[&str] = &[
    "-O1",
    "-nostdlib",
    "-Wno-everything",
    "-Wl,--no-entry",
    "-Wl,--export=handle",
    "-Wl,--import-memory",
    "-Wl,-z,stack-size=32768",
    "-Wl,--global-base=65536",
];

/// A C compiler for wasm32.
#[derive(Debug)]
pub struct Compiler {
    words: Vec<String>,
}

impl Compiler {
    /// Returns a compiler on this machine, or installs one into `target`.
    ///
    /// # Errors
    ///
    /// No compiler exists, and none could be installed.
    pub fn find(root: &Path) -> Result<Self> {
        let known = [
            "clang --target=wasm32",
            "clang-19 --target=wasm32 -fuse-ld=/usr/bin/wasm-ld-19",
            "zig cc -target wasm32-freestanding",
        ];
        let named = env::var(native::Compiler::VARIABLE).is_ok();
        let found = known
            .iter()
            .filter(|_| !named)
            .map(|line| Self {
                words: line.split_whitespace().map(str::to_owned).collect(),
            })
            .find(Self::works);
        if let Some(found) = found {
            return Ok(found);
        }
        let command = native::Compiler::find(&hooks::options(root), &mut hooks::tell)
            .map_err(|cause| Error::new(cause.to_string()))?
            .command();
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words = words
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        Ok(Self { words })
    }

    /// Compiles one file to a core module.
    ///
    /// # Errors
    ///
    /// The file does not compile.
    pub fn compile(&self, source: &Path, module: &Path) -> Result<()> {
        let mut command = self.command();
        command.args(FLAGS).arg("-o").arg(module).arg(source);
        let done = command
            .output()
            .map_err(|cause| Error::start("the C compiler", &cause))?;
        match done.status.success() {
            true => Ok(()),
            false => Err(Error::new(format!(
                "the C compiler ended with {}: {}",
                done.status,
                String::from_utf8_lossy(&done.stderr).trim()
            ))),
        }
    }

    /// Returns whether the compiler can make a module: many installations of clang have no linker
    /// for wasm32.
    fn works(&self) -> bool {
        let dir = env::temp_dir().join(format!("portcullis-cc-{}", std::process::id()));
        let source = dir.join("probe.c");
        let tried = std::fs::create_dir_all(&dir)
            .and_then(|()| std::fs::write(&source, "int handle(void) { return 0; }\n"))
            .is_ok_and(|()| self.compile(&source, &dir.join("probe.wasm")).is_ok());
        // The directory is temporary.
        let _ = std::fs::remove_dir_all(&dir);
        tried
    }

    fn command(&self) -> Command {
        let (program, arguments) = match self.words.split_first() {
            Some((program, arguments)) => (program.as_str(), arguments),
            None => ("cc", &[][..]),
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        command
    }
}
