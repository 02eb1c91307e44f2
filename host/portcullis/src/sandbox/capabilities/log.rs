//! `wasi:logging/logging`: log lines, limited in each call and made safe to show. The lines of a
//! hook's standard output and error are lines of the log too.

use std::sync::Arc;

use wasmtime::component::HasSelf;

use super::last_words::LastWords;
use super::lines::Lines;
use super::output::{Output, Stream};
use super::{Capability, InstanceContext, InstanceState};
use crate::contract::bindings::wasi::logging::logging::{self, Host, Level};
use crate::contract::text::sanitize_for_terminal;
use crate::model::failure::Failure;
use crate::model::hook::HookId;
use crate::model::secrets::Secrets;
use crate::model::sink::{HookObserver, LogLevel, LogLine};
use crate::sandbox::frames::Frames;
use crate::sandbox::store::CallOwner;

/// The size of a line in addition to its text, so that empty lines are not free.
const LINE: usize = 32;

/// A hook's log.
pub(crate) struct Log {
    pub(crate) hook: HookId,
    sink: Arc<dyn HookObserver>,
    limit: usize,
    left: usize,
    most_lines: usize,
    lines: usize,
    secrets: Arc<Secrets>,
    output: Output,
    stdout: Lines,
    stderr: Lines,
    /// The end of this call's standard error.
    last_words: LastWords,
}

impl InstanceState for Log {
    fn new(cx: &InstanceContext<'_>) -> Self {
        let limits = &cx.setup.limits;
        Self {
            hook: cx.setup.id.clone(),
            sink: cx.owner.sink.clone(),
            limit: limits.log_bytes,
            left: limits.log_bytes,
            most_lines: limits.log_lines,
            lines: 0,
            secrets: cx.setup.secrets.clone(),
            output: cx.output.clone(),
            stdout: Lines::default(),
            stderr: Lines::default(),
            last_words: LastWords::default(),
        }
    }

    fn bind(&mut self, owner: &CallOwner) {
        self.sink = owner.sink.clone();
    }

    #[inline]
    fn begin(&mut self) {
        self.left = self.limit;
        self.lines = 0;
        self.last_words.clear();
    }

    #[inline]
    fn end(&mut self) {
        self.take_output();
        if !(self.stdout.is_empty() && self.stderr.is_empty()) {
            self.end_lines();
        }
        // A kept instance may be called for another session next.
        self.last_words.clear();
    }
}

impl Host for Log {
    fn log(&mut self, level: Level, context: String, message: String) -> wasmtime::Result<()> {
        self.take_output();
        self.write(level.into(), &context, &message);
        Ok(())
    }
}

impl Log {
    /// Logs the lines that were written to the standard streams since the last time.
    #[inline]
    pub(crate) fn take_output(&mut self) {
        if !self.output.is_empty() {
            self.log_output();
        }
    }

    fn log_output(&mut self) {
        for (stream, bytes) in self.output.take() {
            let lines = match stream {
                Stream::Stdout => self.stdout.push(&bytes, &self.secrets),
                Stream::Stderr => self.stderr.push(&bytes, &self.secrets),
            };
            for line in lines {
                self.written(stream, &line);
            }
        }
    }

    /// Logs the unfinished lines.
    fn end_lines(&mut self) {
        for line in self.stdout.end(&self.secrets) {
            self.written(Stream::Stdout, &line);
        }
        for line in self.stderr.end(&self.secrets) {
            self.written(Stream::Stderr, &line);
        }
    }

    fn written(&mut self, stream: Stream, line: &str) {
        match stream {
            Stream::Stdout => self.write(LogLevel::Info, "", line),
            Stream::Stderr => {
                self.last_words.push(line);
                self.write(LogLevel::Warn, "", line);
            }
        }
    }

    /// Adds to a trap the hook's last standard error, where language runtimes write the reason why
    /// they end. Also adds the running functions, if their lines are known or there is no standard
    /// error. Other failures are unchanged.
    pub(crate) fn explain(&mut self, failure: Failure, functions: Option<Frames>) -> Failure {
        let Failure::Trap(trap) = failure else {
            return failure;
        };
        self.take_output();
        self.end_lines();
        let words = self.last_words.text(&self.secrets);
        let functions = functions
            .filter(|functions| functions.lines || words.is_none())
            .map(|functions| sanitize_for_terminal(&self.secrets.redact(&functions.text)));
        let said: Vec<String> = [words, functions].into_iter().flatten().collect();
        match said.is_empty() {
            false => Failure::Trap(format!("{trap}: {}", said.join(", "))),
            true => Failure::Trap(trap),
        }
    }

    fn write(&mut self, level: LogLevel, context: &str, message: &str) {
        if self.left == 0 || self.lines > self.most_lines {
            return;
        }
        self.lines += 1;
        if self.lines > self.most_lines {
            self.sink.log(LogLine {
                hook: &self.hook,
                level: LogLevel::Warn,
                context: "",
                message: &format!(
                    "[more than {} log lines in this call; the rest is dropped]",
                    self.most_lines
                ),
            });
            return;
        }
        let size = context.len() + message.len() + LINE;
        let mut text = sanitize_for_terminal(&self.secrets.redact(message));
        if size >= self.left {
            text.push_str(" [the log of this call is full; the rest is cut]");
        }
        self.left = self.left.saturating_sub(size);
        self.sink.log(LogLine {
            hook: &self.hook,
            level,
            context: &sanitize_for_terminal(&self.secrets.redact(context)),
            message: &text,
        });
    }
}

impl From<Level> for LogLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Trace => Self::Trace,
            Level::Debug => Self::Debug,
            Level::Info => Self::Info,
            Level::Warn => Self::Warn,
            Level::Error => Self::Error,
            Level::Critical => Self::Critical,
        }
    }
}

pub(super) const CAPABILITY: Capability =
    Capability::new(&["wasi:logging/logging"], "write log lines", |linker, _| {
        logging::add_to_linker::<_, HasSelf<Log>>(linker, |store| {
            &mut store.called().capabilities.log
        })
    });
