//! One call of the host, which Python code awaits or waits for.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use portcullis_bridge::CallReply;
use pyo3::exceptions::{PyRuntimeError, PyRuntimeWarning, PyStopIteration};
use pyo3::prelude::*;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;

use crate::verdict::Verdict;

/// What a call gives.
pub(crate) enum Output {
    Reply(CallReply),
    Count(usize),
    Text(String),
    Nothing,
}

/// How a call ends.
pub(crate) type Outcome = PyResult<Output>;
type Work = Pin<Box<dyn Future<Output = Outcome> + Send>>;

enum State {
    New(Work),
    /// The iterator of the `asyncio` future that the rest of the call sets.
    Waiting(Py<PyAny>),
    Used,
}

/// A call that begins when it is awaited, or when its `wait` is called.
///
/// Awaiting it runs the hooks at once on the thread of the event loop, as a native extension would: most
/// are done within microseconds. Only a call that has to wait is continued on another thread.
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

    /// Continues the call on the runtime, and gives what `await` yields to the event loop.
    fn spawn(&self, py: Python<'_>, work: Work) -> PyResult<Py<PyAny>> {
        let event_loop = py.import("asyncio")?.call_method0("get_running_loop")?;
        let future = event_loop.call_method0("create_future")?;
        let (event_loop, to_set) = (event_loop.unbind(), future.clone().unbind());
        let task = self.runtime.spawn(async move {
            let outcome = work.await;
            // Python may hold its lock for long.
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

fn result(py: Python<'_>, outcome: Outcome) -> PyResult<Py<PyAny>> {
    Ok(match outcome? {
        Output::Reply(reply) => Bound::new(py, Verdict(reply))?.into_any().unbind(),
        Output::Count(count) => count.into_pyobject(py)?.into_any().unbind(),
        Output::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
        Output::Nothing => py.None(),
    })
}

/// Has the event loop set the future. Does nothing if Python or the loop has ended.
fn deliver(event_loop: &Py<PyAny>, future: Py<PyAny>, outcome: Outcome) {
    Python::try_attach(|py| {
        let delivery = Delivery(Mutex::new(Some((future, outcome))));
        // A closed loop refuses; then nothing waits for the call.
        let _ = event_loop.call_method1(py, "call_soon_threadsafe", (delivery,));
    });
}

/// Sets a future, on the event loop's thread.
#[pyclass(frozen)]
struct Delivery(Mutex<Option<(Py<PyAny>, Outcome)>>);

#[pymethods]
impl Delivery {
    fn __call__(&self, py: Python<'_>) -> PyResult<()> {
        let mut own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((future, outcome)) = own.take() else {
            return Ok(());
        };
        if future.call_method0(py, "done")?.is_truthy(py)? {
            return Ok(());
        }
        match result(py, outcome) {
            Ok(value) => future.call_method1(py, "set_result", (value,))?,
            Err(error) => future.call_method1(py, "set_exception", (error,))?,
        };
        Ok(())
    }
}

/// Ends a call whose future is done: it was cancelled, or the call has ended already.
#[pyclass(frozen)]
struct Cancel(AbortHandle);

#[pymethods]
impl Cancel {
    fn __call__(&self, _future: &Bound<'_, PyAny>) {
        self.0.abort();
    }
}
