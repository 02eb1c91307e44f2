//! What a command does to the shell, and the commands that it runs.

use std::ops::Range;

use crate::printed::printed;
use crate::reader::{Reader, Unreadable};
use crate::scripts::{Where, executed, runs_input, scripts};
use crate::simple::Beside;
use crate::wrappers::inner;
use crate::{Command, Word, base};

/// Commands of the shell that keep the variables before them, in some shells.
const SPECIAL: &[&str] = &[
    ":", ".", "eval", "exec", "export", "readonly", "set", "source", "trap", "unset",
];

impl Reader {
    /// Notes the command, and reads the scripts that it is given.
    pub(crate) fn run(&mut self, mut words: Vec<Word>, beside: Beside) -> Result<(), Unreadable> {
        self.spend()?;
        let outside = self.through.len();
        while let Some(inner) = inner(&words) {
            let name = words.first().map_or("", |word| base(&word.text));
            self.through.push(name.to_owned());
            words.drain(..inner);
        }
        let mut command = Command {
            words,
            redirects: beside.redirects,
            upstream: 0..0,
            through: self.through.clone(),
            multiplies: false,
            dirs: self.state.dirs.clone(),
            input: beside.input.or_else(|| self.input.clone()),
        };
        command.multiplies = self.is_parallel && self.functions.is_open(command.name());
        self.commands.push(command.clone());
        let kept = beside.variables.iter().map(|(name, _)| name.clone());
        let kept: Vec<_> = kept.map(|name| (self.state.entry(&name), name)).collect();
        let is_here = command.through.get(outside..).unwrap_or_default();
        let is_here = is_here
            .iter()
            .all(|name| name == "command" || name == "builtin");
        self.given(&command, &beside.variables)?;
        if is_here {
            for (name, value) in &beside.variables {
                self.state.set(name, value.clone());
            }
            self.call(command.name())?;
            self.change(&command);
        }
        for (entry, name) in kept {
            match SPECIAL.contains(&command.name()) {
                true => self.state.set(&name, None),
                false => self.state.restore(&name, entry),
            }
        }
        self.through.truncate(outside);
        Ok(())
    }

    /// Reads the scripts that the command is given.
    fn given(
        &mut self,
        command: &Command,
        variables: &[(String, Option<String>)],
    ) -> Result<(), Unreadable> {
        let (place, scripts) = scripts(command);
        let parts = match command.name() {
            "find" => executed(command.arguments()),
            _ => Vec::new(),
        };
        if scripts.is_empty() && parts.is_empty() {
            return Ok(());
        }
        self.through.push(command.name().to_owned());
        for script in scripts {
            match place {
                Where::Here => {
                    self.script(&script)?;
                }
                Where::Apart => self.apart(|reader| reader.script(&script).map(drop))?,
                Where::Child => self.apart(|reader| {
                    reader.state.forget_values();
                    for (name, value) in variables {
                        reader.state.set(name, value.clone());
                    }
                    reader.script(&script).map(drop)
                })?,
            }
        }
        for words in parts {
            self.apart(|reader| reader.run(words, Beside::default()))?;
        }
        self.through.pop();
        Ok(())
    }

    /// What the command changes in the shell that it runs in.
    fn change(&mut self, command: &Command) {
        let arguments = command.arguments();
        match command.name() {
            "cd" | "pushd" | "popd" => {
                self.left = Some(self.state.dirs.clone());
                self.state.enter(command);
            }
            "set" => self.state.configure(command),
            "source" | "." => self.state.forget_values(),
            "read" | "mapfile" | "readarray" | "getopts" | "unset" | "let" | "printf" | "wait" => {
                // An argument may be the name of a variable; `printf` and `wait` take it behind an option.
                let by_option = matches!(command.name(), "printf" | "wait");
                let before = std::iter::once("").chain(arguments.iter().map(|w| w.text.as_str()));
                for (word, before) in arguments.iter().zip(before) {
                    let is_name = !by_option || matches!(before, "-v" | "-p");
                    let name = word.text.split(['=', '+', '[']).next().unwrap_or_default();
                    if is_name && !name.starts_with('-') {
                        self.state.set(name, None);
                    }
                }
            }
            _ => {}
        }
    }

    /// Reads what `echo` and `printf` give a shell, in a pipeline.
    pub(crate) fn scripts_from_pipe(
        &mut self,
        upstream: Range<usize>,
        stage: usize,
    ) -> Result<(), Unreadable> {
        let shells = self.commands.get(stage..).unwrap_or_default();
        if !shells.iter().any(runs_input) {
            return Ok(());
        }
        let upstream = self.commands.get(upstream).unwrap_or_default();
        let mut texts: Vec<String> = upstream.iter().filter_map(printed).collect();
        if texts.len() > 1 {
            texts.push(texts.concat());
        }
        for text in texts {
            self.apart(|reader| {
                reader.state.forget_values();
                reader.script(&text).map(drop)
            })?;
        }
        Ok(())
    }
}
