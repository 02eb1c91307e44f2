//! Reports of hooks while they run: log lines, events, and the jobs of detached runs.

use napi::Status;
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;
use portcullis::observer::{HookEvent, HookObserver, LogLine};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::text::sanitize_for_terminal;

/// A hook's report.
#[napi(object, object_from_js = false)]
pub struct HookReport {
    /// `log` or `job`.
    pub kind: &'static str,
    /// The hook.
    pub hook: String,
    /// The level of a line.
    pub level: &'static str,
    /// The text of a line.
    pub message: String,
    /// The session of a job.
    pub session: String,
    /// The handler of a job.
    pub name: String,
    /// The input of a job.
    pub input: String,
}

/// The package's function. It does not keep the process running.
pub type Callback = ThreadsafeFunction<HookReport, (), HookReport, Status, false, true>;

/// Passes the hooks' reports to the package.
pub(crate) struct Report(pub(crate) Callback);

impl Report {
    fn send(&self, report: HookReport) {
        // The call fails once the environment has ended.
        self.0.call(report, ThreadsafeFunctionCallMode::NonBlocking);
    }

    fn line(&self, hook: String, level: &'static str, message: String) {
        self.send(HookReport {
            kind: "log",
            hook,
            level,
            message,
            session: String::new(),
            name: String::new(),
            input: String::new(),
        });
    }
}

impl HookObserver for Report {
    fn log(&self, line: LogLine<'_>) {
        self.line(line.hook.to_string(), line.level.name(), line.text().into());
    }

    fn event(&self, event: HookEvent) {
        let text = format!("event {}: {}", event.name, event.data);
        self.line(
            event.hook.to_string(),
            "debug",
            sanitize_for_terminal(&text),
        );
    }

    fn contributed(&self, session: &str, outputs: &[Contributed<SideOutput>]) {
        for output in outputs {
            if let SideOutput::Job(job) = &output.value {
                self.send(HookReport {
                    kind: "job",
                    hook: output.by.to_string(),
                    level: "",
                    message: String::new(),
                    session: session.to_owned(),
                    name: job.name.clone(),
                    input: job.input.clone(),
                });
            }
        }
    }
}
