//! The hooks of a directory, for Python.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use portcullis::LoadOptions;
use portcullis::compiler::Compiler;
use portcullis::hooks::CacheChoice;
use portcullis_bridge::{
    AnswerRequest, Bridge, BridgeError, BridgeOptions, CallContext, CallReply, CallRequest,
};
use portcullis_store::{Store, StoreOptions, StoreUrl};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tokio::runtime::Runtime;

use crate::call::Call;
use crate::claude;
use crate::error::{RequestError, StoreError, exception};
use crate::outcome::{Outcome, Output};
use crate::runtime::runtime;
use crate::value::to_json;
use crate::worker;

/// The hooks of a directory, loaded once.
#[pyclass(frozen, module = "portcullis_host")]
pub(crate) struct Host {
    bridge: Arc<Bridge>,
    runtime: &'static Runtime,
    process: u32,
}

#[pymethods]
impl Host {
    #[staticmethod]
    #[pyo3(signature = (path, *, store, scope, journal, cache, worker, idle_seconds, max_sessions))]
    #[expect(
        clippy::too_many_arguments,
        reason = "each is a keyword argument in Python"
    )]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        store: Option<&str>,
        scope: Option<String>,
        journal: bool,
        cache: Option<PathBuf>,
        worker: Option<PathBuf>,
        idle_seconds: f64,
        max_sessions: usize,
    ) -> PyResult<Self> {
        let idle = Duration::try_from_secs_f64(idle_seconds)
            .map_err(|error| PyValueError::new_err(format!("idle_seconds: {error}")))?;
        let url: Option<StoreUrl> =
            store
                .map(str::parse)
                .transpose()
                .map_err(|error: portcullis_store::BadStoreUrl| {
                    StoreError::new_err(error.to_string())
                })?;
        let load = LoadOptions {
            cache: cache.map_or(CacheChoice::User, CacheChoice::Dir),
            compiler: worker.map_or(Compiler::InProcess, worker::compiler),
            ..LoadOptions::default()
        };
        let runtime = runtime()?;
        let bridge = py.detach(|| {
            let _context = runtime.enter();
            let open = |url| Store::open_blocking(url, StoreOptions::default());
            let store = url.map(open).transpose();
            let options = BridgeOptions {
                store: store.map_err(|error| StoreError::new_err(error.to_string()))?,
                scope,
                journal,
                idle,
                most_sessions: max_sessions,
                ..BridgeOptions::default()
            };
            Bridge::load(&path, load, options).map_err(exception)
        })?;
        Ok(Self {
            bridge: Arc::new(bridge),
            runtime,
            process: std::process::id(),
        })
    }

    /// The hooks, in the order of their ids.
    #[getter]
    fn ids(&self) -> Vec<String> {
        let reports = self.bridge.hooks().reports();
        reports.iter().map(|hook| hook.id.to_string()).collect()
    }

    /// How many sessions are open.
    #[getter]
    fn open_sessions(&self) -> usize {
        self.bridge.open_sessions()
    }

    /// Calls the hooks of a point.
    #[expect(
        clippy::too_many_arguments,
        reason = "the package calls it, with positions"
    )]
    fn call(
        &self,
        point: String,
        session: String,
        agent: String,
        turn: u32,
        step: u32,
        input: &Bound<'_, PyAny>,
        views: &Bound<'_, PyAny>,
    ) -> PyResult<Call> {
        let request = CallRequest {
            point,
            context: CallContext::new(session, agent).turn(turn).step(step),
            input: to_json(input)?,
            views: to_json(views)?,
        };
        self.start(async move |bridge| decided(bridge.call(request).await))
    }

    /// Answers the first question of a call.
    fn answer(&self, session: String, id: u64, decision: &Bound<'_, PyAny>) -> PyResult<Call> {
        let decision = serde_json::from_value(to_json(decision)?)
            .map_err(|error| RequestError::new_err(format!("the decision is wrong: {error}")))?;
        let request = AnswerRequest {
            session_id: session,
            id,
            decision,
        };
        self.start(async move |bridge| decided(bridge.answer(request).await))
    }

    /// Decides a hook event of Claude, and gives the answer. Both are JSON.
    fn claude_event(&self, event: String) -> PyResult<Call> {
        self.start(async move |bridge| {
            let answer = claude::event(&bridge, event.as_bytes()).await;
            answer.map(Output::Text)
        })
    }

    /// Closes a session.
    fn close_session(&self, session: String) -> PyResult<Call> {
        self.start(async move |bridge| {
            let closed = bridge.close_session(&session).await;
            closed.map(|()| Output::Nothing).map_err(exception)
        })
    }

    /// Closes all sessions, and saves what is not saved yet.
    fn close(&self, within_seconds: f64) -> PyResult<Call> {
        let within = Duration::try_from_secs_f64(within_seconds)
            .map_err(|error| PyValueError::new_err(format!("within_seconds: {error}")))?;
        self.start(async move |bridge| {
            let closed = bridge.close(within).await;
            closed.map(Output::Count).map_err(exception)
        })
    }
}

impl Host {
    fn start<W, F>(&self, work: W) -> PyResult<Call>
    where
        W: FnOnce(Arc<Bridge>) -> F,
        F: Future<Output = Outcome> + Send + 'static,
    {
        // A child process has none of the threads.
        if std::process::id() != self.process {
            return Err(PyRuntimeError::new_err(
                "the hooks were loaded before this process was forked; load them in each process",
            ));
        }
        let work = work(self.bridge.clone());
        Ok(Call::new(self.runtime.handle().clone(), work))
    }
}

fn decided(reply: Result<CallReply, BridgeError>) -> Outcome {
    reply
        .map(|reply| Output::Reply(Box::new(reply)))
        .map_err(exception)
}
