//! The hooks of a directory, for Node.js.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use napi::Result;
use napi::bindgen_prelude::{Either, Env, PromiseRaw, within_runtime_if_available};
use napi_derive::napi;
use portcullis::LoadOptions;
use portcullis::compiler::{Compiler, WorkerCommand};
use portcullis::hooks::CacheChoice;
use portcullis::reload::{Watch, WatchOptions};
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_store::{Store, StoreOptions, StoreUrl};

use crate::error::{bridge_error, failed};
use crate::reply::written;
use crate::report::{Callback, Report};
use crate::request;

/// The options of loading hooks.
#[napi(object)]
pub struct HostOptions {
    /// The store: `sqlite:PATH` or `postgres://…`.
    pub store: Option<String>,
    /// The name of the state that hooks share.
    pub scope: Option<String>,
    /// Whether the store records runs.
    pub journal: Option<bool>,
    /// The directory of compiled hooks.
    pub cache: Option<String>,
    /// The command that compiles a component: a program and its arguments. Without a command, this
    /// process compiles.
    pub worker: Option<Vec<String>>,
    /// In milliseconds.
    pub idle_ms: Option<u32>,
    pub drain_ms: Option<u32>,
    /// The maximum number of open sessions.
    pub max_sessions: Option<u32>,
    /// Whether the directory is watched.
    pub watch: Option<bool>,
}

/// The hooks of a directory, loaded once.
#[napi]
pub struct Host {
    bridge: Arc<Bridge>,
    _watch: Option<Watch>,
}

type Work = Pin<Box<dyn Future<Output = Result<String>> + Send>>;
/// The JSON at once, or a promise of it.
type Answer<'env> = Either<String, PromiseRaw<'env, String>>;

#[napi]
impl Host {
    /// Loads the hooks of a directory.
    #[napi(factory)]
    pub fn load(path: String, options: HostOptions, report: Callback) -> Result<Self> {
        let url: Option<StoreUrl> = options
            .store
            .map(|url| url.parse())
            .transpose()
            .map_err(|error: portcullis_store::BadStoreUrl| failed("StoreError", &error))?;
        let worker = options.worker.as_deref().and_then(<[_]>::split_first);
        let load = LoadOptions {
            compiler: worker.map_or(Compiler::InProcess, |(program, args)| {
                Compiler::Child(WorkerCommand::new(program, args))
            }),
            cache: options.cache.map_or(CacheChoice::User, |dir| {
                CacheChoice::Dir(PathBuf::from(dir))
            }),
            ..LoadOptions::default()
        };
        within_runtime_if_available(|| {
            let open = |url| Store::open_blocking(url, StoreOptions::default());
            let store = url.map(open).transpose();
            let defaults = BridgeOptions::default();
            let bridge = BridgeOptions {
                store: store.map_err(|error| failed("StoreError", &error))?,
                scope: options.scope,
                journal: options.journal.unwrap_or(defaults.journal),
                idle: options
                    .idle_ms
                    .map_or(defaults.idle, |ms| Duration::from_millis(ms.into())),
                drain: options
                    .drain_ms
                    .map_or(defaults.drain, |ms| Duration::from_millis(ms.into())),
                most_sessions: options
                    .max_sessions
                    .map_or(defaults.most_sessions, |most| most as usize),
                observer: Arc::new(Report(report)),
                ..defaults
            };
            let bridge = Bridge::load(Path::new(&path), load, bridge).map_err(bridge_error)?;
            let watch = options.watch.unwrap_or_default();
            let watch = watch.then(|| bridge.hooks().watch(WatchOptions::default()));
            let watch = watch.transpose();
            Ok(Self {
                _watch: watch.map_err(|error| failed("LoadError", &error))?,
                bridge: Arc::new(bridge),
            })
        })
    }

    /// Returns the ids of the hooks.
    #[napi(getter)]
    pub fn ids(&self) -> Vec<String> {
        let reports = self.bridge.hooks().reports();
        reports.iter().map(|hook| hook.id.to_string()).collect()
    }

    /// Returns the number of open sessions.
    #[napi(getter)]
    pub fn open_sessions(&self) -> u32 {
        u32::try_from(self.bridge.open_sessions()).unwrap_or(u32::MAX)
    }

    /// Calls the hooks of a point. The request and the reply are JSON.
    #[napi]
    pub fn call<'env>(&self, env: &'env Env, request: String) -> Result<Answer<'env>> {
        let (request, trace) = request::call(&request)?;
        let bridge = self.bridge.clone();
        start(env, async move {
            let called = bridge.call_within(request, trace).await;
            written(&called.map_err(bridge_error)?)
        })
    }

    /// Answers the first question of a call. The request and the reply are JSON.
    #[napi]
    pub fn answer<'env>(&self, env: &'env Env, request: String) -> Result<Answer<'env>> {
        let request = request::answer(&request)?;
        let bridge = self.bridge.clone();
        start(env, async move {
            written(&bridge.answer(request).await.map_err(bridge_error)?)
        })
    }

    /// Loads the hooks again if anything has changed. Returns the result, as JSON.
    #[napi]
    pub fn reload<'env>(&self, env: &'env Env) -> Result<Answer<'env>> {
        let bridge = self.bridge.clone();
        start(env, async move {
            written(&bridge.reload().await.map_err(bridge_error)?)
        })
    }

    /// Closes a session.
    #[napi]
    pub fn close_session<'env>(&self, env: &'env Env, session: String) -> Result<Answer<'env>> {
        let bridge = self.bridge.clone();
        start(env, async move {
            let closed = bridge.close_session(&session).await;
            closed.map(|()| "null".into()).map_err(bridge_error)
        })
    }

    /// Closes all sessions, and saves unsaved data.
    #[napi]
    pub fn close<'env>(&self, env: &'env Env, within_ms: u32) -> Result<Answer<'env>> {
        let bridge = self.bridge.clone();
        start(env, async move {
            let closed = bridge.close(Duration::from_millis(within_ms.into())).await;
            closed.map(|left| left.to_string()).map_err(bridge_error)
        })
    }
}

/// Returns a hook's text without characters that control a terminal.
#[napi]
pub fn sanitize(text: String) -> String {
    portcullis::text::sanitize_for_terminal(&text)
}

/// Runs the hooks at once on the calling thread. Only calls that must wait continue on another thread.
fn start<'env>(
    env: &'env Env,
    work: impl Future<Output = Result<String>> + Send + 'static,
) -> Result<Answer<'env>> {
    let mut work: Work = Box::pin(work);
    let polled =
        within_runtime_if_available(|| work.as_mut().poll(&mut Context::from_waker(Waker::noop())));
    match polled {
        Poll::Ready(answer) => answer.map(Either::A),
        Poll::Pending => env.spawn_future(work).map(Either::B),
    }
}
