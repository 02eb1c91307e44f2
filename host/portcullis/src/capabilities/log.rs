//! `wasi:logging/logging`: log lines, capped in each call and made harmless.

use std::sync::Arc;

use wasmtime::component::{HasSelf, Linker};

use crate::bindings::wasi::logging::logging::{self, Host, Level};
use crate::hook::HookId;
use crate::secrets::Secrets;
use crate::sink::{HookSink, LogLevel, LogLine};
use crate::store::HookStore;

/// What a line weighs beside its text, so that empty lines are not free.
const LINE: usize = 32;

/// A hook's log.
pub(crate) struct Log {
    hook: HookId,
    sink: Arc<dyn HookSink>,
    limit: usize,
    left: usize,
    secrets: Arc<Secrets>,
}

impl Log {
    pub(crate) fn new(
        hook: HookId,
        sink: Arc<dyn HookSink>,
        limit: usize,
        secrets: Arc<Secrets>,
    ) -> Self {
        Self {
            secrets,
            hook,
            sink,
            limit,
            left: limit,
        }
    }

    /// A new call begins.
    pub(crate) fn begin(&mut self) {
        self.left = self.limit;
    }
}

impl Host for Log {
    fn log(&mut self, level: Level, context: String, message: String) -> wasmtime::Result<()> {
        if self.left == 0 {
            return Ok(());
        }
        let size = context.len() + message.len() + LINE;
        let mut text = crate::text::printable(&self.secrets.redact(&message));
        if size >= self.left {
            text.push_str(" [the log of this call is full; the rest is cut]");
        }
        self.left = self.left.saturating_sub(size);
        self.sink.log(LogLine {
            hook: &self.hook,
            level: level.into(),
            context: &crate::text::printable(&self.secrets.redact(&context)),
            message: &text,
        });
        Ok(())
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

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    logging::add_to_linker::<_, HasSelf<Log>>(linker, |store| &mut store.log)
}
