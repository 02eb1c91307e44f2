//! Background jobs that have not ended when the session has.

use std::time::{Duration, Instant};

use portcullis_agent::Agent;

use super::Chat;
use crate::terminal::format::print_line;
use crate::terminal::signals::Signal;
use crate::terminal::style::NOTE;
use crate::terminal::{Out, units};

/// The time after which the wait is reported.
const FIRST: Duration = Duration::from_secs(1);
/// The time between two looks at the jobs. Their events are shown then.
const LOOK: Duration = Duration::from_millis(200);

/// The end of the wait for jobs.
pub enum JobsEnd {
    /// All jobs and detached hook runs have ended, or they were not waited for.
    Ended,
    /// The jobs have ended, and detached hook runs have not in the time that they have.
    RunsLeft,
    /// A signal ended the wait.
    Signal(Signal),
}

impl Chat {
    /// Waits for the jobs that are queued or running, each up to its own time limit, and up to `for_runs` for the
    /// detached hook runs, which may queue jobs. After a SIGTERM that ended the session, there is no wait.
    pub async fn wait_for_jobs(
        &mut self,
        agent: &Agent,
        for_runs: Duration,
    ) -> anyhow::Result<JobsEnd> {
        if self.state.stopped == Some(Signal::Terminate) {
            return Ok(JobsEnd::Ended);
        }
        let began = Instant::now();
        // A Ctrl-C that ended the session must not end the wait too.
        self.state.signals.forget_interrupts();
        let mut within = FIRST;
        let mut is_reported = false;
        loop {
            let unfinished = tokio::select! {
                unfinished = agent.drain(within) => unfinished,
                signal = self.state.signals.next() => return Ok(JobsEnd::Signal(signal)),
            };
            self.drain()?;
            let jobs = agent.unfinished_jobs();
            if unfinished == 0 {
                return Ok(JobsEnd::Ended);
            }
            if jobs == 0 && began.elapsed() >= for_runs {
                return Ok(JobsEnd::RunsLeft);
            }
            if jobs > 0 && !std::mem::replace(&mut is_reported, true) {
                print_line!(
                    Out::stderr(),
                    "{NOTE}waiting for {}, up to the time limit of each; Ctrl-C ends the wait{NOTE:#}",
                    units::plural(jobs, "background job")
                )?;
            }
            within = LOOK;
        }
    }
}
