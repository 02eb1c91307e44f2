//! One call of the host, which Python code awaits or blocks on.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning, PyStopIteration};
use pyo3::prelude::*;
use tokio::runtime::Handle;

use crate::outcome::{Cancel, Outcome, deliver, result};

type Work = Pin<Box<dyn Future<Output = Outcome> + Send>>;

enum State {
    New(Work),
    /// The iterator of the `asyncio` future that the rest of the call sets.
    Waiting(Py<PyAny>),
    Used,
}

/// A call that begins when it is awaited, or when its `wait` is called.
///
/// Awaiting it runs the hooks at once on the thread of the event loop, as a native extension does: most
/// return within microseconds. Only a call that must wait is continued on another thread.
#[pyclass(frozen, module = "portcullis_host")]
pub(crate) struct Call {
    state: Mutex<State>,
    runtime: Handle,
}

impl Call {
    pub(crate) fn new(
        runtime: Handle,
        work: impl Future<Output = Outcome> + Send + 'static,
    ) -> Self {
        Self {
            state: Mutex::new(State::New(Box::pin(work))),
            runtime,
        }
    }

    fn replace(&self, state: State) -> State {
        let mut own = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut own, state)
    }

    /// Continues the call on the runtime, and returns the object that `await` yields to the event loop.
    fn spawn(&self, py: Python<'_>, work: Work) -> PyResult<Py<PyAny>> {
        let event_loop = py.import("asyncio")?.call_method0("get_running_loop")?;
        let future = event_loop.call_method0("create_future")?;
        let (event_loop, to_set) = (event_loop.unbind(), future.clone().unbind());
        let task = self.runtime.spawn(async move {
            let outcome = work.await;
            // Python may hold its lock for a long time.
            tokio::task::block_in_place(|| deliver(&event_loop, to_set, outcome));
        });
        let cancel = Cancel(task.abort_handle());
        future.call_method1("add_done_callback", (cancel,))?;
        let waiting = future.call_method0("__await__")?;
        let first = waiting.call_method0("__next__")?.unbind();
        self.replace(State::Waiting(waiting.unbind()));
        Ok(first)
    }
}

#[pymethods]
impl Call {
    /// Runs the call and blocks until it has ended.
    fn wait(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.replace(State::Used) {
            State::New(work) => {
                let outcome = py.detach(|| self.runtime.block_on(work));
                result(py, outcome)
            }
            _ => Err(used()),
        }
    }

    fn __await__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.replace(State::Used) {
            State::New(mut work) => {
                let polled = py.detach(|| {
                    let _context = self.runtime.enter();
                    work.as_mut().poll(&mut Context::from_waker(Waker::noop()))
                });
                match polled {
                    Poll::Ready(outcome) => {
                        let value = result(py, outcome)?;
                        Err(PyStopIteration::new_err((value,)))
                    }
                    Poll::Pending => self.spawn(py, work),
                }
            }
            State::Waiting(future) => {
                let next = future.call_method0(py, "__next__");
                if next.is_ok() {
                    self.replace(State::Waiting(future));
                }
                next
            }
            State::Used => Err(used()),
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if let State::New(_) = self.replace(State::Used) {
            Python::try_attach(|py| {
                let text = c"a call was neither awaited nor waited for, so no hook ran";
                let warned = PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), text, 1);
                if let Err(error) = warned {
                    error.write_unraisable(py, None);
                }
            });
        }
    }
}

fn used() -> PyErr {
    PyRuntimeError::new_err("this call was already awaited or waited for; make another")
}
