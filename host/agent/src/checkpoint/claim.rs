//! Who has claimed a checkpoint.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::basics::units::now_ms;

/// The process that claimed a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ClaimedBy {
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The id of the process.
    pub process: u32,
    /// The name of the machine that the process runs on; empty if it has none.
    pub host: String,
}

/// Whether a process is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProcessState {
    /// A process with this id is there. If the machine was restarted since, it may be another one.
    Alive,
    /// There is none.
    Dead,
    /// It cannot be seen from here: it is on another machine, or this system cannot say.
    Unknown,
}

impl ClaimedBy {
    /// This process, now.
    pub fn this_process() -> Self {
        Self {
            at_ms: now_ms(),
            process: std::process::id(),
            host: host_name(),
        }
    }

    /// Whether the process is there.
    pub fn process_state(&self) -> ProcessState {
        if self.host != host_name() {
            return ProcessState::Unknown;
        }
        process_state(self.process)
    }
}

fn host_name() -> String {
    let name = hostname::get().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(unix)]
fn process_state(id: u32) -> ProcessState {
    use nix::errno::Errno;
    use nix::sys::signal::kill;
    use nix::unistd::Pid;
    // Ids that are not positive stand for groups of processes.
    let Some(id) = i32::try_from(id).ok().filter(|id| *id > 0) else {
        return ProcessState::Dead;
    };
    match kill(Pid::from_raw(id), None) {
        Err(Errno::ESRCH) => ProcessState::Dead,
        _ => ProcessState::Alive,
    }
}

#[cfg(not(unix))]
fn process_state(_: u32) -> ProcessState {
    ProcessState::Unknown
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_seen_on_its_own_machine_only() {
        let own = ClaimedBy::this_process();
        assert_eq!(own.process_state(), ProcessState::Alive);
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let dead = ClaimedBy {
            process: ended.id(),
            ..own.clone()
        };
        assert_eq!(dead.process_state(), ProcessState::Dead);
        let elsewhere = ClaimedBy {
            host: format!("not-{}", own.host),
            ..own
        };
        assert_eq!(elsewhere.process_state(), ProcessState::Unknown);
        for process in [0, u32::MAX] {
            let none = ClaimedBy {
                process,
                ..dead.clone()
            };
            assert_eq!(none.process_state(), ProcessState::Dead, "{process}");
        }
    }
}
