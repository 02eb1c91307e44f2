//! The operator's report of a refused request: the hook, the server and the reason. It contains
//! neither the content of the request, nor the path or the query of the address.

use std::sync::Arc;

use http::Request;
use wasmtime_wasi_http::WasiBody;

use super::Egress;
use crate::contract::text::sanitize_for_terminal;
use crate::model::hook::HookId;

/// The parts of a request that may be reported.
pub(super) struct Refusal {
    egress: Arc<Egress>,
    method: String,
    server: String,
}

impl Refusal {
    pub(super) fn of(egress: &Arc<Egress>, request: &Request<WasiBody>) -> Self {
        let uri = request.uri();
        let port = uri.port().map(|port| format!(":{port}"));
        let server = format!(
            "{}://{}{}",
            uri.scheme_str().unwrap_or_default(),
            // Not the authority: it may hold a password.
            uri.host().unwrap_or_default(),
            port.unwrap_or_default()
        );
        Self {
            egress: egress.clone(),
            method: request.method().to_string(),
            server,
        }
    }

    /// Logs and counts the refusal.
    pub(super) fn tell(&self, why: &'static str) {
        let safe = |text: &str| sanitize_for_terminal(&self.egress.secrets.redact(text));
        let hook = &self.egress.hook;
        tracing::warn!(
            target: "portcullis::http",
            hook = %hook,
            method = safe(&self.method),
            server = safe(&self.server),
            "a request was refused: {why}"
        );
        count(hook, why);
    }
}

fn count(hook: &HookId, why: &'static str) {
    tracing::info!(
        target: "portcullis::metrics",
        {
            monotonic_counter.portcullis_http_refused = 1_u64,
            hook = %hook,
            why,
        },
        "a request of a hook's was refused"
    );
}
