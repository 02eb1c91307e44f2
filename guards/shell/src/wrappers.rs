//! Commands that run the command in their arguments.

use crate::options::{Options, Syntax};
use crate::{Word, base};

/// The commands, their options that have a value, and the number of operands before the command.
const WRAPPERS: &[(&str, Syntax, usize)] = &[
    (
        "sudo",
        "aCcDghpRrTtUu --auth-type --chdir --chroot --close-from --command-timeout --group \
         --host --other-user --prompt --role --type --user",
        0,
    ),
    ("doas", "aCu", 0),
    ("pkexec", "--user", 0),
    ("gosu", "", 1),
    ("su-exec", "", 1),
    ("runuser", "Gguw --user --group --supp-group", 0),
    (
        "setpriv",
        "--groups --inh-caps --rgid --ruid --regid --reuid --egid --euid",
        0,
    ),
    ("env", "CSu --chdir --split-string --unset", 0),
    ("nohup", "", 0),
    ("nice", "n --adjustment", 0),
    ("ionice", "cnPpu --class --classdata --pgid --pid --uid", 0),
    ("time", "fo --format --output", 0),
    ("timeout", "ks --kill-after --signal", 1),
    ("stdbuf", "eio --error --input --output", 0),
    ("setsid", "", 0),
    ("command", "", 0),
    ("builtin", "", 0),
    ("exec", "a", 0),
    (
        "xargs",
        "adEIJLnPRSs eil= --arg-file --delimiter --max-args --max-chars --max-procs \
         --process-slot-var",
        0,
    ),
    ("busybox", "", 0),
    ("toybox", "", 0),
    ("chroot", "Ggu --groups --userspec", 1),
    (
        "strace",
        "abEeIOoPpSsUuX --attach --env --output --string-limit --trace --trace-path --user",
        0,
    ),
    ("ltrace", "AaDeFlnopsuwx --output", 0),
    (
        "unshare",
        "GRSw --boottime --map-group --map-groups --map-user --map-users --monotonic \
         --propagation --root --setgid --setgroups --setuid --wd",
        0,
    ),
    ("nsenter", "GSt CimnprTUuw= --setgid --setuid --target", 0),
    (
        "flock",
        "cEw --command --conflict-exit-code --timeout --wait",
        1,
    ),
    ("caffeinate", "tw", 0),
    ("taskset", "", 1),
    (
        "chrt",
        "DPT --sched-deadline --sched-period --sched-runtime",
        1,
    ),
    ("setarch", "", 0),
    ("i386", "", 0),
    ("linux32", "", 0),
    ("linux64", "", 0),
    ("x86_64", "", 0),
    ("prlimit", "op --output --pid", 0),
    (
        "systemd-run",
        "EHMpu --description --gid --host --machine --nice --property --service-type --setenv \
         --slice --uid --unit --working-directory",
        0,
    ),
    ("fakeroot", "bils --faked --lib", 0),
    (
        "xvfb-run",
        "efnpsw --auth-file --error-file --server-args --server-num --wait --xauth-protocol",
        0,
    ),
    ("unbuffer", "", 0),
    ("rlwrap", "", 0),
];

/// Returns the number of words before the command that this one runs.
pub(crate) fn inner(words: &[Word]) -> Option<usize> {
    let (name, arguments) = words.split_first()?;
    let name = base(&name.text);
    let (_, syntax, operands) = WRAPPERS.iter().find(|(wrapper, ..)| *wrapper == name)?;
    let mut options = Options::default();
    let mut left = *operands;
    loop {
        options.read(arguments, syntax);
        let word = arguments.get(options.end)?;
        let is_setting = match name {
            "env" => word.text.contains('=') || word.text == "-",
            "sudo" => word.text.contains('='),
            _ => false,
        };
        if !is_setting && left == 0 {
            break;
        }
        left -= usize::from(!is_setting);
        options.end += 1;
    }
    // `command -v` runs nothing; `env -S`, `flock -c` and `runuser -c` are given a script.
    let is_other = match name {
        "command" => options.has(&["V", "v"]),
        "env" => options.has(&["S", "split-string"]),
        "flock" => options.has(&["c", "command"]),
        "runuser" => !options.has(&["u", "user"]),
        _ => false,
    };
    (!is_other).then_some(options.end + 1)
}
