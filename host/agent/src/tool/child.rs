//! Child processes: their environment, and stopping them together with their own children.

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::process::Command;

/// The variables that a child process inherits. Others may contain keys.
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

/// Sets a command's environment: the inherited variables, and these.
pub(crate) fn set_env(command: &mut Command, also: &[String]) {
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

/// Puts a command into its own process group, so that all of the group can be stopped.
pub fn in_own_group(command: Command) -> CommandWrap {
    let mut wrap = CommandWrap::from(command);
    #[cfg(unix)]
    wrap.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    wrap.wrap(process_wrap::tokio::JobObject);
    wrap
}

/// A child process. Dropping it stops its process group.
#[derive(Debug)]
pub struct Group(
    /// The child.
    pub Box<dyn ChildWrapper>,
);

impl Drop for Group {
    fn drop(&mut self) {
        // An error means that it has already ended.
        let _ = self.0.start_kill();
    }
}
