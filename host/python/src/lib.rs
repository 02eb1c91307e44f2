//! The native module of the Python package `portcullis-host`.
//!
//! # Modules
//!
//! Lowest first: `error` (the exceptions); `value` (Python objects and JSON); `verdict`; `outcome` (the end of
//! a call); `call` (one call, to await or block on); `claude` (the events of Claude's hooks); `report` (log
//! lines and jobs); `runtime`; `worker` (compiling in a child process); `host` (the hooks of a directory).

mod call;
mod claude;
mod error;
mod host;
mod outcome;
mod report;
mod runtime;
mod value;
mod verdict;
mod worker;

use pyo3::prelude::*;

/// `portcullis_host._native`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::call::Call;
    #[pymodule_export]
    use crate::error::{
        LoadError, NoQuestionError, PortcullisError, RequestError, SessionError, StoreError,
    };
    #[pymodule_export]
    use crate::host::Host;
    #[pymodule_export]
    use crate::verdict::Verdict;
    #[pymodule_export]
    use crate::worker::compile_worker;
}
