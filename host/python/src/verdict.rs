//! The hooks' decision, for Python. Each part is converted into Python objects when it is read.

use portcullis::text::sanitize_for_terminal;
use portcullis_bridge::{CallReply, Decision};
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::Value;

use crate::error::PortcullisError;
use crate::value::to_python;

/// The hooks' decision about a call.
#[pyclass(frozen, module = "portcullis_host")]
pub(crate) struct Verdict(pub(crate) CallReply);

type Object<'py> = PyResult<Bound<'py, PyAny>>;

#[pymethods]
impl Verdict {
    /// The kind: `continue`, `transform`, `reject`, `answer`, `stop`, `pending` or `failed`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.decision.name()
    }

    /// Whether the operation proceeds, with the payload.
    #[getter]
    fn passed(&self) -> bool {
        self.0.decision.passed()
    }

    /// The hooks that decided.
    #[getter]
    fn by(&self) -> Vec<&str> {
        match &self.0.decision {
            Decision::Continue => Vec::new(),
            Decision::Transform { by } => by.iter().map(String::as_str).collect(),
            Decision::Reject { by, .. }
            | Decision::Answer { by, .. }
            | Decision::Stop { by, .. }
            | Decision::Failed { by, .. } => vec![by],
            Decision::Pending { questions, .. } => {
                questions.iter().map(|asked| asked.by.as_str()).collect()
            }
        }
    }

    /// The parts that hooks may change at the point, as the hooks left them.
    #[getter]
    fn payload<'py>(&self, py: Python<'py>) -> Object<'py> {
        to_python(py, &self.0.payload)
    }

    /// A short, stable code: of the refusal, of the cause of a failure, or of the kind of a stop.
    #[getter]
    fn code(&self) -> Option<String> {
        match &self.0.decision {
            Decision::Reject { rejection, .. } => Some(rejection.code.clone()),
            Decision::Failed { cause, .. } => Some(cause.clone()),
            Decision::Stop { signal, .. } => stop_kind(signal).map(str::to_owned),
            _ => None,
        }
    }

    /// The reason why the operation does not proceed. Characters that control a terminal are replaced.
    #[getter]
    fn reason(&self) -> Option<String> {
        let text = match &self.0.decision {
            Decision::Reject { rejection, .. } => &rejection.reason,
            Decision::Failed { message, .. } => message,
            Decision::Stop { signal, .. } => signal.get("message")?.as_str()?,
            Decision::Pending { questions, .. } => &questions.first()?.question,
            _ => return None,
        };
        Some(sanitize_for_terminal(text))
    }

    /// Details of a refusal, for a person who investigates it.
    #[getter]
    fn details(&self) -> Option<String> {
        let details = match &self.0.decision {
            Decision::Reject { rejection, .. } => rejection.details.as_deref(),
            Decision::Pending { questions, .. } => questions.first()?.details.as_deref(),
            _ => None,
        };
        details.map(sanitize_for_terminal)
    }

    /// The result that a hook gave in place of the operation.
    #[getter]
    fn answer<'py>(&self, py: Python<'py>) -> Object<'py> {
        match &self.0.decision {
            Decision::Answer { value, .. } => to_python(py, value),
            _ => Ok(py.None().into_bound(py)),
        }
    }

    /// The id for answering a question.
    #[getter]
    fn question_id(&self) -> Option<u64> {
        match &self.0.decision {
            Decision::Pending { id, .. } => Some(*id),
            _ => None,
        }
    }

    /// The questions to a person.
    #[getter]
    fn questions<'py>(&self, py: Python<'py>) -> Object<'py> {
        match &self.0.decision {
            Decision::Pending { questions, .. } => object(py, questions),
            _ => object(py, &[(); 0]),
        }
    }

    /// The hooks' contributions.
    #[getter]
    fn contributions<'py>(&self, py: Python<'py>) -> Object<'py> {
        object(py, &self.0.contributions)
    }

    /// Every hook of the chain, in the order they ran.
    #[getter]
    fn runs<'py>(&self, py: Python<'py>) -> Object<'py> {
        object(py, &self.0.runs)
    }

    fn __repr__(&self) -> String {
        let by = self.by();
        match self.reason() {
            Some(reason) => format!("<Verdict {} by {by:?}: {reason}>", self.kind()),
            None => format!("<Verdict {} by {by:?}>", self.kind()),
        }
    }
}

fn stop_kind(signal: &Value) -> Option<&str> {
    match signal.get("kind")? {
        Value::String(kind) => Some(kind),
        Value::Object(kind) => kind.keys().next().map(String::as_str),
        _ => None,
    }
}

fn object<'py>(py: Python<'py>, value: &(impl Serialize + ?Sized)) -> Object<'py> {
    let json = serde_json::to_value(value).map_err(|e| PortcullisError::new_err(e.to_string()))?;
    to_python(py, &json)
}
