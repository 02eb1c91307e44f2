//! The outcome of a call, and its delivery to the event loop.

use std::sync::{Mutex, PoisonError};

use portcullis_bridge::CallReply;
use pyo3::prelude::*;
use tokio::task::AbortHandle;

use crate::value::to_python;
use crate::verdict::Verdict;

/// The output of a call.
pub(crate) enum Output {
    Reply(Box<CallReply>),
    Count(usize),
    Text(String),
    Json(serde_json::Value),
    Nothing,
}

/// The outcome of a call.
pub(crate) type Outcome = PyResult<Output>;

/// Converts a call's outcome into its Python object.
pub(crate) fn result(py: Python<'_>, outcome: Outcome) -> PyResult<Py<PyAny>> {
    Ok(match outcome? {
        Output::Reply(reply) => Bound::new(py, Verdict(*reply))?.into_any().unbind(),
        Output::Count(count) => count.into_pyobject(py)?.into_any().unbind(),
        Output::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
        Output::Json(value) => to_python(py, &value)?.unbind(),
        Output::Nothing => py.None(),
    })
}

/// Makes the event loop set the future. Does nothing if Python or the loop has ended.
pub(crate) fn deliver(event_loop: &Py<PyAny>, future: Py<PyAny>, outcome: Outcome) {
    Python::try_attach(|py| {
        let delivery = Delivery(Mutex::new(Some((future, outcome))));
        // A closed loop refuses; then nothing waits for the call.
        let _ = event_loop.call_method1(py, "call_soon_threadsafe", (delivery,));
    });
}

/// A callback that sets a future, on the event loop's thread.
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

/// A callback that ends a call once its future is done: it was cancelled, or the call has ended already.
#[pyclass(frozen)]
pub(crate) struct Cancel(pub(crate) AbortHandle);

#[pymethods]
impl Cancel {
    fn __call__(&self, _future: &Bound<'_, PyAny>) {
        self.0.abort();
    }
}
