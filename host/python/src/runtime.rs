//! The threads of the host.

use std::sync::OnceLock;

use pyo3::prelude::*;
use tokio::runtime::{Builder, Runtime};

use crate::error::PortcullisError;

/// The number of threads that continue waiting calls.
const THREADS: usize = 2;

/// Returns the runtime of all hosts of the process.
pub(crate) fn runtime() -> PyResult<&'static Runtime> {
    static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(THREADS).enable_all();
        builder.thread_name("portcullis");
        builder.build().map_err(|error| error.to_string())
    });
    runtime.as_ref().map_err(|error| {
        PortcullisError::new_err(format!(
            "the threads of the host cannot be started: {error}"
        ))
    })
}
