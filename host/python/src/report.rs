//! Reports of hooks while they run, for Python: log lines go to `logging`, jobs to a callback.

use portcullis::observer::{HookEvent, HookObserver, LogLevel, LogLine};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis_bridge::CallReply;
use pyo3::prelude::*;

/// The prefix of a hook's logger: a dot and the hook's id follow it.
const LOGGER: &str = "portcullis_host.hooks";

/// Passes log lines and events to `logging`, and jobs to a callback if there is one.
pub(crate) struct Report {
    on_job: Option<Py<PyAny>>,
}

impl Report {
    pub(crate) fn new(on_job: Option<Py<PyAny>>) -> Self {
        Self { on_job }
    }

    /// Passes on the jobs of a call. An exception of the callback is shown, and has no other effect.
    pub(crate) fn jobs(&self, session: &str, reply: &CallReply) {
        for job in reply.jobs() {
            self.job(session, job.by, job.name, job.input);
        }
    }

    fn job(&self, session: &str, hook: &str, name: &str, input: &str) {
        let Some(on_job) = &self.on_job else {
            let text =
                format!("the job `{name}` is dropped: the hooks were loaded without `on_job`");
            return log(hook, WARNING, &text);
        };
        Python::try_attach(|py| {
            if let Err(error) = on_job.call1(py, (session, hook, name, input)) {
                error.write_unraisable(py, Some(on_job.bind(py)));
            }
        });
    }
}

const WARNING: u8 = 30;

/// Returns the number of a level in `logging`, which has none for traces.
const fn number(level: LogLevel) -> u8 {
    match level {
        LogLevel::Trace => 5,
        LogLevel::Debug => 10,
        LogLevel::Info => 20,
        LogLevel::Warn => WARNING,
        LogLevel::Error => 40,
        LogLevel::Critical => 50,
    }
}

/// Logs a line. Does nothing if Python has ended; an exception of `logging` is shown.
fn log(hook: &str, level: u8, message: &str) {
    Python::try_attach(|py| {
        let logged = py.import("logging").and_then(|logging| {
            let logger = logging.call_method1("getLogger", (format!("{LOGGER}.{hook}"),))?;
            logger.call_method1("log", (level, "%s", message))
        });
        if let Err(error) = logged {
            error.write_unraisable(py, None);
        }
    });
}

impl HookObserver for Report {
    fn log(&self, line: LogLine<'_>) {
        log(line.hook.as_str(), number(line.level), &line.text());
    }

    fn event(&self, event: HookEvent) {
        let text = format!("event {}: {}", event.name, event.data);
        let text = portcullis::text::sanitize_for_terminal(&text);
        log(event.hook.as_str(), number(LogLevel::Debug), &text);
    }

    fn contributed(&self, session: &str, outputs: &[Contributed<SideOutput>]) {
        for output in outputs {
            if let SideOutput::Job(job) = &output.value {
                self.job(session, output.by.as_str(), &job.name, &job.input);
            }
        }
    }
}
