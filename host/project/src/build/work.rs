//! Running the programs of a build.

use std::env::consts::EXE_SUFFIX;
use std::fs::File;
use std::io::{BufRead as _, BufReader, pipe};
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{BuildError, Found, Options, Progress};
use crate::{FileError, Project};

/// The most lines of a failed tool's output that an error quotes.
const QUOTED: usize = 60;

/// A project that is being built, and the environment of the build.
pub(crate) struct Work<'a> {
    project: &'a Project,
    cx: BuildContext<'a>,
    found: Option<Vec<Found>>,
}

impl<'a> Work<'a> {
    pub(super) fn new(project: &'a Project, cx: BuildContext<'a>) -> Self {
        Self {
            project,
            cx,
            found: Some(Vec::new()),
        }
    }

    /// Notes the inputs that a step read or looked for and that are not known before a build:
    /// files, directories whose names count, and paths that do not exist. `None` if they cannot be
    /// known.
    pub(crate) fn note_found(&mut self, found: Option<Vec<Found>>) {
        self.found = self.found.take().zip(found).map(|(mut all, more)| {
            all.extend(more);
            all
        });
    }

    /// Returns the noted inputs.
    pub(super) fn found(self) -> Option<Vec<Found>> {
        self.found
    }

    /// Returns the project being built.
    pub(crate) fn project(&self) -> &'a Project {
        self.project
    }
}

impl<'a> Deref for Work<'a> {
    type Target = BuildContext<'a>;

    fn deref(&self) -> &BuildContext<'a> {
        &self.cx
    }
}

impl<'a> DerefMut for Work<'a> {
    fn deref_mut(&mut self) -> &mut BuildContext<'a> {
        &mut self.cx
    }
}

/// The tools' directory, and the receiver of progress.
pub(crate) struct BuildContext<'a> {
    options: &'a Options,
    progress: &'a mut dyn FnMut(Progress<'_>),
}

impl<'a> BuildContext<'a> {
    pub(crate) fn new(options: &'a Options, progress: &'a mut dyn FnMut(Progress<'_>)) -> Self {
        Self { options, progress }
    }

    /// Returns whether nothing may be installed.
    pub(crate) fn offline(&self) -> bool {
        self.options.offline
    }

    /// Returns the directory of installed tools.
    pub(crate) fn tools(&self) -> &'a Path {
        &self.options.tools
    }

    /// Reports that a step begins.
    pub(crate) fn step(&mut self, words: &str) {
        (self.progress)(Progress::Step(words));
    }

    /// Reports a note for the author that is not a fault.
    pub(crate) fn note(&mut self, words: &str) {
        (self.progress)(Progress::Line(&format!("note: {words}")));
    }

    /// Runs a command that installs something, unless nothing may be installed.
    pub(crate) fn install(&mut self, what: &str, mut command: Command) -> Result<(), BuildError> {
        let line = line(&command);
        if self.options.offline {
            let what = what.to_owned();
            let command = line;
            return Err(BuildError::Offline { what, command });
        }
        (self.progress)(Progress::Installing {
            what,
            command: &line,
        });
        self.run(&mut command)
    }

    /// Runs a command to its end, and reports every line that it writes.
    pub(crate) fn run(&mut self, command: &mut Command) -> Result<(), BuildError> {
        self.run_with(&program(command), command, None).map(drop)
    }

    /// Does the same, and reports the lines of a successful compiler as its warnings.
    pub(crate) fn run_with_warnings(&mut self, command: &mut Command) -> Result<(), BuildError> {
        for line in self.run_with(&program(command), command, None)? {
            (self.progress)(Progress::Warning(&line));
        }
        Ok(())
    }

    /// Does the same for a tool that another program runs, so that errors have the tool's name.
    pub(crate) fn run_as(&mut self, tool: &str, command: &mut Command) -> Result<(), BuildError> {
        self.run_with(tool, command, None).map(drop)
    }

    /// Does the same, with its standard output in a file.
    pub(crate) fn run_into(&mut self, command: &mut Command, to: &Path) -> Result<(), BuildError> {
        let file = File::create(to).map_err(|cause| FileError::new("write", to, cause))?;
        self.run_with(&program(command), command, Some(file))
            .map(drop)
    }

    /// Returns the lines that a successful command wrote.
    fn run_with(
        &mut self,
        tool: &str,
        command: &mut Command,
        to: Option<File>,
    ) -> Result<Vec<String>, BuildError> {
        let path = command.get_program().to_string_lossy().into_owned();
        let fault = |cause| BuildError::Start {
            program: path.clone(),
            cause,
        };
        let (reader, writer) = pipe().map_err(fault)?;
        let output = match to {
            Some(file) => Stdio::from(file),
            None => Stdio::from(writer.try_clone().map_err(fault)?),
        };
        command.stdin(Stdio::null()).stdout(output).stderr(writer);
        let mut child = command.spawn().map_err(fault)?;
        // The command holds the writing ends, and reading ends when the last of them is closed.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut lines = Vec::new();
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).trim_end().to_owned();
            (self.progress)(Progress::Line(&line));
            lines.push(line);
        }
        let status = child.wait().map_err(fault)?;
        if status.success() {
            return Ok(lines);
        }
        let skipped = lines.len().saturating_sub(QUOTED);
        Err(BuildError::Tool {
            program: tool.to_owned(),
            status,
            output: lines.split_off(skipped).join("\n"),
        })
    }
}

/// Returns the program's name for people: for a Python module, the module's name.
fn program(command: &Command) -> String {
    let mut arguments = command.get_args();
    let name = match (arguments.next(), arguments.next()) {
        (Some(option), Some(module)) if option == "-m" => module,
        _ => command.get_program(),
    };
    let name = Path::new(name).file_name().unwrap_or(name);
    let name = name.to_string_lossy();
    name.strip_suffix(EXE_SUFFIX).unwrap_or(&name).to_owned()
}

/// Returns a command as a person would type it.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_the_name_that_a_person_types() {
        for (path, arguments, name) in [
            (
                format!("/usr/bin/clang-18.1{EXE_SUFFIX}"),
                &[][..],
                "clang-18.1",
            ),
            ("npm".to_owned(), &["ci"], "npm"),
            (
                "/venv/bin/python3.11".to_owned(),
                &["-m", "pip", "install"],
                "pip",
            ),
        ] {
            assert_eq!(program(Command::new(path).args(arguments)), name);
        }
    }
}
