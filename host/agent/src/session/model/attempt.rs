//! One attempt at a model call: pre-llm-call → provider → post-llm-call.

use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::Decision;
use portcullis::contract::{ContentPart, StopReason};
use portcullis::points::llm_error::ProviderErrorKind;
use portcullis::points::post_llm_call::{LlmResult, tool_names};
use portcullis::points::pre_llm_call::LlmCall;
use portcullis::points::{PointId, PostLlmCall, PreLlmCall, pre_turn};
use serde::{Deserialize, Serialize};

use super::deltas::{Cut, Pieces};
use super::{ModelRequest, ModelResponse, Target, call_ids};
use crate::basics::stop_reason;
use crate::basics::units::{count, micros, millis};
use crate::events::{AgentEvent, CallPurpose, TracePlace};
use crate::exchange::TurnError;
use crate::provider::{LlmRequest, LlmResponse, ProviderError, Signature, Signatures};
use crate::session::state::{NO_USAGE, SessionState};

/// The reason that an attempt has no response.
pub(super) enum AttemptError {
    /// The provider failed; the model is the one that was called.
    Provider { model: String, error: ProviderError },
    /// A hook refused the call or its response, or failed.
    Turn(TurnError),
}

impl From<TurnError> for AttemptError {
    fn from(error: TurnError) -> Self {
        Self::Turn(error)
    }
}

/// Makes one attempt.
pub(super) async fn make(
    session: &mut SessionState,
    request: &ModelRequest,
    target: &Target,
    attempt: u32,
) -> Result<ModelResponse, AttemptError> {
    let mut call = LlmCall {
        provider: target.provider.clone(),
        model: target.model.clone(),
        attempt,
        messages: count(request.messages.len()),
        tools: count(request.tools.len()),
        estimated_tokens: request.estimated_tokens,
        temperature: session.shared.context.config.temperature,
        max_output_tokens: request.max_output_tokens,
    };
    let mut messages = request.messages.clone();
    let mut offered = request.tools.clone();
    let mut answered = None;
    if session.hooks.serves::<PreLlmCall>() {
        let fired = session
            .ask::<PreLlmCall>(call, |views| {
                views.conversation = messages;
                views.turn_start = usize::MAX;
                views.tools = offered;
            })
            .await;
        call = fired.subject;
        messages = fired.views.conversation;
        offered = fired.views.tools;
        match fired.decision {
            Decision::Passed => {}
            Decision::Rejected { by, rejection } => {
                return Err(TurnError::rejected(PointId::PreLlmCall, by, rejection).into());
            }
            Decision::Answered { by, answer } => answered = Some((by, answer)),
            Decision::Failed(failed) => return Err(TurnError::from(failed).into()),
        }
    }
    let (answered_by, provided) = match answered {
        Some((by, response)) => (Some(by), Provided::answer(response)),
        None => {
            let llm_request = LlmRequest {
                model: call.model.clone(),
                messages,
                signatures: session.conversation.signatures().clone(),
                tools: offered.clone(),
                temperature: call.temperature,
                max_output_tokens: call.max_output_tokens,
                response_format: match request.purpose {
                    CallPurpose::Step => session.prompt.response_format.clone(),
                    CallPurpose::Compaction => None,
                },
                trace: None,
            };
            let calling = call_provider(session, &call, llm_request, request.purpose);
            (None, calling.await)
        }
    };
    let Provided {
        response,
        cut,
        elapsed,
        signatures,
    } = provided;
    let mut response = match response {
        Ok(response) => response,
        Err(error) => return Err(provider_failed(session, &call, error, elapsed)),
    };
    call_ids::make_unique(&mut response.content);
    let signatures = Signatures::from_list(response.content.iter(), signatures);
    session.usage.add(&response.usage);
    session.emit(|| AgentEvent::LlmCallFinished {
        provider: call.provider.clone(),
        model: call.model.clone(),
        attempt,
        usage: response.usage,
        stop: portcullis::text::sanitize_for_terminal(stop_reason::name(&response.stop)),
        tool_calls: tool_names(&response.content).len(),
        answered_by: answered_by.as_ref().map(ToString::to_string),
        elapsed_ms: millis(elapsed),
    });
    let stopped = match cut {
        Some(Cut::Stopped { by, signal }) => Some((by, signal)),
        Some(Cut::Failed(failed)) => return Err(TurnError::from(failed).into()),
        None => None,
    };
    let usage = response.usage;
    let counted = answered_by.is_none() && usage.input_tokens > 0;
    let (content, stop) = ask_post_llm_call(session, request, call, response, elapsed).await?;
    Ok(ModelResponse {
        content,
        signatures,
        stop,
        offered,
        stopped,
        real_tokens: counted.then(|| usage.input_tokens.saturating_add(usage.output_tokens)),
    })
}

/// Calls the provider.
async fn call_provider(
    session: &SessionState,
    call: &LlmCall,
    mut request: LlmRequest,
    purpose: CallPurpose,
) -> Provided {
    session.emit(|| AgentEvent::LlmCallStarted {
        provider: call.provider.clone(),
        model: call.model.clone(),
        attempt: call.attempt,
        messages: request.messages.len(),
        purpose,
    });
    request.trace = session.trace.within(TracePlace::Model);
    let name = || format!("model {}", call.provider);
    let calling = complete(session, call, request, purpose);
    session.effect(name, calling).await
}

/// A provider's response.
#[derive(Serialize, Deserialize)]
struct Provided {
    response: Result<LlmResponse, ProviderError>,
    /// The reason that the response was cut off, if it was.
    cut: Option<Cut>,
    elapsed: Duration,
    /// The signatures of its reasoning, one for each part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signatures: Vec<Option<Signature>>,
}

impl Provided {
    /// Returns a hook's answer in place of a provider's response.
    fn answer(response: LlmResponse) -> Self {
        Self {
            response: Ok(response),
            cut: None,
            elapsed: Duration::ZERO,
            signatures: Vec::new(),
        }
    }
}

/// Calls the provider and passes on the pieces of its response.
async fn complete(
    session: &SessionState,
    call: &LlmCall,
    request: LlmRequest,
    purpose: CallPurpose,
) -> Provided {
    let started = Instant::now();
    let provided = |response, cut| Provided {
        response,
        cut,
        elapsed: started.elapsed(),
        signatures: Vec::new(),
    };
    let limit = Duration::from_millis(session.shared.context.config.llm_timeout_ms);
    let mut pieces = Pieces::new(session, purpose);
    let response = match session.shared.context.providers.get(&call.provider) {
        Some(provider) => {
            let calling = provider.complete(request, &mut pieces);
            tokio::time::timeout(limit, calling)
                .await
                .unwrap_or_else(|_| {
                    Err(ProviderError::new(
                        ProviderErrorKind::Timeout,
                        format!("no response within {} ms", limit.as_millis()),
                    ))
                })
        }
        None => Err(ProviderError::new(
            ProviderErrorKind::BadRequest,
            format!("there is no provider called `{}`", call.provider),
        )),
    };
    let response = match response {
        Ok(response) => Some(response),
        // A hook cut the response off; the provider did not fail.
        Err(_) if pieces.is_cut() => None,
        Err(error) => return provided(Err(error), None),
    };
    let content = response.as_ref().map_or(&[][..], |whole| &whole.content);
    let mut streamed = pieces.finish(content).await;
    match (streamed.cut.take(), response) {
        (None, Some(mut response)) => {
            response.content = streamed.apply(response.content);
            let signatures = streamed.signatures.list(response.content.iter());
            Provided {
                signatures,
                ..provided(Ok(response), None)
            }
        }
        (cut, response) => {
            let usage = response.map_or(NO_USAGE, |response| response.usage);
            let response = LlmResponse {
                content: streamed.said(),
                stop: StopReason::Other("stopped".to_owned()),
                usage,
            };
            provided(Ok(response), cut)
        }
    }
}

fn provider_failed(
    session: &SessionState,
    call: &LlmCall,
    error: ProviderError,
    elapsed: Duration,
) -> AttemptError {
    session.emit(|| AgentEvent::LlmCallFailed {
        provider: call.provider.clone(),
        model: call.model.clone(),
        attempt: call.attempt,
        error: error.to_string(),
        kind: error.kind,
        elapsed_ms: millis(elapsed),
    });
    let failed = format!("{}/{}: {error}", call.provider, call.model);
    session.turn_errors.lock().push(ContentPart::Text(failed));
    AttemptError::Provider {
        model: call.model.clone(),
        error,
    }
}

/// Runs the `post-llm-call` hooks on a response.
async fn ask_post_llm_call(
    session: &SessionState,
    request: &ModelRequest,
    call: LlmCall,
    response: LlmResponse,
    elapsed: Duration,
) -> Result<(Vec<ContentPart>, StopReason), AttemptError> {
    let LlmResponse {
        content,
        stop,
        usage,
    } = response;
    if !session.hooks.serves::<PostLlmCall>() {
        return Ok((content, stop));
    }
    let result = LlmResult {
        provider: call.provider,
        model: call.model,
        attempt: call.attempt,
        stop: stop.clone(),
        usage,
        text_bytes: pre_turn::facts(&content).text_bytes,
        tool_calls: tool_names(&content),
        elapsed_us: micros(elapsed),
    };
    let fired = session
        .ask::<PostLlmCall>(result, |views| {
            views.content = Arc::new(content);
            views.conversation = request.messages.clone();
            views.turn_start = usize::MAX;
        })
        .await;
    match fired.decision {
        Decision::Passed => {
            let mut content = Arc::unwrap_or_clone(fired.views.content);
            // The hooks may have changed the calls.
            call_ids::make_unique(&mut content);
            Ok((content, stop))
        }
        Decision::Rejected { by, rejection } => {
            Err(TurnError::rejected(PointId::PostLlmCall, by, rejection).into())
        }
        Decision::Failed(failed) => Err(TurnError::from(failed).into()),
    }
}
