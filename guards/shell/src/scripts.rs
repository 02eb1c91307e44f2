//! Commands that are given scripts as texts.

use crate::options::{self, ends_with};
use crate::{Command, Word};

/// Shells.
const SHELLS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash",
];
/// The input of a command, as a file.
const INPUT: &[&str] = &["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// Where a script runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Where {
    /// In the same shell: what it changes stays changed.
    Here,
    /// Later or in part of the same shell.
    Apart,
    /// In another shell, which has only the variables that are exported.
    Child,
}

/// The scripts that a command is given, and where they run.
pub(crate) fn scripts(command: &Command) -> (Where, Vec<String>) {
    let arguments = command.arguments();
    let all = |text: Option<String>| text.into_iter().collect();
    match command.name() {
        "eval" => (Where::Here, vec![joined(arguments)]),
        "trap" => {
            let rest = arguments.get(options::end(arguments, &[])..);
            let script = rest.and_then(<[Word]>::first);
            (Where::Apart, all(script.map(|word| word.text.clone())))
        }
        "alias" => {
            let bodies = arguments
                .iter()
                .filter_map(|word| word.text.split_once('='));
            (
                Where::Apart,
                bodies.map(|(_, body)| body.to_owned()).collect(),
            )
        }
        "su" | "runuser" | "script" | "flock" => {
            let script = options::value(arguments, |text| ends_with(text, 'c'), "--command");
            (Where::Child, all(script))
        }
        "env" => {
            let split = |text: &str| ends_with(text, 'S');
            let text = options::value(arguments, split, "--split-string");
            let attached = || {
                let mut texts = arguments.iter().map(|word| word.text.as_str());
                texts
                    .find_map(|text| text.strip_prefix("-S"))
                    .map(str::to_owned)
            };
            (Where::Child, all(text.or_else(attached)))
        }
        "watch" => {
            let end = options::end(arguments, &["-n", "--interval", "-q", "--equexit"]);
            (Where::Child, rest(arguments, end))
        }
        "ssh" => {
            const WITH_VALUE: options::WithValue = &[
                "-B", "-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-m", "-O",
                "-o", "-P", "-p", "-Q", "-R", "-S", "-W", "-w",
            ];
            let host = options::end(arguments, WITH_VALUE);
            let after = arguments.get(host + 1..).unwrap_or_default();
            // Options may follow the host.
            let more = options::end(after, WITH_VALUE);
            (Where::Child, rest(after, more))
        }
        "parallel" => (Where::Child, parallel(arguments)),
        name if SHELLS.contains(&name) => {
            let shell = Shell::of(arguments);
            let input = command.input.as_ref().filter(|_| shell.reads_input);
            let input = input.filter(|input| input.commands.is_empty());
            let script = shell
                .script
                .or_else(|| input.map(|input| input.text.clone()));
            (Where::Child, all(script))
        }
        _ => (Where::Child, Vec::new()),
    }
}

/// Whether the command runs what it reads as input.
pub(crate) fn runs_input(command: &Command) -> bool {
    SHELLS.contains(&command.name()) && Shell::of(command.arguments()).reads_input
}

/// What a shell is given.
struct Shell {
    script: Option<String>,
    reads_input: bool,
}

impl Shell {
    fn of(arguments: &[Word]) -> Self {
        let mut at = 0;
        let (mut has_script, mut has_input) = (false, false);
        while let Some(word) = arguments.get(at) {
            let text = word.text.as_str();
            at += 1;
            match text {
                "--" | "-" => break,
                "--rcfile" | "--init-file" => at += 1,
                _ if text.starts_with("--") => {}
                _ if text.starts_with(['-', '+']) => {
                    has_script |= text.starts_with('-') && text.contains('c');
                    has_input |= text.starts_with('-') && text.contains('s');
                    // Each has a name in a word of its own.
                    at += text.matches(['o', 'O']).count();
                }
                _ => {
                    at -= 1;
                    break;
                }
            }
        }
        let operand = arguments.get(at).map(|word| word.text.as_str());
        Self {
            script: operand.filter(|_| has_script).map(str::to_owned),
            reads_input: !has_script
                && (has_input || operand.is_none_or(|operand| INPUT.contains(&operand))),
        }
    }
}

/// The scripts of GNU parallel: a command with each argument behind `:::`, or each of these alone.
fn parallel(arguments: &[Word]) -> Vec<String> {
    let start = options::end(
        arguments,
        &[
            "-j",
            "--jobs",
            "-P",
            "-S",
            "--joblog",
            "--delay",
            "--timeout",
            "-N",
            "-n",
            "-a",
        ],
    );
    let words = arguments.get(start..).unwrap_or_default();
    let end = words.iter().position(|word| word.text.starts_with(":::"));
    let command = joined(words.get(..end.unwrap_or(words.len())).unwrap_or_default());
    let given = end.and_then(|end| words.get(end + 1..)).unwrap_or_default();
    let given = given.iter().filter(|word| !word.text.starts_with(":::"));
    let each = given.map(|word| match command.contains("{}") {
        true => command.replace("{}", &word.text),
        false => format!("{command} {}", word.text),
    });
    let mut all: Vec<String> = each.collect();
    if all.is_empty() && !command.is_empty() {
        all.push(command);
    }
    all
}

fn rest(arguments: &[Word], at: usize) -> Vec<String> {
    let rest = arguments.get(at..).unwrap_or_default();
    match rest.is_empty() {
        true => Vec::new(),
        false => vec![joined(rest)],
    }
}

fn joined(words: &[Word]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

/// The commands that `find` runs.
pub(crate) fn executed(arguments: &[Word]) -> Vec<Vec<Word>> {
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
