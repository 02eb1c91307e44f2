//! Programs that run scripts, and the sources of the scripts.

use guards_shell::{Argument, Command, SHELL_OPTIONS, SHELLS, Syntax, Word};

use super::place::resolve;

/// Programs that run scripts, and their options.
struct Runner {
    names: &'static [&'static str],
    options: Syntax,
    /// Options and operands after which a script comes as a text: as their value or as an operand.
    text: &'static [&'static str],
    /// Options whose value is the file with the script.
    file: &'static [&'static str],
    /// Options with which it also runs its input.
    input: &'static [&'static str],
    /// Operands that may come before the script.
    before: &'static [&'static str],
    /// Whether its first operand is the file with the script.
    takes_file: bool,
}

const OTHER: Runner = Runner {
    names: &[
        "source", ".", "pwsh", "tclsh", "wish", "expect", "guile", "julia", "nu", "xonsh", "elvish",
    ],
    options: "",
    text: &[],
    file: &[],
    input: &[],
    before: &[],
    takes_file: true,
};

const RUNNERS: &[Runner] = &[
    Runner {
        names: &["fish"],
        options: "cCdDfop --command --init-command --debug --debug-output --features --profile",
        text: &["c", "command"],
        ..OTHER
    },
    Runner {
        names: SHELLS,
        options: SHELL_OPTIONS,
        text: &["c"],
        input: &["s"],
        before: &["-"],
        ..OTHER
    },
    Runner {
        names: &["python", "pypy", "ipython"],
        options: "cmWXQ --check-hash-based-pycs",
        text: &["c", "m"],
        input: &["i"],
        ..OTHER
    },
    Runner {
        names: &["perl"],
        options: "eEI CDFMVdimx=",
        text: &["e", "E"],
        ..OTHER
    },
    Runner {
        names: &["ruby", "jruby"],
        options: "eCEIr FKTWix=",
        text: &["e"],
        ..OTHER
    },
    Runner {
        names: &["node", "nodejs", "tsx", "ts-node"],
        options: "epCr --eval --print --run --require --import --conditions --loader --input-type",
        text: &["e", "p", "eval", "print", "run"],
        input: &["i", "interactive"],
        ..OTHER
    },
    Runner {
        names: &["php"],
        options: "BEFRSrcdftz --run --file --process-begin --process-code --process-end \
    --process-file --server --define --docroot",
        text: &[
            "r",
            "B",
            "E",
            "F",
            "R",
            "S",
            "run",
            "process-begin",
            "process-code",
            "process-end",
            "process-file",
            "server",
        ],
        file: &["f", "file"],
        input: &["a", "interactive"],
        ..OTHER
    },
    Runner {
        names: &["lua", "luajit"],
        options: "elbj O=",
        text: &["e"],
        input: &["i"],
        ..OTHER
    },
    Runner {
        names: &["osascript"],
        options: "els",
        text: &["e"],
        input: &["i"],
        ..OTHER
    },
    Runner {
        names: &["deno"],
        options: "c --config --import-map",
        text: &["eval"],
        before: &["run", "repl", "eval"],
        ..OTHER
    },
    Runner {
        names: &["bun"],
        options: "epr --eval --print --preload --cwd",
        text: &["e", "p", "eval", "print"],
        before: &["run"],
        ..OTHER
    },
    Runner {
        names: &["R", "Rscript"],
        options: "efg --file --gui",
        text: &["e"],
        file: &["f", "file"],
        ..OTHER
    },
    Runner {
        names: &["at", "batch"],
        options: "fqt",
        file: &["f"],
        takes_file: false,
        ..OTHER
    },
    OTHER,
];

/// The sources of the script that a command runs.
#[derive(Default)]
pub struct Script {
    /// Whether the command runs its input.
    pub is_input: bool,
    /// The file that it runs.
    pub file: Option<Word>,
    /// The texts that it runs.
    pub texts: Vec<Word>,
}

impl Script {
    /// Returns the script of a command, if it runs one.
    pub fn of(command: &Command) -> Option<Self> {
        if command.name() == "eval" {
            // Its arguments may be variables that `read` has set.
            return Some(Self {
                is_input: true,
                file: None,
                texts: command.arguments().to_vec(),
            });
        }
        Runner::of(command.name()).map(|runner| runner.script(command))
    }
}

/// Returns whether programs with this name run scripts.
pub fn is_runner(name: &str) -> bool {
    Runner::of(name).is_some()
}

impl Runner {
    /// Returns the runner with this name, which may have a version: `python3.12`.
    fn of(name: &str) -> Option<&'static Self> {
        let find = |name: &str| {
            let mut all = RUNNERS.iter();
            all.find(|runner| runner.names.contains(&name))
        };
        let is_version = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
        find(name).or_else(|| find(name.trim_end_matches(is_version)))
    }

    fn script(&self, command: &Command) -> Script {
        let mut script = Script::default();
        let (mut has_text, mut are_texts) = (false, false);
        for argument in command.parsed(self.options) {
            match argument {
                Argument::Option(name, value) if self.text.contains(&name) => {
                    has_text = true;
                    are_texts |= value.is_none();
                    script.texts.extend(value);
                }
                Argument::Option(name, value) if self.file.contains(&name) => script.file = value,
                Argument::Option(name, _) => script.is_input |= self.input.contains(&name),
                Argument::Operand(word) if are_texts => script.texts.push(word.clone()),
                Argument::Operand(word) if self.before.contains(&word.text.as_str()) => {
                    are_texts = self.text.contains(&word.text.as_str());
                    has_text |= are_texts;
                }
                Argument::Operand(word) if self.takes_file => {
                    // The words after the file are the script's arguments.
                    if !has_text && script.file.is_none() {
                        script.file = Some(word.clone());
                    }
                    break;
                }
                Argument::Operand(_) => {}
            }
        }
        script.is_input |= match &script.file {
            Some(file) => is_input(&file.text),
            None => !has_text,
        };
        script
    }
}

/// Returns whether a file is the input of the command that opens it.
fn is_input(path: &str) -> bool {
    let is_absolute = path.starts_with('/');
    let (names, _) = resolve(path);
    match names.as_slice() {
        ["-"] => true,
        ["dev", "stdin"] | ["dev", "fd", "0"] | ["proc", _, "fd", "0"] => is_absolute,
        _ => false,
    }
}
