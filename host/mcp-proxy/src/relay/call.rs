//! A tool call, from the client's request to the answer.

use std::sync::Arc;
use std::time::Instant;

use portcullis::trace::TraceContext;
use portcullis_agent::{NotRun, ToolOutput, progress_text, refusal};
use portcullis_telemetry::{Entry, EntryContext};
use tokio::sync::mpsc;

use super::answer::SERVER_GONE;
use super::ask::Client;
use super::batch::Reply;
use super::finish::{New, Unfinished, finish};
use super::meta::{self, Meta};
use super::pending::{CallHandle, Ticket, ToCall};
use super::tasks::TaskCall;
use super::{Relay, listing};
use crate::hooks::{Before, Checked, Offer, Refusal, ToolRequestFacts};
use crate::message::own::{self, INTERNAL_ERROR, INVALID_PARAMS, SERVER_ERROR};
use crate::message::{Id, Malformed, Message, check_names, fields, string, with_fields};
use crate::result::{ResultKind, kind, made};

/// A tool call of the client.
pub(super) struct ToolCall {
    pub(super) message: Message,
    pub(super) id: Id,
    pub(super) ticket: Ticket,
    pub(super) reply: Reply,
    pub(super) handle: CallHandle,
    pub(super) inbox: mpsc::Receiver<ToCall>,
}

impl ToolCall {
    /// Ends the call with this answer, unless the call is already answered. A call that was removed
    /// before it reached the server is: the client cancelled it or was asked to repeat it, or the
    /// server is gone.
    pub(super) async fn end(&self, relay: &Relay, answer: Option<String>) {
        let taken = relay.pending.take_own(&self.id, self.ticket);
        if let Some(answer) = answer
            && (taken.is_some() || self.handle.is_forwarded)
        {
            self.reply.send(&relay.to_client, answer).await;
        }
    }
}

/// The subject of a client's call.
struct Wanted {
    name: String,
    /// A JSON object.
    arguments: Arc<str>,
    is_stateless: bool,
    elicits: bool,
    /// The span that the call is part of.
    trace: Option<TraceContext>,
}

/// The end of a call that the server does not answer.
enum Ends {
    /// The call is refused.
    Refused(Box<Refusal>),
    /// A hook answered the call with this result. The observing hooks run once the client has it.
    Answered(String, Box<Checked>),
    /// The call ends with an error.
    Fails(i32, String),
    /// The call was cancelled.
    Cancelled,
}

impl From<Refusal> for Ends {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<ToolOutput> for Ends {
    fn from(output: ToolOutput) -> Self {
        Refusal::from(output).into()
    }
}

impl From<Unfinished> for Ends {
    fn from(error: Unfinished) -> Self {
        Self::Fails(INTERNAL_ERROR, error.to_string())
    }
}

impl From<Malformed> for Ends {
    fn from(error: Malformed) -> Self {
        Self::Fails(INVALID_PARAMS, format!("the call cannot be read: {error}"))
    }
}

/// Runs a call and answers it.
pub(super) async fn run(relay: &Relay, call: &mut ToolCall) {
    let mut is_stateless = false;
    let mut entry = None;
    let ended = match Wanted::read(relay, &call.message) {
        Err(error) => Err(error.into()),
        Ok(wanted) => {
            is_stateless = wanted.is_stateless;
            let parent = wanted.trace.as_ref();
            entry = relay.hooks.enter(&wanted.name, call_id(call), parent);
            let trace = match &entry {
                Some(entry) => entry.within(),
                None => parent.cloned().map(EntryContext::passed_on),
            };
            let cancel = call.handle.cancel.clone();
            let admitted = tokio::select! {
                admitted = admit(relay, call, &wanted, trace) => admitted,
                () = cancel.cancelled() => Err(Ends::Cancelled),
                () = relay.server_is_gone.cancelled() => Err(gone()),
            };
            let kept = match &admitted {
                // `finish` has saved the hooks' state, if it ran hooks.
                Err(Ends::Answered(..)) if relay.hooks.see_results() => Ok(()),
                // A call must not run if the state, such as a budget, is not saved.
                _ => relay.hooks.keep().await,
            };
            let kept = kept.map_err(|why| Ends::Fails(own::INTERNAL_ERROR, why));
            match kept.and(admitted) {
                Ok(admitted) => forward(relay, call, admitted).await,
                Err(ends) => Err(ends),
            }
        }
    };
    if let Some(entry) = &mut entry {
        told(entry, &ended);
    }
    let mut observed = None;
    let text = match ended {
        Ok(_) | Err(Ends::Cancelled) => None,
        Err(Ends::Refused(refused)) => {
            Some(own::result(&call.id, made(&refused.output, is_stateless)))
        }
        Err(Ends::Answered(result, checked)) => {
            observed = Some(checked);
            Some(own::result(&call.id, result))
        }
        Err(Ends::Fails(code, why)) => Some(own::error(Some(call.id.json()), code, &why)),
    };
    call.end(relay, text).await;
    if let Some(checked) = observed {
        relay.hooks.observe(*checked).await;
    }
}

/// Records the end of a call on its span.
fn told(entry: &mut Entry, ended: &Result<Option<String>, Ends>) {
    match ended {
        Ok(failure) => {
            entry.decided("forwarded");
            if let Some(kind) = failure {
                entry.fail(kind.clone());
            }
        }
        Err(Ends::Refused(refused)) => {
            entry.decided("refused");
            if let Some(by) = &refused.by {
                entry.decided_by(by.as_str(), refused.code.as_deref());
            }
            if let Some(cause) = refused.cause {
                entry.fail(cause.to_string());
            }
        }
        Err(Ends::Answered(result, _)) => {
            entry.decided("answered");
            if is_error(result) {
                entry.fail(TOOL_ERROR);
            }
        }
        Err(Ends::Fails(code, _)) => entry.fail(code.to_string()),
        Err(Ends::Cancelled) => entry.decided("cancelled"),
    }
}

/// The `error.type` of a result with `isError`, by the semantic conventions.
const TOOL_ERROR: &str = "tool_error";

/// Returns whether a result says that the tool failed. An unreadable result does not.
fn is_error(result: &str) -> bool {
    fields(result, ["isError"]).is_ok_and(|[flag]| flag == Some("true"))
}

/// Returns how a tool failed: the code of the server's error, or `TOOL_ERROR` if the result says
/// so.
fn failure(message: &Message) -> Option<String> {
    match (message.result(), message.error()) {
        (Some(result), _) => is_error(result).then(|| TOOL_ERROR.to_owned()),
        (None, error) => {
            let code = error.and_then(|error| fields(error, ["code"]).ok());
            let code = code.and_then(|[code]| code);
            Some(code.unwrap_or("error").to_owned())
        }
    }
}

/// Returns the id of a call, as hooks see it.
fn call_id(call: &ToolCall) -> &str {
    call.id.json().trim_matches('"')
}

impl Wanted {
    fn read(relay: &Relay, message: &Message) -> Result<Self, Malformed> {
        let params = message.params();
        let [name, arguments] = fields(params, ["name", "arguments"])?;
        let meta = Meta::of(params)?;
        let name = name.ok_or_else(|| Malformed::new("it names no tool"))?;
        let arguments = arguments.unwrap_or("{}");
        if !arguments.starts_with('{') {
            return Err(Malformed::new("the arguments are not an object"));
        }
        check_names(arguments)?;
        let capabilities = match meta.is_stateless {
            true => meta.capabilities,
            false => *relay.capabilities.lock(),
        };
        Ok(Self {
            name: string(name)?,
            arguments: arguments.into(),
            is_stateless: meta.is_stateless,
            elicits: capabilities.elicits,
            trace: meta.text.and_then(meta::trace),
        })
    }
}

/// A call that the hooks let pass.
struct Admitted {
    call: TaskCall,
    /// The message for the server.
    text: String,
}

/// Runs the deciding hooks on a call.
async fn admit(
    relay: &Relay,
    call: &mut ToolCall,
    wanted: &Wanted,
    trace: Option<EntryContext>,
) -> Result<Admitted, Ends> {
    let hooks = &relay.hooks;
    let turn = hooks.new_turn();
    let offer = offered(relay, &call.message, turn).await?;
    let offered_as = match offer.adds(&wanted.name) {
        true => wanted.name.clone(),
        false => hooks.name_of(&wanted.name),
    };
    if hooks.choose_tools() && offer.tools.get(&offered_as).is_none() {
        let why = format!("no tool called `{}` is offered", wanted.name);
        return Err(refusal::invalid_call(&why).into());
    }
    let target = offer.target(&offered_as);
    let facts = Arc::new(ToolRequestFacts {
        turn,
        call_id: call_id(call).to_owned(),
        name: target.to_owned(),
        offered_as: offered_as.clone(),
        arguments: wanted.arguments.clone(),
        tools: offer.tools.clone(),
        trace: trace.clone(),
    });
    let mut person = Client {
        relay,
        call,
        elicits: wanted.elicits,
        is_stateless: wanted.is_stateless,
    };
    let before = hooks.before(&facts, &mut person).await;
    let started = Instant::now();
    let task = |arguments| TaskCall {
        request: facts.clone(),
        arguments,
        started,
        is_stateless: wanted.is_stateless,
    };
    match before {
        Before::Refused(refused) => {
            let why = match refused.cause {
                Some(_) => NotRun::HookFailed,
                None => NotRun::HookRefused,
            };
            hooks.tool_not_run(&facts, why);
            Err(refused.into())
        }
        Before::Answered(arguments, output) => {
            hooks.tool_not_run(&facts, NotRun::HookAnswered);
            Err(answered(relay, &task(arguments), &output).await?)
        }
        Before::Run(arguments) => {
            if let Some(by) = offer.answerer(&offered_as) {
                hooks.tool_not_run(&facts, NotRun::HookUnanswered);
                let refused = Refusal {
                    by: Some(by.clone()),
                    ..refusal::unanswered(by).into()
                };
                return Err(refused.into());
            }
            let mut changes = Vec::new();
            if target != offered_as {
                let name = hooks.own_name(target);
                changes.push(("name", Some(serde_json::Value::from(name).to_string())));
            }
            if arguments != wanted.arguments {
                check_names(&arguments).map_err(|error| {
                    let why = format!("the arguments that a hook wrote cannot be sent: {error}");
                    Ends::Fails(INTERNAL_ERROR, why)
                })?;
                changes.push(("arguments", Some(arguments.to_string())));
            }
            if let (true, Some(trace)) = (hooks.is_traced(), &trace) {
                let [meta] = fields(call.message.params(), ["_meta"])?;
                let meta = meta.filter(|meta| *meta != "null");
                changes.push(("_meta", Some(meta::with_trace(meta, trace.context())?)));
            }
            let text = match changes.is_empty() {
                true => call.message.text().to_owned(),
                false => {
                    let params = call.message.params();
                    let changed = with_fields(params, &changes)?;
                    call.message.with(params, &changed)
                }
            };
            Ok(Admitted {
                call: task(arguments),
                text,
            })
        }
    }
}

/// Returns the tools that are offered to this call; none if no hook needs them.
async fn offered(relay: &Relay, message: &Message, turn: u32) -> Result<Offer, Ends> {
    let hooks = &relay.hooks;
    if !hooks.see_calls() {
        return Ok(Offer::default());
    }
    let own = match listing::known(relay, message.params()).await {
        Ok(own) => own.catalog.clone(),
        // A server without a list of tools may still have calls that hooks see.
        Err(_) if !hooks.choose_tools() => Arc::default(),
        Err(error) => return Err(Ends::Fails(INTERNAL_ERROR, error.to_string())),
    };
    match hooks.choose_tools() {
        false => Ok(Offer::of(own)),
        true => {
            let offer = hooks.offer(turn, own).await;
            offer.map_err(|why| refusal::invalid_call(&why).into())
        }
    }
}

/// Returns the result of a call that a hook answered.
async fn answered(relay: &Relay, task: &TaskCall, output: &ToolOutput) -> Result<Ends, Unfinished> {
    let given = made(output, task.is_stateless);
    let write = |new| match new {
        None => Ok(given.clone()),
        Some(New::Result(new) | New::Error(new)) => Ok(new),
    };
    let finished = finish(relay, task, &given, false, write).await?;
    Ok(Ends::Answered(finished.text, Box::new(finished.checked)))
}

/// Sends a call to the server, and its progress and its result to the client. Returns how the tool
/// failed, if it failed and calls are traced.
async fn forward(
    relay: &Relay,
    call: &mut ToolCall,
    admitted: Admitted,
) -> Result<Option<String>, Ends> {
    if !relay.pending.forward(&call.id, call.ticket) {
        let is_gone = relay.server_is_gone.is_cancelled();
        return Err(if is_gone { gone() } else { Ends::Cancelled });
    }
    call.handle.is_forwarded = true;
    let is_sent = relay.send_to_server(admitted.text).await;
    relay.pending.is_queued();
    // From here on only the entry of the request keeps the inbox open. The inbox closes when the
    // server answers or is gone.
    call.handle.inbox = mpsc::channel(1).0;
    if !is_sent {
        return Err(gone());
    }
    relay.hooks.tool_started(&admitted.call.request);
    let mut index = 0;
    loop {
        match call.inbox.recv().await {
            None if call.handle.cancel.is_cancelled() => return Err(Ends::Cancelled),
            None => return Err(gone()),
            Some(ToCall::Progress(message)) => {
                progress(relay, &admitted.call.request, index, message).await;
                index += 1;
            }
            Some(ToCall::Failed(why)) => return Err(Ends::Fails(INTERNAL_ERROR, why)),
            Some(ToCall::Answer(message)) => {
                let failure = relay.hooks.is_traced().then(|| failure(&message)).flatten();
                end(relay, call, admitted.call, message).await?;
                return Ok(failure);
            }
        }
    }
}

fn gone() -> Ends {
    Ends::Fails(SERVER_ERROR, SERVER_GONE.to_owned())
}

async fn progress(relay: &Relay, request: &ToolRequestFacts, index: u32, message: Message) {
    let text = match serde_json::from_str(message.params()) {
        Ok(report) => progress_text(&report),
        Err(error) => {
            tracing::warn!("a report of progress is not passed on: {error}");
            return;
        }
    };
    if relay.hooks.shows(request, index, &text).await {
        // A client that is gone needs no report.
        let _ = relay.to_client.send(message.into_text()).await;
        relay.hooks.shown(request, index, &text).await;
    }
}

/// Answers a call with the server's answer.
async fn end(
    relay: &Relay,
    call: &mut ToolCall,
    task: TaskCall,
    message: Message,
) -> Result<(), Ends> {
    let (given, is_error) = match (message.result(), message.error()) {
        (Some(result), _) => (result, false),
        (None, error) => (error.unwrap_or("{}"), true),
    };
    let hooks = &relay.hooks;
    let kind = match is_error {
        true => Ok(ResultKind::Complete),
        false => kind(given, task.is_stateless),
    };
    let kind = match kind {
        Err(error) if hooks.see_results() => return Err(Unfinished::from(error).into()),
        // No hook sees the result.
        Err(_) => ResultKind::Complete,
        Ok(kind) => kind,
    };
    if let ResultKind::Complete = kind {
        let failed = failure(&message).is_some();
        hooks.tool_finished(&task.request, failed, task.started.elapsed());
    } else if hooks.see_results() {
        if let ResultKind::Task(id) = kind {
            relay.tasks.remember(id, task);
        }
        call.reply.send(&relay.to_client, message.into_text()).await;
        return Ok(());
    }
    let write = |new| match new {
        None => Ok(message.text().to_owned()),
        Some(New::Result(new)) if is_error => Ok(own::result(&call.id, new)),
        Some(New::Result(new) | New::Error(new)) => Ok(message.with(given, &new)),
    };
    let finished = finish(relay, &task, given, is_error, write).await?;
    call.reply.send(&relay.to_client, finished.text).await;
    relay.hooks.observe(finished.checked).await;
    Ok(())
}
