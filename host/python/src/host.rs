//! The hooks of a directory, for Python.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use portcullis::LoadOptions;
use portcullis::compiler::Compiler;
use portcullis::hooks::CacheChoice;
use portcullis::reload::{Watch, WatchOptions};
use portcullis_bridge::{
    AnswerRequest, Bridge, BridgeError, BridgeOptions, CallContext, CallReply, CallRequest,
    trace_of_carrier,
};
use portcullis_store::{Store, StoreOptions, StoreUrl};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tokio::runtime::Runtime;

use crate::call::Call;
use crate::claude;
use crate::error::{LoadError, PortcullisError, RequestError, StoreError, exception};
use crate::outcome::{Outcome, Output};
use crate::report::Report;
use crate::runtime::runtime;
use crate::value::to_json;
use crate::worker;

/// The hooks of a directory, loaded once.
#[pyclass(frozen, module = "portcullis_host")]
pub(crate) struct Host {
    bridge: Arc<Bridge>,
    report: Arc<Report>,
    _watch: Option<Watch>,
    runtime: &'static Runtime,
    process: u32,
}

#[pymethods]
impl Host {
    #[staticmethod]
    #[pyo3(signature = (path, *, store, scope, journal, cache, worker, idle_seconds, drain_seconds, max_sessions, watch, on_job))]
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
        drain_seconds: f64,
        max_sessions: usize,
        watch: bool,
        on_job: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let time = |name: &str, seconds| {
            Duration::try_from_secs_f64(seconds)
                .map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
        };
        let idle = time("idle_seconds", idle_seconds)?;
        let drain = time("drain_seconds", drain_seconds)?;
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
        let report = Arc::new(Report::new(on_job));
        let bridge = py.detach(|| {
            let _context = runtime.enter();
            let open = |url| Store::open_blocking(url, StoreOptions::default());
            let store = url.map(open).transpose();
            let options = BridgeOptions {
                store: store.map_err(|error| StoreError::new_err(error.to_string()))?,
                scope,
                journal,
                idle,
                drain,
                most_sessions: max_sessions,
                observer: report.clone(),
                ..BridgeOptions::default()
            };
            Bridge::load(&path, load, options).map_err(exception)
        })?;
        let watch = match watch {
            true => Some(bridge.hooks().watch(WatchOptions::default())),
            false => None,
        };
        let watch = watch.transpose();
        Ok(Self {
            _watch: watch.map_err(|error| LoadError::new_err(error.to_string()))?,
            bridge: Arc::new(bridge),
            report,
            runtime,
            process: std::process::id(),
        })
    }

    /// Returns the hooks, in the order of their ids.
    #[getter]
    fn ids(&self) -> Vec<String> {
        let reports = self.bridge.hooks().reports();
        reports.iter().map(|hook| hook.id.to_string()).collect()
    }

    /// Returns the number of open sessions.
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
        trace: Option<BTreeMap<String, String>>,
    ) -> PyResult<Call> {
        let trace = trace.as_ref().and_then(trace_of_carrier);
        let request = CallRequest {
            point,
            context: CallContext::new(session, agent).turn(turn).step(step),
            input: to_json(input)?,
            views: to_json(views)?,
        };
        let report = self.report.clone();
        self.start(async move |bridge| {
            let session = request.context.session_id.clone();
            let called = bridge.call_within(request, trace).await;
            decided(&report, &session, called)
        })
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
        let report = self.report.clone();
        self.start(async move |bridge| {
            let session = request.session_id.clone();
            decided(&report, &session, bridge.answer(request).await)
        })
    }

    /// Decides a hook event of Claude, and returns the answer. Both are JSON.
    fn claude_event(&self, event: String) -> PyResult<Call> {
        let report = self.report.clone();
        self.start(async move |bridge| {
            let answer = claude::event(&bridge, &report, event.as_bytes()).await;
            answer.map(Output::Text)
        })
    }

    /// Loads the hooks again if anything has changed. Returns the result.
    fn reload(&self) -> PyResult<Call> {
        self.start(async move |bridge| {
            let reply = bridge.reload().await.map_err(exception)?;
            let json = serde_json::to_value(reply);
            json.map(Output::Json)
                .map_err(|error| PortcullisError::new_err(error.to_string()))
        })
    }

    /// Closes a session.
    fn close_session(&self, session: String) -> PyResult<Call> {
        self.start(async move |bridge| {
            let closed = bridge.close_session(&session).await;
            closed.map(|()| Output::Nothing).map_err(exception)
        })
    }

    /// Closes all sessions, and saves unsaved data.
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
        // A forked child process has none of the threads.
        if std::process::id() != self.process {
            return Err(PyRuntimeError::new_err(
                "the hooks were loaded before this process was forked; load them in each process",
            ));
        }
        let work = work(self.bridge.clone());
        Ok(Call::new(self.runtime.handle().clone(), work))
    }
}

fn decided(report: &Report, session: &str, reply: Result<CallReply, BridgeError>) -> Outcome {
    let reply = reply.map_err(exception)?;
    report.jobs(session, &reply);
    Ok(Output::Reply(Box::new(reply)))
}
