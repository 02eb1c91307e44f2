//! `wasi:logging/logging`: log lines, capped in each call and made harmless.

use std::sync::Arc;

use wasmtime::component::HasSelf;

use super::{Capability, InstanceContext, InstanceState};
use crate::contract::bindings::wasi::logging::logging::{self, Host, Level};
use crate::model::hook::HookId;
use crate::model::secrets::Secrets;
use crate::model::sink::{HookObserver, LogLevel, LogLine};
use crate::sandbox::store::CallOwner;

/// What a line weighs beside its text, so that empty lines are not free.
const LINE: usize = 32;

/// A hook's log.
pub(crate) struct Log {
    hook: HookId,
    sink: Arc<dyn HookObserver>,
    limit: usize,
    left: usize,
    most_lines: usize,
    lines: usize,
    secrets: Arc<Secrets>,
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
        }
    }

    fn bind(&mut self, owner: &CallOwner) {
        self.sink = owner.sink.clone();
    }

    #[inline]
    fn begin(&mut self) {
        self.left = self.limit;
        self.lines = 0;
    }
}

impl Host for Log {
    fn log(&mut self, level: Level, context: String, message: String) -> wasmtime::Result<()> {
        if self.left == 0 || self.lines > self.most_lines {
            return Ok(());
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
            return Ok(());
        }
        let size = context.len() + message.len() + LINE;
        let mut text = crate::contract::text::sanitize_for_terminal(&self.secrets.redact(&message));
        if size >= self.left {
            text.push_str(" [the log of this call is full; the rest is cut]");
        }
        self.left = self.left.saturating_sub(size);
        self.sink.log(LogLine {
            hook: &self.hook,
            level: level.into(),
            context: &crate::contract::text::sanitize_for_terminal(&self.secrets.redact(&context)),
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

pub(super) const CAPABILITY: Capability =
    Capability::new(&["wasi:logging/logging"], "write log lines", |linker, _| {
        logging::add_to_linker::<_, HasSelf<Log>>(linker, |store| {
            &mut store.called().capabilities.log
        })
    });
