//! Sends the requests of hooks.
//!
//! `wasmtime-wasi-http` talks to the guest; this module decides on the servers and the time limits.
//! A redirect is a response like any other: a guest that follows it makes a new request, which is
//! checked like any other.

mod address;
mod allowed;
mod amend;
mod connect;
mod exchange;
mod recorded;
mod refusal;
mod roots;
mod scripted;
mod usage;

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt as _;
use http::{HeaderName, HeaderValue, Request, Response, header};
use wasmtime_wasi_http::p2::bindings::http::{outgoing_handler, types};
use wasmtime_wasi_http::{
    DEFAULT_FORBIDDEN_HEADERS, Error, RequestOptions, WasiBody, WasiHttp, WasiHttpCtx,
    WasiHttpCtxView, WasiHttpHooks, WasiHttpView,
};

use super::rule::{HttpRule, Server};
use crate::contract::linked::component::Linker;
use crate::model::failure::Failure;
use crate::model::hook::HookId;
use crate::model::http_responder::HttpServers;
use crate::model::limits::Limits;
use crate::model::reached::Used;
use crate::model::secrets::Secrets;
use crate::model::trace_context::TraceContext;
use crate::sandbox::capabilities::capability::{OpenError, Sources, errors};
use crate::sandbox::capabilities::{CallMode, InstanceContext, InstanceState, InstanceStates};
use crate::sandbox::component::Setup;
use crate::sandbox::store::HookStore;
use crate::sandbox::tape::Reel;

use roots::Tls;

use allowed::Denied;
use exchange::Exchange;
use refusal::Refusal;
use usage::{Full, Usage};

/// The size of a body's chunks in bytes. Two may wait between the guest and the connection.
const CHUNK: usize = 16 << 10;

/// Headers that make some servers use another method or path than the request's. The grant was not
/// checked for those.
const ELSEWHERE: [&str; 8] = [
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-original-method",
    "x-original-uri",
    "x-original-url",
    "x-rewrite-uri",
    "x-rewrite-url",
];

/// The servers that a hook may send requests to.
#[derive(Debug, PartialEq)]
pub(crate) struct Egress {
    pub(crate) hook: HookId,
    pub(crate) rules: Vec<HttpRule>,
    pub(crate) limits: Arc<Limits>,
    pub(crate) tls: Tls,
    pub(crate) secrets: Arc<Secrets>,
}

/// An instance's requests. Exists only if the component imports `wasi:http` and was granted
/// servers.
pub(crate) struct Http {
    ctx: WasiHttpCtx,
    requests: Requests,
}

/// The checks of an instance's requests.
struct Requests {
    /// The granted servers; `None` without a grant.
    egress: Option<Arc<Egress>>,
    /// The use of the current call; `None` before its first request.
    call: Option<Arc<Usage>>,
    /// The responders that answer in place of servers.
    servers: Option<HttpServers>,
    /// The rules that allowed the call's requests.
    used: Vec<String>,
    /// The span of the call, if it is part of a trace.
    trace: Option<TraceContext>,
    /// The reel that keeps the requests, if calls are recorded.
    reel: Option<Arc<Reel>>,
}

/// Returns the most bytes of headers. A hook being loaded has no limits of its own.
fn header_bytes(egress: Option<&Egress>) -> usize {
    egress.map_or_else(
        || Limits::default().http_header_bytes,
        |egress| egress.limits.http_header_bytes,
    )
}

impl Http {
    /// Creates the state for requests to these servers. It has none while a hook is being loaded.
    pub(crate) fn new(egress: Option<Arc<Egress>>, servers: Option<HttpServers>) -> Self {
        let mut ctx = WasiHttpCtx::new();
        ctx.set_field_size_limit(header_bytes(egress.as_deref()));
        Self {
            ctx,
            requests: Requests {
                egress,
                call: None,
                servers,
                used: Vec::new(),
                trace: None,
                reel: None,
            },
        }
    }

    /// Returns the most bytes of headers of a request or a response.
    pub(crate) fn header_bytes(&self) -> usize {
        header_bytes(self.requests.egress.as_deref())
    }

    /// Sets the span of the next requests.
    pub(crate) fn trace(&mut self, trace: Option<TraceContext>) {
        self.requests.trace = trace;
    }

    /// Ends the call and all its requests.
    fn end(&self) {
        if let Some(call) = &self.requests.call {
            call.cut.cancel();
        }
    }

    /// Notes the rules that allowed the call's requests.
    pub(crate) fn mark(&mut self, used: &mut Used) {
        for rule in self.requests.used.drain(..) {
            used.mark(super::KEY, &rule);
        }
    }

    /// Returns the failure of a call over a limit.
    fn over(&self) -> Option<Failure> {
        self.requests.call.as_ref()?.over()
    }
}

/// `None` if the component does not import `wasi:http`, or was granted no servers.
impl InstanceState for Option<Box<Http>> {
    fn new(cx: &InstanceContext<'_>) -> Self {
        let egress = cx.setup.egress.clone()?;
        let mut http = Http::new(Some(egress), cx.runtime.http.clone());
        http.requests.reel = cx.reel.clone().filter(|reel| reel.keeps());
        Some(Box::new(http))
    }

    fn restart(&mut self) {
        if let Some(http) = self {
            http.end();
            http.requests.call = None;
        }
    }

    fn end(&mut self) {
        if let Some(http) = self {
            http.end();
        }
    }

    fn over(&self) -> Option<Failure> {
        self.as_ref()?.over()
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        self.end();
    }
}

impl WasiHttpView for HookStore {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        self.called().count_held();
        let InstanceStates { http, wasi, .. } = &mut self.capabilities;
        let Http { ctx, requests } =
            &mut **http.get_or_insert_with(|| Box::new(Http::new(None, None)));
        WasiHttpCtxView {
            hooks: requests,
            table: wasi.table(),
            ctx,
        }
    }
}

/// The future of a request's response.
type Sending = Box<
    dyn Future<
            Output = Result<
                (
                    Response<WasiBody>,
                    Box<dyn Future<Output = Result<(), Error>> + Send>,
                ),
                Error,
            >,
        > + Send,
>;

impl WasiHttpHooks for Requests {
    fn is_forbidden_header(&mut self, name: &HeaderName) -> bool {
        // The host sets hop-by-hop headers.
        DEFAULT_FORBIDDEN_HEADERS.contains(name)
            || [header::TE, header::TRAILER, header::EXPECT].contains(name)
            || ELSEWHERE.contains(&name.as_str())
    }

    fn set_host_header(&mut self) -> bool {
        // The header `host` is written after the server was checked, with the name in the rule.
        false
    }

    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        CHUNK
    }

    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Sending {
        let admitted = self.admit(&request);
        let (mut request, kept) = match &self.reel {
            Some(reel) if admitted.is_ok() => recorded::request(request, reel),
            _ => (request, None),
        };
        let sending: Sending = match admitted {
            Err(error) => Box::new(std::future::ready(Err(error))),
            Ok(exchange) if let Some(servers) = self.servers.clone() => {
                Box::new(exchange.answer(request, servers))
            }
            Ok(exchange) => {
                self.add_trace(&mut request);
                let refusal = self
                    .egress
                    .as_ref()
                    .map(|egress| Refusal::of(egress, &request));
                Box::new(async move {
                    let sending = AssertUnwindSafe(exchange.send(request, options));
                    // tokio panics on a runtime without I/O. Only the guest's request fails.
                    let sent = sending.catch_unwind().await.unwrap_or_else(|_| {
                        let why = "the host's runtime has no I/O";
                        Err(Error::InternalError(Some(why.into())))
                    });
                    if let (Err(Error::DestinationIpProhibited), Some(refusal)) = (&sent, refusal) {
                        refusal.tell("the name leads to no address that was granted");
                    }
                    sent
                })
            }
        };
        match kept {
            None => sending,
            Some(kept) => Box::new(recorded::response(sending, kept)),
        }
    }
}

impl Requests {
    /// Sets the span of a request, in place of the hook's own header.
    fn add_trace(&self, request: &mut Request<WasiBody>) {
        for (name, value) in self.trace.iter().flat_map(TraceContext::headers) {
            if let Ok(value) = HeaderValue::try_from(value) {
                request.headers_mut().insert(name, value);
            }
        }
    }

    /// Admits or refuses a request.
    fn admit(&mut self, request: &Request<WasiBody>) -> Result<Exchange, Error> {
        let egress = self.egress.as_ref().ok_or(Error::HttpRequestDenied)?;
        let call = self
            .call
            .get_or_insert_with(|| Arc::new(Usage::new(egress.limits.clone())));
        call.count().map_err(full)?;
        let uri = request.uri();
        let refuse = |why| {
            Refusal::of(egress, request).tell(why);
            if let Some(HttpServers(servers)) = &self.servers {
                servers.refused(head(request), why);
            }
            Error::HttpRequestDenied
        };
        let server = Server::of(uri).ok_or_else(|| refuse("its URI names no server"))?;
        let rule = allowed::allowing(&egress.rules, &server, request.method(), uri.path())
            .map_err(|denied: Denied| refuse(denied.why()))?;
        let line = rule.to_string();
        if !self.used.contains(&line) {
            self.used.push(line);
        }
        Ok(Exchange {
            rule: rule.clone(),
            server,
            tls: egress.tls.clone(),
            running: call.begin().map_err(full)?,
            usage: call.clone(),
        })
    }
}

/// Returns whether a resource contains no other data.
pub(in crate::sandbox::capabilities) fn is_small(resource: &(dyn Any + Send)) -> bool {
    resource.is::<types::RequestOptions>()
}

/// Returns a request without its body.
fn head(request: &Request<WasiBody>) -> Request<()> {
    let mut head = Request::new(());
    head.method_mut().clone_from(request.method());
    let uri = request.uri();
    let address = Server::of(uri).and_then(|server| server.address(uri));
    *head.uri_mut() = address.unwrap_or_else(|| uri.clone());
    head.headers_mut().clone_from(request.headers());
    head
}

const fn full(full: Full) -> Error {
    match full {
        Full::Requests => Error::HttpRequestDenied,
        Full::Concurrent => Error::ConnectionLimitReached,
    }
}

pub(super) fn open(setup: &mut Setup, sources: &Sources<'_>) -> Result<(), Vec<OpenError>> {
    let tls = Tls::new(sources.roots).map_err(|e| errors(e, OpenError::Tls))?;
    setup.egress = Some(Arc::new(Egress {
        hook: setup.id.clone(),
        rules: setup.grants.http.clone(),
        limits: Arc::new(setup.limits.clone()),
        tls,
        secrets: setup.secrets.clone(),
    }));
    Ok(())
}

pub(super) fn link(linker: &mut Linker<HookStore>, mode: CallMode) -> wasmtime::Result<()> {
    if mode == CallMode::Sync {
        // A hook that makes requests can wait.
        return Ok(());
    }
    let options = types::LinkOptions::default();
    outgoing_handler::add_to_linker::<_, WasiHttp>(linker, WasiHttpView::http)?;
    types::add_to_linker::<_, WasiHttp>(linker, &options, WasiHttpView::http)?;
    amend::add_to_linker(linker)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_header_names_another_method_or_path_than_was_granted() {
        let mut requests = Requests {
            egress: None,
            call: None,
            servers: None,
            used: Vec::new(),
            trace: None,
            reel: None,
        };
        for name in ELSEWHERE {
            let name = HeaderName::from_static(name);
            assert!(requests.is_forbidden_header(&name), "{name}");
        }
        assert!(!requests.is_forbidden_header(&header::ACCEPT));
    }
}
