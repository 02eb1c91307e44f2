//! Commands that are given scripts as texts.

use crate::options::{Options, Syntax};
use crate::words::SUBSTITUTED;
use crate::{Command, Word};

/// The names of shells.
pub const SHELLS: &[&str] = &[
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "lksh", "oksh", "pdksh", "ash", "yash", "posh",
    "csh", "tcsh", "fish", "rbash", "rksh", "rzsh",
];
/// The options of shells.
pub const SHELL_OPTIONS: Syntax = "oO+ + --rcfile --init-file --emulate -rcfile -init-file -norc \
    -noprofile -noediting -posix -login -restricted -verbose";
/// The input of a command, as a file.
const INPUT: &[&str] = &["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// The shell in which a script runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Where {
    /// The same shell: the script's changes remain.
    Here,
    /// The same shell at a later time, or a part of it.
    Apart,
    /// Another shell, which has only the exported variables.
    Child,
}

/// Returns the scripts that a command is given, and the shell in which they run.
pub(crate) fn scripts(command: &Command) -> (Where, Vec<Word>) {
    let arguments = command.arguments();
    let behind = |options: &Options| rest(arguments, options.end);
    match command.name() {
        "eval" => (Where::Here, behind(&Options::of(arguments, ""))),
        "trap" => {
            let end = Options::of(arguments, "").end;
            (
                Where::Apart,
                arguments.get(end).cloned().into_iter().collect(),
            )
        }
        "alias" => {
            let bodies = arguments.iter().filter_map(|word| {
                let (_, body) = word.text.split_once('=')?;
                Some(word.with(body))
            });
            (Where::Apart, bodies.collect())
        }
        "source" | "." => {
            let file = arguments.get(Options::of(arguments, "").end);
            let output = file.filter(|file| file.text == SUBSTITUTED).cloned();
            let script = output.or_else(|| input(command));
            (Where::Here, script.into_iter().collect())
        }
        "su" | "runuser" => {
            const SYNTAX: Syntax = "CcGgsuw --command --group --session-command --shell --supp-group --user --whitelist-environment";
            let options = Options::anywhere(arguments, SYNTAX);
            let script = options.value(&["C", "c", "command", "session-command"]);
            (Where::Child, script.cloned().into_iter().collect())
        }
        "flock" => {
            let options = Options::anywhere(arguments, "cEw --command --timeout");
            let script = options.value(&["c", "command"]);
            (Where::Child, script.cloned().into_iter().collect())
        }
        "script" => {
            const SYNTAX: Syntax = "BcEImOoT --command --echo --log-in --log-io --log-out --log-timing --logging-format --output-limit";
            let options = Options::anywhere(arguments, SYNTAX);
            let script = options.value(&["c", "command"]).cloned();
            // In BSD, the command follows the file.
            let after_file = || rest(arguments, Options::of(arguments, SYNTAX).end + 1);
            (
                Where::Child,
                script.map_or_else(after_file, |script| vec![script]),
            )
        }
        "env" => {
            let options = Options::of(arguments, "CSu --chdir --split-string --unset");
            let split = options.value(&["S", "split-string"]);
            let after = arguments.get(options.end..).unwrap_or_default();
            let words: Vec<Word> = split.into_iter().chain(after).cloned().collect();
            (Where::Child, rest(&words, 0))
        }
        "watch" => {
            let options = Options::of(arguments, "nq --equexit --interval");
            (Where::Child, behind(&options))
        }
        "ssh" => {
            const SYNTAX: Syntax = "BbcDEeFIiJLlmOoPpQRSWw";
            let mut options = Options::of(arguments, SYNTAX);
            // The script is after the host. More options may follow the host.
            options.end += 1;
            options.read(arguments, SYNTAX);
            (Where::Child, behind(&options))
        }
        "parallel" => (Where::Child, parallel(arguments)),
        name if SHELLS.contains(&name) => {
            let shell = Shell::of(arguments);
            let script = shell.script.or_else(|| input(command));
            (Where::Child, script.into_iter().collect())
        }
        _ => (Where::Child, Vec::new()),
    }
}

/// Returns whether the command runs its input.
pub(crate) fn runs_input(command: &Command) -> bool {
    match command.name() {
        "source" | "." => {
            let end = Options::of(command.arguments(), "").end;
            let file = command.arguments().get(end);
            file.is_some_and(|file| INPUT.contains(&file.text.as_str()))
        }
        name => SHELLS.contains(&name) && Shell::of(command.arguments()).reads_input,
    }
}

/// Returns the input that the command runs, if that is written in the script.
fn input(command: &Command) -> Option<Word> {
    command.input.clone().filter(|_| runs_input(command))
}

/// The script of a shell.
struct Shell {
    /// The script that is its argument, or the output that it runs as a file.
    script: Option<Word>,
    reads_input: bool,
}

impl Shell {
    fn of(arguments: &[Word]) -> Self {
        let options = Options::of(arguments, SHELL_OPTIONS);
        let (has_script, has_input) = (options.has(&["c"]), options.has(&["s"]));
        let mut operands = arguments.get(options.end..).unwrap_or_default().iter();
        let operand = operands.find(|word| word.text != "-");
        let is_input = operand.is_none_or(|word| INPUT.contains(&word.text.as_str()));
        let is_script = |word: &&Word| has_script || word.text == SUBSTITUTED;
        Self {
            script: operand.filter(is_script).cloned(),
            reads_input: !has_script && (has_input || is_input),
        }
    }
}

/// Returns the scripts of GNU parallel: a command with each argument after `:::`, or each alone.
fn parallel(arguments: &[Word]) -> Vec<Word> {
    const SYNTAX: Syntax = "ajNnPS --delay --joblog --jobs --timeout";
    let start = Options::of(arguments, SYNTAX).end;
    let words = arguments.get(start..).unwrap_or_default();
    let end = words.iter().position(|word| word.text.starts_with(":::"));
    let command = Word::joined(words.get(..end.unwrap_or(words.len())).unwrap_or_default());
    let given = end.and_then(|end| words.get(end + 1..)).unwrap_or_default();
    let given = given.iter().filter(|word| !word.text.starts_with(":::"));
    let each = given.map(|word| match command.text.contains("{}") {
        true => word.with(&command.text.replace("{}", &word.text)),
        false => Word::joined(&[command.clone(), word.clone()]),
    });
    let mut all: Vec<Word> = each.collect();
    if all.is_empty() && !command.text.is_empty() {
        all.push(command);
    }
    all
}

fn rest(arguments: &[Word], at: usize) -> Vec<Word> {
    match arguments.get(at..).unwrap_or_default() {
        [] => Vec::new(),
        rest => vec![Word::joined(rest)],
    }
}

/// Returns the commands that `find` runs.
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
