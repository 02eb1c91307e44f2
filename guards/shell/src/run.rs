//! The changes of a command to the shell, and the commands that it runs.

use std::ops::Range;

use crate::printed::{Printed, printed};
use crate::reader::{Reader, Unreadable};
use crate::scripts::{Where, executed, runs_input, scripts};
use crate::simple::Beside;
use crate::words::SUBSTITUTED;
use crate::wrappers::inner;
use crate::{Command, Word, base};

/// Special builtins: some shells keep the variables that are assigned before them.
const SPECIAL: &[&str] = &[
    ":", ".", "eval", "exec", "export", "readonly", "set", "source", "trap", "unset",
];

impl Reader {
    /// Records the command, and reads the scripts that it is given.
    pub(crate) fn run(&mut self, mut words: Vec<Word>, beside: Beside) -> Result<(), Unreadable> {
        self.spend()?;
        let outside = self.through.len();
        while let Some(inner) = inner(&words) {
            let name = words.first().map_or("", |word| base(&word.text));
            self.through.push(name.to_owned());
            words.drain(..inner);
        }
        let input = beside.input.or_else(|| self.input.clone());
        let mut command = Command {
            words,
            redirects: beside.redirects,
            upstream: input.as_ref().map_or(0..0, |input| input.commands.clone()),
            through: self.through.clone(),
            multiplies: false,
            dirs: self.state.dirs.clone(),
            input,
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
        for script in scripts
            .into_iter()
            .flat_map(|script| self.seen(script))
            .collect::<Vec<_>>()
        {
            match place {
                Where::Here => self.given_script(&script)?,
                Where::Apart => self.apart(|reader| reader.given_script(&script))?,
                Where::Child => self.apart(|reader| {
                    reader.state.forget_values();
                    for (name, value) in variables {
                        reader.state.set(name, value.clone());
                    }
                    reader.given_script(&script)
                })?,
            }
        }
        for words in parts {
            self.apart(|reader| reader.run(words, Beside::default()))?;
        }
        self.through.pop();
        Ok(())
    }

    /// Makes the changes of the command to the shell that it runs in.
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
                // An argument may be the name of a variable; `printf` and `wait` take it after an option.
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

    /// Reads the scripts that `echo` and `printf` send to a shell in a pipeline.
    pub(crate) fn scripts_from_pipe(
        &mut self,
        upstream: Range<usize>,
        stage: usize,
    ) -> Result<(), Unreadable> {
        let shells = self.commands.get(stage..).unwrap_or_default();
        if !shells.iter().any(runs_input) {
            return Ok(());
        }
        for script in self.outputs(upstream) {
            self.apart(|reader| {
                reader.state.forget_values();
                reader.given_script(&script)
            })?;
        }
        Ok(())
    }

    /// Returns the scripts in a word: its text, or the outputs of its commands.
    fn seen(&self, script: Word) -> Vec<Word> {
        let is_output = !script.is_known && !script.commands.is_empty();
        match is_output && (script.text == SUBSTITUTED || script.text.trim().is_empty()) {
            true => self.outputs(script.commands),
            false => vec![script],
        }
    }

    /// Returns the outputs that are written in the script: of each command, and of all together.
    fn outputs(&self, commands: Range<usize>) -> Vec<Word> {
        let commands = self.commands.get(commands).unwrap_or_default();
        let mut texts = Vec::new();
        let mut unseen = None;
        for command in commands {
            match printed(command) {
                Printed::Text(text) => texts.push(text),
                Printed::Unseen => unseen = Some(Word::default()),
                Printed::Other => {}
            }
        }
        if texts.len() > 1 {
            texts.push(texts.concat());
        }
        texts
            .iter()
            .map(|text| Word::known(text))
            .chain(unseen)
            .collect()
    }

    /// Reads a script that a command is given. An unknown script is read as a command with an unknown name.
    fn given_script(&mut self, script: &Word) -> Result<(), Unreadable> {
        if script.is_known || !script.text.trim().is_empty() {
            return self.script(&script.text).map(drop);
        }
        self.commands.push(Command {
            words: vec![script.with("$(…)")],
            through: self.through.clone(),
            dirs: self.state.dirs.clone(),
            ..Command::default()
        });
        Ok(())
    }
}
