//! Commands that run others.

use std::ops::Range;

use crate::reader::{Reader, Unreadable};
use crate::walk::Beside;
use crate::words::printed;
use crate::{Command, Word, base};

/// Commands that run the command in their arguments: the options that have a value, as letters or in full, and how many
/// operands come before the command.
const WRAPPERS: &[(&str, &[&str], usize)] = &[
    (
        "sudo",
        &[
            "-u", "-g", "-h", "-p", "-C", "-r", "-t", "-U", "-D", "--user", "--group",
        ],
        0,
    ),
    ("doas", &["-u", "-C"], 0),
    ("pkexec", &["--user"], 0),
    ("env", &["-u", "-C", "--unset", "--chdir"], 0),
    ("nohup", &[], 0),
    ("nice", &["-n", "--adjustment"], 0),
    ("ionice", &["-c", "-n", "-p"], 0),
    ("time", &["-f", "-o"], 0),
    ("timeout", &["-k", "-s", "--signal", "--kill-after"], 1),
    ("stdbuf", &["-i", "-o", "-e"], 0),
    ("setsid", &[], 0),
    ("command", &[], 0),
    ("builtin", &[], 0),
    ("exec", &["-a"], 0),
    (
        "xargs",
        &[
            "-I",
            "-n",
            "-P",
            "-d",
            "-L",
            "-a",
            "-E",
            "-s",
            "--max-args",
            "--max-procs",
            "--replace",
        ],
        0,
    ),
    ("parallel", &["-j", "--jobs"], 0),
    ("busybox", &[], 0),
    ("toybox", &[], 0),
    ("chroot", &["--userspec"], 1),
    ("strace", &["-e", "-o", "-p"], 0),
    ("unshare", &[], 0),
    ("flock", &["-w", "-E"], 1),
    ("caffeinate", &["-t"], 0),
    ("then", &[], 0),
];

/// Shells.
pub(crate) const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "rbash"];

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
        let name = words
            .first()
            .map(|word| base(&word.text).to_owned())
            .unwrap_or_default();
        let multiplies = self.is_parallel && self.functions.contains(&name);
        self.commands.push(Command {
            words: words.clone(),
            redirects: beside.redirects,
            upstream: 0..0,
            through: self.through.clone(),
            multiplies,
        });
        let scripts = scripts(
            &name,
            words.get(1..).unwrap_or_default(),
            beside.input.as_ref(),
        );
        if !scripts.is_empty() {
            self.through.push(name.clone());
            for script in scripts {
                self.script(&script)?;
            }
            self.through.pop();
        }
        if name == "find" {
            for words in executed(words.get(1..).unwrap_or_default()) {
                self.through.push(name.clone());
                self.run(words, Beside::default())?;
                self.through.pop();
            }
        }
        self.through.truncate(outside);
        Ok(())
    }

    /// Reads what `echo` and `printf` give a shell, in a pipeline.
    pub(crate) fn scripts_from_pipe(
        &mut self,
        upstream: Range<usize>,
        stage: usize,
    ) -> Result<(), Unreadable> {
        let reads = self.commands.get(stage..).is_some_and(|commands| {
            let mut shells = commands
                .iter()
                .filter(|command| SHELLS.contains(&command.name()));
            shells.any(|shell| shell.operands().next().is_none())
        });
        if !reads {
            return Ok(());
        }
        let texts: Vec<String> = self
            .commands
            .get(upstream)
            .unwrap_or_default()
            .iter()
            .filter_map(printed)
            .collect();
        for text in texts {
            self.script(&text)?;
        }
        Ok(())
    }
}

/// How many words stand before the command that this one runs.
fn inner(words: &[Word]) -> Option<usize> {
    let name = base(&words.first()?.text);
    let (_, with_value, operands) = WRAPPERS.iter().find(|(wrapper, ..)| *wrapper == name)?;
    let mut left = *operands;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        let is_assignment = name == "env" && text.contains('=');
        if text == "--" && left == 0 {
            at += 1;
            break;
        } else if with_value.contains(&text) {
            at += 2;
        } else if (text.starts_with('-') && text.len() > 1) || is_assignment {
            at += 1;
        } else if left > 0 {
            left -= 1;
            at += 1;
        } else {
            break;
        }
    }
    // `env -S` and `command -v` run nothing of their arguments, or a text.
    let says = |option: &str| {
        words
            .get(1..at)
            .is_some_and(|words| words.iter().any(|word| word.text == option))
    };
    let is_other =
        (name == "command" && (says("-v") || says("-V"))) || (name == "env" && says("-S"));
    (words.len() > at && !is_other).then_some(at)
}

/// The scripts that a command is given as texts.
fn scripts(name: &str, arguments: &[Word], input: Option<&Word>) -> Vec<String> {
    let joined = |words: &[Word]| {
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        texts.join(" ")
    };
    let after = |is: &dyn Fn(&str) -> bool| {
        let at = arguments.iter().position(|word| is(&word.text))?;
        arguments.get(at + 1).map(|word| word.text.clone())
    };
    match name {
        "eval" => vec![joined(arguments)],
        "su" | "runuser" | "script" => after(&|text| text == "-c" || text == "--command")
            .into_iter()
            .collect(),
        "env" => after(&|text| text == "-S").into_iter().collect(),
        "watch" | "ssh" | "parallel" => {
            let skipped = usize::from(name == "ssh");
            let operands = arguments
                .iter()
                .position(|word| !word.text.starts_with('-'));
            let rest = operands
                .and_then(|at| arguments.get(at + skipped..))
                .unwrap_or_default();
            (!rest.is_empty())
                .then(|| joined(rest))
                .into_iter()
                .collect()
        }
        "trap" => arguments
            .first()
            .map(|word| word.text.clone())
            .into_iter()
            .collect(),
        _ if SHELLS.contains(&name) => {
            let is_c = |text: &str| {
                text.starts_with('-') && !text.starts_with("--") && text.ends_with('c')
            };
            let here = input
                .filter(|input| input.commands.is_empty())
                .map(|input| input.text.clone());
            after(&is_c).or(here).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The commands that `find` runs.
fn executed(arguments: &[Word]) -> Vec<Vec<Word>> {
    let starts =
        |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let ends = |word: &Word| matches!(word.text.as_str(), ";" | "+");
    let mut all = Vec::new();
    let mut rest = arguments;
    while let Some(at) = rest.iter().position(starts) {
        let command = rest.get(at + 1..).unwrap_or_default();
        let end = command.iter().position(ends).unwrap_or(command.len());
        all.push(command.get(..end).unwrap_or_default().to_vec());
        rest = command.get(end..).unwrap_or_default();
    }
    all
}
