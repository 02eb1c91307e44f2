//! Commands that run the command in their arguments.

use crate::options::{self, WithValue};
use crate::{Word, base};

/// The commands, their options that have a value, and how many operands come before the command.
const WRAPPERS: &[(&str, WithValue, usize)] = &[
    (
        "sudo",
        &[
            "-u", "-g", "-h", "-p", "-C", "-r", "-t", "-U", "-D", "-R", "-T", "--user", "--group",
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
            "--arg-file",
            "--delimiter",
            "--max-args",
            "--max-chars",
            "--max-lines",
            "--max-procs",
            "--process-slot-var",
        ],
        0,
    ),
    ("busybox", &[], 0),
    ("toybox", &[], 0),
    ("chroot", &["--userspec"], 1),
    ("strace", &["-e", "-o", "-p", "-E", "-s", "-u"], 0),
    ("ltrace", &["-e", "-o", "-p", "-s", "-u"], 0),
    ("unshare", &["-R", "-w", "-S", "-G"], 0),
    ("nsenter", &["-t", "-S", "-G"], 0),
    ("flock", &["-w", "-E", "--timeout"], 1),
    ("caffeinate", &["-t", "-w"], 0),
    ("taskset", &[], 1),
    ("chrt", &["-T", "-P", "-D"], 1),
    ("setarch", &[], 1),
    ("prlimit", &["-p", "--pid"], 0),
    ("systemd-run", &["-u", "-p", "-E", "-M", "-H"], 0),
    ("fakeroot", &["-l", "-s", "-i", "-b"], 0),
    ("xvfb-run", &["-e", "-f", "-n", "-p", "-s", "-w"], 0),
    ("unbuffer", &[], 0),
    ("rlwrap", &[], 0),
];

/// How many words stand before the command that this one runs.
pub(crate) fn inner(words: &[Word]) -> Option<usize> {
    let name = base(&words.first()?.text);
    let (_, with_value, operands) = WRAPPERS.iter().find(|(wrapper, ..)| *wrapper == name)?;
    let mut at = 1;
    let mut left = *operands;
    loop {
        at += options::end(words.get(at..)?, with_value);
        let word = words.get(at)?;
        if name == "env" && word.text.contains('=') {
            at += 1;
        } else if left > 0 {
            left -= 1;
            at += 1;
        } else {
            break;
        }
    }
    let says = |options: &[&str]| {
        let before = words.get(1..at).unwrap_or_default();
        before
            .iter()
            .any(|word| options.contains(&word.text.as_str()))
    };
    // `command -v` runs nothing; `env -S` and `flock -c` are given a script.
    let is_other = match name {
        "command" => says(&["-v", "-V"]),
        "env" => says(&["-S", "--split-string"]),
        "flock" => says(&["-c", "--command"]),
        _ => false,
    };
    (!is_other).then_some(at)
}
