//! Log records: hooks' log lines, guards that did not run, and quarantines.

use std::time::SystemTime;

use opentelemetry::logs::{AnyValue, LogRecord as _, Logger as _, LoggerProvider as _, Severity};
use opentelemetry::{SpanId, TraceFlags, TraceId};
use opentelemetry_otlp::LogExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::{SdkLogger, SdkLoggerProvider};
use portcullis::observer::{LogLevel, LogLine, NotRun, QuarantineChange};
use portcullis::trace::TraceContext;

use crate::conventions;

/// The exporter of log records.
#[derive(Debug)]
pub(crate) struct Logs {
    provider: SdkLoggerProvider,
    logger: SdkLogger,
}

/// The content of a log record.
struct Record<'a> {
    name: &'static str,
    session: &'a str,
    severity: Severity,
    body: String,
    within: Option<&'a TraceContext>,
}

impl Logs {
    pub(crate) fn new(resource: Resource, exporter: LogExporter) -> Self {
        let provider = SdkLoggerProvider::builder()
            .with_resource(resource)
            .with_batch_exporter(exporter)
            .build();
        let logger = provider.logger("portcullis");
        Self { provider, logger }
    }

    /// Sends the records that are not sent yet.
    pub(crate) fn flush(&self) {
        if let Err(error) = self.provider.force_flush() {
            tracing::warn!("log records could not be sent to the collector: {error}");
        }
    }

    /// Records a hook's log line.
    pub(crate) fn line(&self, session: &str, line: LogLine<'_>, within: Option<&TraceContext>) {
        let severity = match line.level {
            LogLevel::Trace => Severity::Trace,
            LogLevel::Debug => Severity::Debug,
            LogLevel::Info => Severity::Info,
            LogLevel::Warn => Severity::Warn,
            LogLevel::Error => Severity::Error,
            LogLevel::Critical => Severity::Fatal,
        };
        let record = Record {
            name: "portcullis.hook.log",
            session,
            severity,
            body: line.text().into_owned(),
            within,
        };
        self.write(
            record,
            [("portcullis.hook.id", line.hook.to_string().into())],
        );
    }

    /// Records that a guard did not run.
    pub(crate) fn guard_did_not_run(&self, guard: &NotRun<'_>) {
        let record = Record {
            name: "portcullis.guard.not_run",
            session: guard.session,
            severity: Severity::Error,
            body: format!(
                "guard `{}` did not run at {}: {}",
                guard.hook, guard.point, guard.cause
            ),
            within: None,
        };
        let attributes = [
            ("portcullis.hook.id", guard.hook.to_string().into()),
            ("portcullis.point", guard.point.name().into()),
            ("portcullis.cause", guard.cause.code().into()),
            ("portcullis.refused", guard.refused.into()),
        ];
        self.write(record, attributes);
    }

    /// Records that a component entered or left quarantine.
    pub(crate) fn quarantine(&self, change: &QuarantineChange<'_>) {
        let (severity, body) = match change.cause {
            Some(cause) => (
                Severity::Error,
                format!("hook `{}` is in quarantine: {cause}", change.hook),
            ),
            None => (
                Severity::Info,
                format!("hook `{}` has left quarantine", change.hook),
            ),
        };
        let record = Record {
            name: "portcullis.hook.quarantine",
            session: change.session,
            severity,
            body,
            within: None,
        };
        self.write(
            record,
            [("portcullis.hook.id", change.hook.to_string().into())],
        );
    }

    fn write(
        &self,
        record: Record<'_>,
        attributes: impl IntoIterator<Item = (&'static str, AnyValue)>,
    ) {
        let mut written = self.logger.create_log_record();
        written.set_event_name(record.name);
        written.set_timestamp(SystemTime::now());
        written.set_severity_number(record.severity);
        written.set_severity_text(record.severity.name());
        written.set_body(record.body.into());
        written.add_attribute(conventions::CONVERSATION, record.session.to_owned());
        for (key, value) in attributes {
            written.add_attribute(key, value);
        }
        if let Some(context) = record.within {
            written.set_trace_context(
                TraceId::from(context.trace_id),
                SpanId::from(context.span_id),
                Some(TraceFlags::new(context.flags)),
            );
        }
        self.logger.emit(written);
    }
}
