//! A compiler of C and C++ for WebAssembly, with their libraries.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::zig;
use crate::build::{BuildError, Options, Progress, Shop};
use crate::tools;

/// A compiler for WebAssembly.
#[derive(Debug, Clone)]
pub struct Compiler {
    c: Line,
    /// `None` if it has none for C++.
    cpp: Option<Line>,
}

/// A program and what it is always given.
#[derive(Debug, Clone)]
struct Line {
    program: PathBuf,
    arguments: Vec<String>,
}

/// A language that it compiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    C,
    Cpp,
}

impl Dialect {
    /// What a source is in, by its ending.
    pub(super) fn of(source: &Path) -> Self {
        match source.extension().is_some_and(|ending| ending == "c") {
            true => Self::C,
            false => Self::Cpp,
        }
    }

    /// What its sources are compiled with.
    pub(super) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::C => &["-std=c17"],
            Self::Cpp => &[
                "-std=c++23",
                // The engine has no exceptions: what would be thrown ends the call, with a message.
                "-fno-exceptions",
                // A compiler may have chosen another.
                "-U_LIBCPP_HARDENING_MODE",
                "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_EXTENSIVE",
                // A trap, whose line is shown. With a message there would be paths of the machine.
                "-U_LIBCPP_ASSERTION_SEMANTIC_DEFAULT",
                "-D_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_QUICK_ENFORCE",
            ],
        }
    }

    /// What a compiler must be able to compile: many installations of clang lack a linker or a library for WebAssembly.
    fn probe(self) -> (&'static str, &'static str) {
        match self {
            Self::C => (
                "probe.c",
                "#include <stdlib.h>\nvoid *probe(unsigned n) { return malloc(n); }\n",
            ),
            Self::Cpp => (
                "probe.cpp",
                "#include <expected>\n#include <string>\nstd::string probe(int n) { return std::to_string(n); }\n",
            ),
        }
    }

    /// What installs a compiler on Debian.
    fn packages(self) -> &'static str {
        match self {
            Self::C => "clang lld wasi-libc libclang-rt-dev-wasm32",
            Self::Cpp => {
                "clang lld wasi-libc libclang-rt-dev-wasm32 libc++-dev-wasm32 libc++abi-dev-wasm32"
            }
        }
    }
}

impl Compiler {
    /// The variable that names one, with its arguments; it is used whatever else there is.
    pub const VARIABLE: &'static str = "PORTCULLIS_WASM_CC";

    /// The variable that names the one for C++, which goes with that for C.
    pub const VARIABLE_CPP: &'static str = "PORTCULLIS_WASM_CXX";

    /// A compiler of C: the one that [`VARIABLE`](Self::VARIABLE) names, or one that is on this machine, or one
    /// that is installed now.
    ///
    /// # Errors
    ///
    /// There is none, and none could be installed.
    pub fn find(
        options: &Options,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Self, BuildError> {
        Self::of(&mut Shop::new(options, progress), Dialect::C)
    }

    /// One that has this language.
    pub(super) fn of(shop: &mut Shop<'_>, dialect: Dialect) -> Result<Self, BuildError> {
        if let Some(named) = Self::named().filter(|named| named.line(dialect).is_some()) {
            return Ok(named);
        }
        let works = |known: &Self| known.line(dialect).is_some_and(|line| line.works(dialect));
        if let Some(found) = Self::known().into_iter().find(works) {
            return Ok(found);
        }
        zig::installed(shop).map_err(|error| match error {
            BuildError::Missing { mut fixes, why, .. } => {
                let packages = dialect.packages();
                fixes.insert(
                    0,
                    format!("Debian, Ubuntu: sudo apt-get install {packages}"),
                );
                BuildError::Missing {
                    tool: "a C compiler for WebAssembly".to_owned(),
                    why: format!(
                        "there is no clang with wasi-libc, and {} needs Python: {why}",
                        zig::PACKAGE
                    ),
                    fixes,
                }
            }
            other => other,
        })
    }

    /// Zig's, started by this program with these arguments.
    pub(super) fn zig(program: &Path, arguments: &[&str]) -> Self {
        let line = |command: &str| Line {
            program: program.to_owned(),
            arguments: arguments
                .iter()
                .chain(&[command, "-target", zig::TARGET])
                .map(|argument| (*argument).to_owned())
                .collect(),
        };
        Self {
            c: line("cc"),
            cpp: Some(line("c++")),
        }
    }

    fn named() -> Option<Self> {
        let named = |variable| {
            let line = env::var(variable).ok()?;
            let mut words = line.split_whitespace().map(str::to_owned);
            Some(Line {
                program: words.next().unwrap_or_default().into(),
                arguments: words.collect(),
            })
        };
        Some(Self {
            c: named(Self::VARIABLE)?,
            cpp: named(Self::VARIABLE_CPP),
        })
    }

    /// Compilers that may be on this machine: clang as Debian installs it, and zig.
    fn known() -> Vec<Self> {
        let mut known = Vec::new();
        for version in ["", "-22", "-21", "-20", "-19"] {
            let line = |name: &str| {
                let linker = tools::find(&format!("wasm-ld{version}"))?;
                Some(Line {
                    program: tools::find(&format!("{name}{version}"))?,
                    arguments: vec![
                        "--target=wasm32-wasi".to_owned(),
                        "--sysroot=/usr".to_owned(),
                        format!("-fuse-ld={}", linker.display()),
                    ],
                })
            };
            known.extend(line("clang").map(|c| Self {
                c,
                cpp: line("clang++"),
            }));
        }
        known.extend(tools::find("zig").map(|zig| Self::zig(&zig, &[])));
        known
    }

    /// The command of the compiler of C, without files.
    pub fn command(&self) -> Command {
        self.c.command()
    }

    /// The command for one of the languages; that for C where there is none for it.
    pub(super) fn command_for(&self, dialect: Dialect) -> Command {
        self.line(dialect).unwrap_or(&self.c).command()
    }

    fn line(&self, dialect: Dialect) -> Option<&Line> {
        match dialect {
            Dialect::C => Some(&self.c),
            Dialect::Cpp => self.cpp.as_ref(),
        }
    }
}

impl Line {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null());
        command
    }

    fn works(&self, dialect: Dialect) -> bool {
        let dir = env::temp_dir().join(format!("portcullis-cc-{}", std::process::id()));
        let (name, text) = dialect.probe();
        let source = dir.join(name);
        let works = fs::create_dir_all(&dir)
            .and_then(|()| fs::write(&source, text))
            .is_ok_and(|()| self.compiles(dialect, &source, &dir.join("probe.wasm")));
        // It is a temporary directory.
        let _ = fs::remove_dir_all(&dir);
        works
    }

    fn compiles(&self, dialect: Dialect, source: &Path, module: &Path) -> bool {
        let mut command = self.command();
        command
            .args(dialect.flags())
            .args(["-mexec-model=reactor", "-o"])
            .arg(module)
            .arg(source);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }
}
