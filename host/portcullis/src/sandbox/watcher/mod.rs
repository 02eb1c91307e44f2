//! Shows an instance's calls of imports to the observer of its session.
//!
//! Calls of the contract's functions are observed by the [linker](crate::contract::linked), and
//! calls of WASI's functions through the spans that `wasmtime-wasi` creates for them.

mod spans;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::Dispatch;
use tracing::instrument::WithSubscriber as _;

use crate::contract::linked::{Called, Watcher, bare};
use crate::model::hook::HookId;
use crate::model::host_call::HostCall;
use crate::model::reached::Kept;
use crate::model::secrets::Secrets;
use crate::model::sink::HookObserver;
use spans::Spans;

/// The watcher of an instance's calls.
pub(crate) struct Watching {
    pub(crate) watcher: Arc<HostCalls>,
    /// Receives the spans of WASI, and passes on everything else.
    spans: Dispatch,
}

/// The recorder of an instance's calls for the observer.
pub(crate) struct HostCalls {
    pub(crate) hook: HookId,
    pub(crate) secrets: Arc<Secrets>,
    /// The fuel limit of a call.
    pub(crate) fuel: Option<u64>,
    pub(crate) sink: Arc<dyn HookObserver>,
    pub(crate) kept: Mutex<Kept>,
}

impl HostCalls {
    /// Returns a watcher, if the observer receives calls.
    #[inline]
    pub(crate) fn watch(
        sink: &Arc<dyn HookObserver>,
        calls: impl FnOnce(Arc<dyn HookObserver>) -> Self,
    ) -> Option<Box<Watching>> {
        sink.watches_host_calls().then(|| {
            let watcher = Arc::new(calls(sink.clone()));
            let spans = Dispatch::new(Spans::new(watcher.clone()));
            Box::new(Watching { watcher, spans })
        })
    }

    /// Takes the calls since the last time.
    pub(crate) fn take(&self) -> Kept {
        std::mem::take(&mut *self.kept())
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher for HostCalls {
    fn redact(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.secrets.redact_bytes(bytes)
    }

    fn show(&self, call: Called<'_>) {
        let used = self.fuel.zip(call.fuel);
        let call = HostCall {
            hook: self.hook.clone(),
            interface: bare(call.interface).to_owned(),
            function: call.function.to_owned(),
            // Texts and bytes are redacted already, but a secret may be a number or a key.
            arguments: self.secrets.redact_json(call.arguments),
            returned: match call.returned {
                Ok(value) => Ok(self.secrets.redact_json(value)),
                Err(error) => Err(error),
            },
            began: call.began,
            took: call.took,
            fuel: used.map(|(limit, left)| limit.saturating_sub(left)),
        };
        self.kept().add(&call);
        self.sink.host_call(call);
    }
}

/// The dispatch that receives the spans of an instance's calls; `None` if no observer watches.
pub(crate) type SpansOf = Option<Dispatch>;

/// Returns the dispatch that receives the spans.
#[inline]
pub(crate) fn spans(watching: Option<&Watching>) -> SpansOf {
    watching.map(|watching| watching.spans.clone())
}

/// Calls a hook on this thread.
#[inline]
pub(crate) fn within<R>(spans: SpansOf, call: impl FnOnce() -> R) -> R {
    match spans {
        None => call(),
        Some(spans) => tracing::dispatcher::with_default(&spans, call),
    }
}

/// Calls a hook that can wait.
pub(crate) async fn within_async<R>(spans: SpansOf, call: impl Future<Output = R>) -> R {
    match spans {
        None => call.await,
        Some(spans) => call.with_subscriber(spans).await,
    }
}
