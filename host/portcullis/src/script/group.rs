//! A script and the processes that it starts, which are stopped together.

use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};

/// A running script. On drop, it is stopped with the processes that it started in its group.
#[derive(Debug)]
pub(super) struct Group {
    child: Box<dyn ChildWrapper>,
    stopped: bool,
}

impl Group {
    pub(super) fn spawn(mut command: Command) -> std::io::Result<Self> {
        command.kill_on_drop(true);
        let mut wrap = CommandWrap::from(command);
        #[cfg(unix)]
        wrap.wrap(process_wrap::tokio::ProcessGroup::leader());
        #[cfg(windows)]
        wrap.wrap(process_wrap::tokio::JobObject);
        Ok(Self {
            child: wrap.spawn()?,
            stopped: false,
        })
    }

    pub(super) fn take_pipes(
        &mut self,
    ) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (
            self.child.stdin().take(),
            self.child.stdout().take(),
            self.child.stderr().take(),
        )
    }

    /// Waits for the script to end.
    pub(super) async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Stops the remaining processes.
    pub(super) fn stop(&mut self) {
        if !std::mem::replace(&mut self.stopped, true) {
            // An error means that the script has ended already.
            let _ = self.child.start_kill();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.stop();
    }
}
