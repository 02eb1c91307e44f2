//! The process that claimed a checkpoint.

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
    /// When that process started, which tells it from a later one with its id: the id of its machine's
    /// start and the clock ticks since then. `None` where the system does not say.
    #[serde(default)]
    pub start: Option<String>,
    /// The name of the machine that the process runs on; empty if it has none.
    pub host: String,
}

/// The state of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProcessState {
    /// The process exists. If the system does not report start times, it may be a later process
    /// with the same id.
    Alive,
    /// The process does not exist.
    Dead,
    /// The state is unknown: the process is on another machine, or the system does not report it.
    Unknown,
}

impl ClaimedBy {
    /// Returns a claim by this process, made now.
    pub fn this_process() -> Self {
        Self {
            at_ms: now_ms(),
            process: std::process::id(),
            start: start_of(std::process::id()),
            host: host_name(),
        }
    }

    /// Returns the state of the process.
    pub fn process_state(&self) -> ProcessState {
        if self.host != host_name() {
            return ProcessState::Unknown;
        }
        let state = process_state(self.process);
        let started = self.start.as_ref().zip(start_of(self.process));
        match started.is_some_and(|(then, now)| *then != now) {
            true => ProcessState::Dead,
            false => state,
        }
    }
}

fn host_name() -> String {
    let name = hostname::get().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns the start of a process, in the form of [`ClaimedBy::start`].
fn start_of(process: u32) -> Option<String> {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the program's name in parentheses, which may contain any character.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().nth(19)?;
    Some(format!("{}/{ticks}", boot.trim()))
}

#[cfg(unix)]
fn process_state(id: u32) -> ProcessState {
    use nix::errno::Errno;
    use nix::sys::signal::kill;
    use nix::unistd::Pid;
    // Ids that are not positive denote groups of processes.
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
        let another = ClaimedBy {
            start: Some("an earlier start/1".into()),
            ..own.clone()
        };
        let seen = match own.start {
            Some(_) => ProcessState::Dead,
            None => ProcessState::Alive,
        };
        assert_eq!(another.process_state(), seen, "its id was reused");
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
