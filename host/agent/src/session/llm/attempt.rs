//! One attempt at a model call: pre-llm-call → provider → post-llm-call.

use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::contract::{ContentPart, Rejection, StopReason, StopSignal};
use portcullis::points::llm_error::ProviderErrorKind;
use portcullis::points::post_llm_call::{LlmResult, tool_names};
use portcullis::points::pre_llm_call::LlmCall;
use portcullis::points::{PointId, PostLlmCall, PreLlmCall, pre_turn};
use portcullis::{Decision, HookId};

use super::{Asked, Got, Target};
use crate::error::TurnError;
use crate::events::{AgentEvent, CallPurpose};
use crate::provider::{LlmRequest, LlmResponse, ProviderError};
use crate::session::deltas::Cut;
use crate::session::running::{NO_USAGE, Running, count};
use crate::session::turn::millis;

/// How an attempt ends without a response.
pub(super) enum Missed {
    /// The provider failed; the model is the one that was called.
    Provider { model: String, error: ProviderError },
    /// The call is not to be made, or its response not to be had.
    Turn(TurnError),
}

impl From<TurnError> for Missed {
    fn from(error: TurnError) -> Self {
        Self::Turn(error)
    }
}

impl Running {
    /// Makes one attempt.
    pub(super) async fn attempt(
        &mut self,
        asked: &Asked,
        target: &Target,
        attempt: u32,
    ) -> Result<Got, Missed> {
        let mut call = LlmCall {
            provider: target.provider.clone(),
            model: target.model.clone(),
            attempt,
            messages: count(asked.messages.len()),
            tools: count(asked.tools.len()),
            estimated_tokens: asked.estimated_tokens,
            temperature: self.shared.context.config.temperature,
            max_output_tokens: asked.max_output_tokens,
        };
        let mut messages = asked.messages.clone();
        let mut offered = asked.tools.clone();
        let mut answered = None;
        if self.hooks.serves::<PreLlmCall>() {
            let ran = self
                .ask::<PreLlmCall>(call, |views| {
                    views.conversation = messages;
                    views.tools = offered;
                })
                .await;
            call = ran.subject;
            messages = ran.views.conversation;
            offered = ran.views.tools;
            match ran.decision {
                Decision::Passed => {}
                Decision::Rejected { by, rejection } => {
                    return Err(rejected(PointId::PreLlmCall, by, rejection));
                }
                Decision::Answered { by, answer } => answered = Some((by, answer)),
                Decision::Failed(failed) => return Err(Missed::Turn(failed.into())),
                Decision::Stopped { stop, .. } => match stop {},
                Decision::Pending(pending) => match pending.first.ask {},
            }
        }
        let started = Instant::now();
        let mut stopped = None;
        let (answered_by, response) = match answered {
            Some((by, response)) => (Some(by), response),
            None => {
                let request = LlmRequest {
                    model: call.model.clone(),
                    messages,
                    tools: offered.clone(),
                    temperature: call.temperature,
                    max_output_tokens: call.max_output_tokens,
                    response_format: self.response_format(asked.purpose),
                };
                let (response, cut) = self.call_provider(&call, request, asked.purpose).await?;
                stopped = cut;
                (None, response)
            }
        };
        let elapsed = started.elapsed();
        self.spend(&response.usage);
        self.emit(|| AgentEvent::LlmCallFinished {
            provider: call.provider.clone(),
            model: call.model.clone(),
            attempt,
            usage: response.usage,
            stop: stop_name(&response.stop),
            tool_calls: tool_names(&response.content).len(),
            answered_by: answered_by.as_ref().map(ToString::to_string),
            elapsed_ms: millis(elapsed),
        });
        let usage = response.usage;
        let counted = answered_by.is_none() && usage.input_tokens > 0;
        let (content, stop) = self.accept(asked, call, response, elapsed).await?;
        Ok(Got {
            content,
            stop,
            offered,
            stopped,
            real_tokens: counted.then(|| usage.input_tokens.saturating_add(usage.output_tokens)),
        })
    }

    /// Calls the provider. Gives also the hook that cut the response off, if one did.
    async fn call_provider(
        &self,
        call: &LlmCall,
        request: LlmRequest,
        purpose: CallPurpose,
    ) -> Result<(LlmResponse, Option<(HookId, StopSignal)>), Missed> {
        self.emit(|| AgentEvent::LlmCallStarted {
            provider: call.provider.clone(),
            model: call.model.clone(),
            attempt: call.attempt,
            messages: request.messages.len(),
            purpose,
        });
        let started = Instant::now();
        let limit = Duration::from_millis(self.shared.context.config.llm_timeout_ms);
        let provider = self.shared.context.providers.get(&call.provider).cloned();
        let mut pieces = self.pieces(purpose);
        let response = match provider {
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
        let content = response.as_ref().map_or(&[][..], |whole| &whole.content);
        let whole = response.is_ok();
        let mut streamed = match whole || pieces.is_cut() {
            true => pieces.finish(content).await,
            // What a failed call has sent does not count.
            false => return Err(self.missed(call, response, started)),
        };
        match (streamed.cut.take(), response) {
            (Some(Cut::Failed(failed)), _) => Err(Missed::Turn(failed.into())),
            (Some(Cut::Stopped { by, signal }), response) => {
                let usage = response.map_or(NO_USAGE, |response| response.usage);
                let response = LlmResponse {
                    content: streamed.said(),
                    stop: StopReason::Other("stopped".to_owned()),
                    usage,
                };
                Ok((response, Some((by, signal))))
            }
            (None, Ok(mut response)) => {
                response.content = streamed.apply(response.content);
                Ok((response, None))
            }
            (None, response) => Err(self.missed(call, response, started)),
        }
    }

    /// A call that failed.
    fn missed(
        &self,
        call: &LlmCall,
        response: Result<LlmResponse, ProviderError>,
        started: Instant,
    ) -> Missed {
        let error = response.err().unwrap_or_else(|| {
            ProviderError::new(ProviderErrorKind::Other, "the response was lost")
        });
        {
            self.emit(|| AgentEvent::LlmCallFailed {
                provider: call.provider.clone(),
                model: call.model.clone(),
                attempt: call.attempt,
                error: error.to_string(),
                elapsed_ms: millis(started.elapsed()),
            });
            Missed::Provider {
                model: call.model.clone(),
                error,
            }
        }
    }

    /// Asks the `post-llm-call` hooks for a response.
    async fn accept(
        &mut self,
        asked: &Asked,
        call: LlmCall,
        response: LlmResponse,
        elapsed: Duration,
    ) -> Result<(Vec<ContentPart>, StopReason), Missed> {
        let LlmResponse {
            content,
            stop,
            usage,
        } = response;
        if !self.hooks.serves::<PostLlmCall>() {
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
            elapsed_us: u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
        };
        let conversation = asked.messages.clone();
        let ran = self
            .ask::<PostLlmCall>(result, |views| {
                views.content = Arc::new(content);
                views.conversation = conversation;
            })
            .await;
        match ran.decision {
            Decision::Passed => Ok((Arc::unwrap_or_clone(ran.views.content), stop)),
            Decision::Rejected { by, rejection } => {
                Err(rejected(PointId::PostLlmCall, by, rejection))
            }
            Decision::Failed(failed) => Err(Missed::Turn(failed.into())),
            Decision::Answered { answer, .. } => match answer {},
            Decision::Stopped { stop, .. } => match stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }
}

fn rejected(point: PointId, by: HookId, rejection: Rejection) -> Missed {
    Missed::Turn(TurnError::Rejected {
        point,
        by,
        rejection,
    })
}

/// A stop reason by its name in WIT.
fn stop_name(stop: &StopReason) -> String {
    match stop {
        StopReason::EndTurn => "end-turn".into(),
        StopReason::MaxTokens => "max-tokens".into(),
        StopReason::StopSequence => "stop-sequence".into(),
        StopReason::ToolUse => "tool-use".into(),
        StopReason::Refusal => "refusal".into(),
        StopReason::Other(words) => portcullis::printable(words),
    }
}
