//! Running the programs of a build.

use std::fs::File;
use std::io::{BufRead as _, BufReader, pipe};
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::{Command, Stdio};

use super::{BuildError, Options, Progress};
use crate::{FileError, Project};

/// The most lines of a failed tool's output that an error quotes.
const QUOTED: usize = 60;

/// A project that is being built, and the environment of the build.
pub(crate) struct Work<'a> {
    project: &'a Project,
    cx: BuildContext<'a>,
}

impl<'a> Work<'a> {
    pub(super) fn new(project: &'a Project, cx: BuildContext<'a>) -> Self {
        Self { project, cx }
    }

    /// What is built.
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

/// Where tools run and are installed, and where progress goes.
pub(crate) struct BuildContext<'a> {
    options: &'a Options,
    progress: &'a mut dyn FnMut(Progress<'_>),
}

impl<'a> BuildContext<'a> {
    pub(crate) fn new(options: &'a Options, progress: &'a mut dyn FnMut(Progress<'_>)) -> Self {
        Self { options, progress }
    }

    /// Whether nothing may be installed.
    pub(crate) fn offline(&self) -> bool {
        self.options.offline
    }

    /// Where tools are installed.
    pub(crate) fn tools(&self) -> &'a Path {
        &self.options.tools
    }

    /// Reports that a step begins.
    pub(crate) fn step(&mut self, words: &str) {
        (self.progress)(Progress::Step(words));
    }

    /// Reports what its author should know, and what is no fault.
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
        self.run_with(command, None)
    }

    /// The same, with its standard output in a file.
    pub(crate) fn run_into(&mut self, command: &mut Command, to: &Path) -> Result<(), BuildError> {
        let file = File::create(to).map_err(|cause| FileError::new("write", to, cause))?;
        self.run_with(command, Some(file))
    }

    fn run_with(&mut self, command: &mut Command, to: Option<File>) -> Result<(), BuildError> {
        let program = command.get_program().to_string_lossy().into_owned();
        let fault = |cause| BuildError::Start {
            program: program.clone(),
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
            return Ok(());
        }
        let skipped = lines.len().saturating_sub(QUOTED);
        Err(BuildError::Tool {
            program,
            status,
            output: lines.split_off(skipped).join("\n"),
        })
    }
}

/// A command as a person would type it.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
