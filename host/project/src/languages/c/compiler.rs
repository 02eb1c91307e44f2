//! A C compiler for WebAssembly, with a C library.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::build::{BuildError, Options, Progress, Shop};
use crate::tools;

/// The compiler that is installed if there is none: clang, a linker and a C library in one package for
/// Python.
const ZIG: &str = "ziglang==0.17.1";

/// What a compiler must be able to compile: many installations of clang lack a linker or a library for
/// WebAssembly.
const PROBE: &str = "#include <stdlib.h>\nvoid *probe(unsigned n) { return malloc(n); }\n";

/// A C compiler for WebAssembly.
#[derive(Debug, Clone)]
pub struct Compiler {
    program: PathBuf,
    arguments: Vec<String>,
}

impl Compiler {
    /// The variable that names one, with its arguments; it is used whatever else there is.
    pub const VARIABLE: &'static str = "PORTCULLIS_WASM_CC";

    /// A compiler: the one that [`VARIABLE`](Self::VARIABLE) names, or one that is on this machine, or one
    /// that is installed now.
    ///
    /// # Errors
    ///
    /// There is none, and none could be installed.
    pub fn find(
        options: &Options,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Self, BuildError> {
        Self::of(&mut Shop::new(options, progress))
    }

    pub(super) fn of(shop: &mut Shop<'_>) -> Result<Self, BuildError> {
        if let Ok(line) = env::var(Self::VARIABLE) {
            let mut words = line.split_whitespace().map(str::to_owned);
            let program = words.next().unwrap_or_default().into();
            let arguments = words.collect();
            return Ok(Self { program, arguments });
        }
        if let Some(found) = Self::known().into_iter().find(Self::works) {
            return Ok(found);
        }
        let program = shop.python(&[ZIG]).map_err(|error| match error {
            BuildError::Missing { mut fixes, why, .. } => {
                fixes.insert(
                    0,
                    "Debian, Ubuntu: sudo apt-get install clang lld wasi-libc libclang-rt-dev-wasm32"
                        .to_owned(),
                );
                BuildError::Missing {
                    tool: "a C compiler for WebAssembly".to_owned(),
                    why: format!("there is no clang with wasi-libc, and {ZIG} needs Python: {why}"),
                    fixes,
                }
            }
            other => other,
        })?;
        let arguments = ["-m", "ziglang", "cc", "-target", "wasm32-wasi"];
        let arguments = arguments.map(str::to_owned).to_vec();
        Ok(Self { program, arguments })
    }

    /// Compilers that may be on this machine: clang as Debian installs it, and zig.
    fn known() -> Vec<Self> {
        let mut known = Vec::new();
        for version in ["", "-22", "-21", "-20", "-19"] {
            let clang = tools::find(&format!("clang{version}"));
            let linker = tools::find(&format!("wasm-ld{version}"));
            if let (Some(program), Some(linker)) = (clang, linker) {
                let linker = format!("-fuse-ld={}", linker.display());
                let target = "--target=wasm32-wasi".to_owned();
                let arguments = vec![target, "--sysroot=/usr".to_owned(), linker];
                known.push(Self { program, arguments });
            }
        }
        if let Some(program) = tools::find("zig") {
            let arguments = ["cc", "-target", "wasm32-wasi"].map(str::to_owned).to_vec();
            known.push(Self { program, arguments });
        }
        known
    }

    /// The command of the compiler, without files.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null());
        command
    }

    fn works(&self) -> bool {
        let dir = env::temp_dir().join(format!("portcullis-cc-{}", std::process::id()));
        let source = dir.join("probe.c");
        let works = fs::create_dir_all(&dir)
            .and_then(|()| fs::write(&source, PROBE))
            .is_ok_and(|()| self.compiles(&source, &dir.join("probe.wasm")));
        // It is a temporary directory.
        let _ = fs::remove_dir_all(&dir);
        works
    }

    fn compiles(&self, source: &Path, module: &Path) -> bool {
        let mut command = self.command();
        command
            .args(["-mexec-model=reactor", "-o"])
            .arg(module)
            .arg(source);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}
