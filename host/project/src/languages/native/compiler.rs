//! A compiler of C and C++ for WebAssembly, with their libraries.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::zig;
use crate::build::{BuildContext, BuildError, Options, Progress};
use crate::tools;

/// Variables with directories of headers, which are those of this machine.
const HEADERS: &[&str] = &["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"];

/// A compiler for WebAssembly.
#[derive(Debug, Clone)]
pub struct Compiler {
    c: Line,
    /// `None` if it has none for C++.
    cpp: Option<Line>,
    is_package: bool,
}

/// A program and its fixed arguments.
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
    /// Returns the language of a source, by its ending.
    pub(super) fn of(source: &Path) -> Self {
        match source.extension().is_some_and(|ending| ending == "c") {
            true => Self::C,
            false => Self::Cpp,
        }
    }

    /// Returns the flags for sources in the language.
    pub(super) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::C => &["-std=c17"],
            Self::Cpp => &[
                "-std=c++23",
                // The engine has no exceptions: a throw ends the call, with a message.
                "-fno-exceptions",
                // The compiler's configuration may have set another mode.
                "-U_LIBCPP_HARDENING_MODE",
                "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_EXTENSIVE",
                // A failed assertion traps, and its line is shown. A message would contain paths of the machine.
                "-U_LIBCPP_ASSERTION_SEMANTIC_DEFAULT",
                "-D_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_QUICK_ENFORCE",
            ],
        }
    }

    /// Returns the parameters of a function that has none.
    pub(super) fn no_parameters(self) -> &'static str {
        match self {
            Self::C => "void",
            Self::Cpp => "",
        }
    }

    /// Returns a source that a compiler must be able to compile: many installations of clang lack a
    /// linker or a library for WebAssembly.
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

    /// Returns the Debian packages that install a compiler.
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
    /// The variable that names a compiler, with its arguments. It takes precedence over all other
    /// compilers. Hooks in Zig are compiled with Zig's own compiler.
    pub const VARIABLE: &'static str = "PORTCULLIS_WASM_CC";

    /// The variable that names the compiler of C++. Set both variables, or neither.
    pub const VARIABLE_CPP: &'static str = "PORTCULLIS_WASM_CXX";

    /// Returns a compiler of C: the one that [`VARIABLE`](Self::VARIABLE) names, or one that is on
    /// this machine, or one that is installed now.
    ///
    /// # Errors
    ///
    /// No compiler is found, and none could be installed.
    pub fn find(
        options: &Options,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Self, BuildError> {
        Self::of(&mut BuildContext::new(options, progress), Dialect::C)
    }

    /// Returns a compiler for this language.
    pub(super) fn of(cx: &mut BuildContext<'_>, dialect: Dialect) -> Result<Self, BuildError> {
        let set = |variable| env::var(variable).ok();
        if let Some(named) = Self::named(dialect, set(Self::VARIABLE), set(Self::VARIABLE_CPP))? {
            return Ok(named);
        }
        let works = |known: &Self| known.line(dialect).is_some_and(|line| line.works(dialect));
        if let Some(found) = Self::known().into_iter().find(works) {
            return Ok(found);
        }
        zig::installed(cx).map_err(|error| match error {
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

    /// Returns whether a variable names a compiler.
    pub(super) fn is_named() -> bool {
        [Self::VARIABLE, Self::VARIABLE_CPP]
            .into_iter()
            .filter_map(|variable| env::var(variable).ok())
            .any(|line| Line::parse(line).is_some())
    }

    /// Returns whether it is the compiler that the build installs. All files of that compiler
    /// follow from its version.
    pub(super) fn is_package(&self) -> bool {
        self.is_package
    }

    /// Returns the compiler of Zig, which `program` starts with these arguments.
    pub(super) fn zig(program: &Path, arguments: &[&str], is_package: bool) -> Self {
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
            is_package,
        }
    }

    /// Returns the one that the variables name, if they do.
    fn named(
        dialect: Dialect,
        c: Option<String>,
        cpp: Option<String>,
    ) -> Result<Option<Self>, BuildError> {
        match (c.and_then(Line::parse), cpp.and_then(Line::parse)) {
            (None, None) => Ok(None),
            (None, Some(_)) if dialect == Dialect::C => Ok(None),
            (Some(_), None) if dialect == Dialect::Cpp => {
                Err(Self::half(Self::VARIABLE, Self::VARIABLE_CPP))
            }
            (None, Some(_)) => Err(Self::half(Self::VARIABLE_CPP, Self::VARIABLE)),
            (Some(c), cpp) => Ok(Some(Self {
                c,
                cpp,
                is_package: false,
            })),
        }
    }

    /// Returns the error for two variables that go together if only one is set.
    fn half(set: &str, missing: &str) -> BuildError {
        BuildError::Missing {
            tool: "a C++ compiler for WebAssembly".to_owned(),
            why: format!("{set} is set and {missing} is not, and hooks in C++ need both"),
            fixes: vec![format!(
                "set {missing} to the compiler that goes with {set}, or unset {set}"
            )],
        }
    }

    /// Returns compilers that may be on this machine: clang as Debian installs it, and zig.
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
                is_package: false,
            }));
        }
        known.extend(tools::find("zig").map(|zig| Self::zig(&zig, &[], false)));
        known
    }

    /// Returns the command of the compiler of C, without files.
    pub fn command(&self) -> Command {
        self.c.command()
    }

    /// Returns the command for one of the languages. The command for C is the fallback.
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

/// Keeps a command from reading headers of this machine.
pub(super) fn remove_headers(command: &mut Command) {
    for variable in HEADERS {
        command.env_remove(variable);
    }
}

impl Line {
    /// Parses a program with its arguments; `None` if the line is empty.
    fn parse(line: String) -> Option<Self> {
        let mut words = line.split_whitespace().map(str::to_owned);
        Some(Self {
            program: words.next()?.into(),
            arguments: words.collect(),
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null());
        remove_headers(&mut command);
        command
    }

    fn works(&self, dialect: Dialect) -> bool {
        let Ok(dir) = tempfile::tempdir() else {
            return false;
        };
        let (name, text) = dialect.probe();
        let source = dir.path().join(name);
        let module = dir.path().join("probe.wasm");
        fs::write(&source, text).is_ok_and(|()| self.compiles(dialect, &source, &module))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_that_are_named_are_used_or_reported() {
        let named = |dialect, c: &str, cpp: &str| {
            let named = Compiler::named(dialect, Some(c.to_owned()), Some(cpp.to_owned()));
            named.map(|named| named.and_then(|named| Some(named.line(dialect)?.program.clone())))
        };
        for (dialect, c, cpp, expected) in [
            (Dialect::C, "", " ", None),
            (Dialect::C, "cc -x", "", Some("cc")),
            (Dialect::C, "", "c++", None),
            (Dialect::Cpp, "", "", None),
            (Dialect::Cpp, "cc", "c++ -x", Some("c++")),
        ] {
            let found = named(dialect, c, cpp).expect("it is whole");
            assert_eq!(found, expected.map(PathBuf::from), "{dialect:?} {c} {cpp}");
        }
        for (c, cpp, missing) in [
            ("cc", "", "PORTCULLIS_WASM_CXX is not"),
            ("", "c++", "PORTCULLIS_WASM_CC is not"),
        ] {
            let error = named(Dialect::Cpp, c, cpp).expect_err(missing);
            assert!(error.to_string().contains(missing), "{error}");
        }
    }
}
