//! Checks that a script's program exists, before it is called.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::contract::text::sanitize_for_terminal;

use super::ScriptCommand;

/// The longest first line of a script that is read, in bytes.
const FIRST_LINE: u64 = 512;

/// A script's program that cannot be run: the cause and, after a semicolon, the fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoProgram {
    /// The file does not exist.
    #[error("`{0}` does not exist; put it there, or name another program")]
    Missing(String),
    /// No directory in `PATH` contains the program.
    #[error("`{0}` is in no directory of PATH; install it, or name its path")]
    NotInPath(String),
    /// The file is not executable.
    #[error("`{0}` is not executable; make it so (chmod +x)")]
    NotExecutable(String),
    /// The first line of the script names a program that does not exist.
    #[error("`{0}` is to be run by `{1}`, which does not exist; install it, or fix the first line")]
    NoInterpreter(String, String),
}

impl ScriptCommand {
    /// Finds the program, in the same way as a run of the command does.
    ///
    /// # Errors
    ///
    /// The program, or the interpreter that its first line names, is missing or cannot be run.
    pub fn find(&self) -> Result<PathBuf, NoProgram> {
        let name = sanitize_for_terminal(&self.program.to_string_lossy());
        let program = match self.program.components().count() {
            1 => self.in_path().ok_or(NoProgram::NotInPath(name.clone()))?,
            _ if self.program.is_file() => self.program.clone(),
            _ => return Err(NoProgram::Missing(name)),
        };
        if !is_executable(&program) {
            return Err(NoProgram::NotExecutable(name));
        }
        match interpreter(&program).filter(|interpreter| !interpreter.exists()) {
            Some(missing) => {
                let missing = sanitize_for_terminal(&missing.to_string_lossy());
                Err(NoProgram::NoInterpreter(name, missing))
            }
            None => Ok(program),
        }
    }

    fn in_path(&self) -> Option<PathBuf> {
        let own = self.env.get("PATH").map(Into::into);
        let path = own.or_else(|| std::env::var_os("PATH"))?;
        std::env::split_paths(&path)
            .flat_map(|dir| candidates(&dir.join(&self.program)))
            .find(|file| file.is_file())
    }
}

#[cfg(unix)]
fn candidates(file: &Path) -> Vec<PathBuf> {
    vec![file.to_owned()]
}

#[cfg(not(unix))]
fn candidates(file: &Path) -> Vec<PathBuf> {
    let with = |ending: &str| file.with_extension(ending);
    vec![file.to_owned(), with("exe"), with("cmd"), with("bat")]
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

/// Returns the program that the first line of a script names.
fn interpreter(script: &Path) -> Option<PathBuf> {
    let mut start = Vec::new();
    let file = File::open(script).ok()?;
    file.take(FIRST_LINE).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|b| *b == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    line.split_whitespace().next().map(PathBuf::from)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_program_is_found_or_said_to_be_missing() {
        let dir = tempfile::tempdir().unwrap();
        let script = dir.path().join("check");
        let find = |program: &Path| ScriptCommand::new(program).find();
        assert!(matches!(find(&script), Err(NoProgram::Missing(_))));
        std::fs::write(&script, "#!/no/such/python3 -u\n").unwrap();
        assert!(matches!(find(&script), Err(NoProgram::NotExecutable(_))));
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&script, executable).unwrap();
        let error = find(&script).unwrap_err();
        assert!(error.to_string().contains("`/no/such/python3`"), "{error}");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        assert_eq!(find(&script), Ok(script.clone()));
        assert!(find(Path::new("sh")).is_ok());
        let error = find(Path::new("no-such-program")).unwrap_err();
        assert!(matches!(error, NoProgram::NotInPath(_)), "{error}");
        let mut own = ScriptCommand::new("check");
        own.env
            .insert("PATH".into(), dir.path().to_str().unwrap().into());
        assert_eq!(own.find(), Ok(script));
    }
}
