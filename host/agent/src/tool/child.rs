//! Child processes: what they inherit, and how they are stopped together with their own children.

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::process::Command;

/// What a child process inherits of the environment. The rest stays here: it may hold keys.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TERM",
    "TMPDIR",
    "TZ", // and on Windows
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMFILES",
];

/// Gives the command the inherited part of the environment, and these variables too.
pub(super) fn set_env(command: &mut Command, also: &[String]) {
    command.env_clear();
    for name in INHERITED
        .iter()
        .copied()
        .chain(also.iter().map(String::as_str))
    {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
}

/// Makes the command the head of a group of its own, so that all of it can be stopped.
pub(super) fn in_own_group(command: Command) -> CommandWrap {
    let mut wrap = CommandWrap::from(command);
    #[cfg(unix)]
    wrap.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    wrap.wrap(process_wrap::tokio::JobObject);
    wrap
}

/// A child process that is stopped, with all it started, when this is dropped.
#[derive(Debug)]
pub(super) struct Group(pub(super) Box<dyn ChildWrapper>);

impl Drop for Group {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.0.start_kill();
    }
}
