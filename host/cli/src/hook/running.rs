//! The hooks that run, for the error of a missed deadline.

use std::sync::Arc;

use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis::observer::{
    HookEvent, HookObserver, HostCall, LogLine, NotRun, QuarantineChange, RecordError, RunStarted,
};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis::verdict::HookRun;

/// The runs that have begun and not ended: each with its number, and its hook and point in words. A
/// run whose call was dropped stays: it is the one that was waited for.
#[derive(Debug, Clone, Default)]
pub struct Running(Arc<Mutex<Vec<(u64, String)>>>);

impl Running {
    /// Returns an observer that keeps these runs, and passes everything on.
    pub fn observer(&self, to: Arc<dyn HookObserver>) -> Arc<dyn HookObserver> {
        Arc::new(Observer {
            to_watches: to.watches_runs(),
            to,
            running: self.clone(),
        })
    }

    /// Returns the hooks that run and their points, in words; `None` if no hook runs.
    pub fn in_words(&self) -> Option<String> {
        let running = self.0.lock();
        let words: Vec<&str> = running.iter().map(|(_, words)| words.as_str()).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn began(&self, run: &RunStarted<'_>) {
        let words = format!("hook `{}` at `{}`", run.hook, run.point);
        self.0.lock().push((run.id, words));
    }

    fn ended(&self, run: u64) {
        self.0.lock().retain(|(id, _)| *id != run);
    }
}

struct Observer {
    to: Arc<dyn HookObserver>,
    /// Whether the other one watches runs.
    to_watches: bool,
    running: Running,
}

// A method added to the trait must be forwarded too.
#[deny(clippy::missing_trait_methods)]
impl HookObserver for Observer {
    fn log(&self, line: LogLine<'_>) {
        self.to.log(line);
    }

    fn event(&self, event: HookEvent) {
        self.to.event(event);
    }

    fn watches_host_calls(&self) -> bool {
        self.to.watches_host_calls()
    }

    fn host_call(&self, call: HostCall) {
        self.to.host_call(call);
    }

    fn records_calls(&self) -> CallRecording {
        self.to.records_calls()
    }

    fn call_ended(&self, call: RecordedCall) {
        self.to.call_ended(call);
    }

    fn watches_runs(&self) -> bool {
        true
    }

    fn digests_inputs(&self) -> bool {
        self.to_watches && self.to.digests_inputs()
    }

    fn watches_starts(&self) -> bool {
        // A run that is reported as a whole ends soon.
        self.to_watches && self.to.watches_starts()
    }

    fn started(&self, run: &RunStarted<'_>) {
        self.running.began(run);
        if self.to_watches {
            self.to.started(run);
        }
    }

    fn ended(&self, session: &str, run: &HookRun) {
        self.running.ended(run.id);
        if self.to_watches {
            self.to.ended(session, run);
        }
    }

    fn ran(&self, start: &RunStarted<'_>, run: &HookRun) {
        if self.to_watches {
            self.to.ran(start, run);
        }
    }

    fn abandoned(&self, session: &str, run: u64) {
        if self.to_watches {
            self.to.abandoned(session, run);
        }
    }

    fn recorded<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), RecordError>> {
        self.to.recorded(session)
    }

    fn on_background_end(&self, session: &str, run: &HookRun) {
        self.to.on_background_end(session, run);
    }

    fn on_guard_skipped(&self, guard: NotRun<'_>) {
        self.to.on_guard_skipped(guard);
    }

    fn quarantine(&self, change: QuarantineChange<'_>) {
        self.to.quarantine(change);
    }

    fn on_reload_rejected(&self, session: &str, errors: &[String]) {
        self.to.on_reload_rejected(session, errors);
    }

    fn contributed(&self, session: &str, asides: &[Contributed<SideOutput>]) {
        self.to.contributed(session, asides);
    }
}

#[cfg(test)]
mod tests {
    use futures::poll;
    use portcullis::observer::TracingSink;
    use portcullis::points::{PreTurn, pre_turn};
    use portcullis::{Hooks, NativeHook};
    use portcullis_bridge::{Bridge, BridgeOptions, CallContext, CallRequest};
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_hook_that_does_not_end_is_named() -> anyhow::Result<()> {
        let quick = NativeHook::new("quick")
            .priority(1)
            .on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
        let slow =
            NativeHook::new("slow").on_async::<PreTurn>(|_| Box::pin(std::future::pending()));
        let running = Running::default();
        let options = BridgeOptions {
            observer: running.observer(Arc::new(TracingSink)),
            ..BridgeOptions::default()
        };
        let bridge = Bridge::new(Hooks::none().with([quick, slow])?, options)?;
        assert_eq!(running.in_words(), None);
        let mut call = Box::pin(bridge.call(CallRequest {
            point: "pre-turn".into(),
            context: CallContext::new("s", "tests").turn(1),
            input: json!({"text-bytes": 5, "parts": 1}),
            views: json!({}),
        }));
        while running.in_words().is_none() {
            assert!(poll!(&mut call).is_pending());
            tokio::task::yield_now().await;
        }
        drop(call);
        let words = running.in_words();
        assert_eq!(words.as_deref(), Some("hook `slow` at `pre-turn`"));
        Ok(())
    }
}
