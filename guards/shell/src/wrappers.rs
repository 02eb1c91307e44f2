//! Commands that run the command in their arguments.

use crate::options::{Options, WithValue};
use crate::{Word, base};

/// The commands, their options that have a value, and how many operands come before the command.
const WRAPPERS: &[(&str, WithValue, usize)] = &[
    (
        "sudo",
        "-a -C -c -D -g -h -p -R -r -T -t -U -u --auth-type --chdir --chroot --close-from \
         --command-timeout --group --host --login-class --other-user --prompt --role --type \
         --user",
        0,
    ),
    ("doas", "-a -C -u", 0),
    ("pkexec", "--user", 0),
    ("gosu", "", 1),
    ("su-exec", "", 1),
    ("runuser", "-u -g -G -w --user --group --supp-group", 0),
    (
        "setpriv",
        "--groups --inh-caps --rgid --ruid --regid --reuid --egid --euid",
        0,
    ),
    ("env", "-C -S -u --chdir --split-string --unset", 0),
    ("nohup", "", 0),
    ("nice", "-n --adjustment", 0),
    (
        "ionice",
        "-c -n -P -p -u --class --classdata --pgid --pid --uid",
        0,
    ),
    ("time", "-f -o --format --output", 0),
    ("timeout", "-k -s --kill-after --signal", 1),
    ("stdbuf", "-e -i -o --error --input --output", 0),
    ("setsid", "", 0),
    ("command", "", 0),
    ("builtin", "", 0),
    ("exec", "-a", 0),
    (
        "xargs",
        "-a -d -E -e= -I -i= -J -L -l= -n -P -R -S -s --arg-file --delimiter --max-args \
         --max-chars --max-procs --process-slot-var",
        0,
    ),
    ("busybox", "", 0),
    ("toybox", "", 0),
    ("chroot", "-G -g -u --groups --userspec", 1),
    (
        "strace",
        "-a -b -E -e -I -O -o -P -p -S -s -U -u -X --attach --env --output --string-limit \
         --trace --trace-path --user",
        0,
    ),
    (
        "ltrace",
        "-A -a -D -e -F -l -n -o -p -s -u -w -x --output",
        0,
    ),
    (
        "unshare",
        "-G -R -S -w --boottime --map-group --map-groups --map-user --map-users --monotonic \
         --propagation --root --setgid --setgroups --setuid --wd",
        0,
    ),
    (
        "nsenter",
        "-C= -G -i= -m= -n= -p= -r= -S -T= -t -U= -u= -w= --setgid --setuid --target",
        0,
    ),
    (
        "flock",
        "-c -E -w --command --conflict-exit-code --timeout --wait",
        1,
    ),
    ("caffeinate", "-t -w", 0),
    ("taskset", "", 1),
    (
        "chrt",
        "-D -P -T --sched-deadline --sched-period --sched-runtime",
        1,
    ),
    ("setarch", "", 0),
    ("i386", "", 0),
    ("linux32", "", 0),
    ("linux64", "", 0),
    ("x86_64", "", 0),
    ("prlimit", "-o -p --output --pid", 0),
    (
        "systemd-run",
        "-E -H -M -p -u --description --gid --host --machine --nice --property --service-type \
         --setenv --slice --uid --unit --working-directory",
        0,
    ),
    ("fakeroot", "-b -i -l -s --faked --lib", 0),
    (
        "xvfb-run",
        "-e -f -n -p -s -w --auth-file --error-file --server-args --server-num --wait \
         --xauth-protocol",
        0,
    ),
    ("unbuffer", "", 0),
    ("rlwrap", "", 0),
];

/// How many words stand before the command that this one runs.
pub(crate) fn inner(words: &[Word]) -> Option<usize> {
    let (name, arguments) = words.split_first()?;
    let name = base(&name.text);
    let (_, with_value, operands) = WRAPPERS.iter().find(|(wrapper, ..)| *wrapper == name)?;
    let mut options = Options::default();
    let mut left = *operands;
    loop {
        options.read(arguments, with_value);
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
        "command" => options.has(&["-V", "-v"]),
        "env" => options.has(&["-S", "--split-string"]),
        "flock" => options.has(&["-c", "--command"]),
        "runuser" => !options.has(&["-u", "--user"]),
        _ => false,
    };
    (!is_other).then_some(options.end + 1)
}
