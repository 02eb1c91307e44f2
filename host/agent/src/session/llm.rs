//! A guarded model call: pre-llm-call → provider → post-llm-call, and llm-error where the provider
//! fails.
//!
//! All model calls go this way, those that write the summary of a compaction included. Every
//! attempt is a call of its own: it starts from the same messages and settings, and all hooks see
//! it. What `pre-llm-call` hooks change holds for the attempt only; the conversation stays as it
//! is. An answer of theirs stands in for the model's, so `post-llm-call` fires for it too.

use std::sync::Arc;
use std::time::{Duration, Instant};

use portcullis::contract::{ContentPart, Message, StopReason};
use portcullis::points::llm_error::{LlmFailure, ProviderErrorKind, RetryDecision};
use portcullis::points::post_llm_call::{LlmResult, tool_names};
use portcullis::points::pre_llm_call::LlmCall;
use portcullis::points::{LlmError, PointId, PostLlmCall, PreLlmCall, pre_turn};
use portcullis::{Decision, HookId, ToolCatalog};

use super::retry::{self, OwnDecision};
use super::running::{Running, count};
use super::turn::millis;
use crate::error::TurnError;
use crate::events::{AgentEvent, CallPurpose, RetryAction};
use crate::provider::{LlmRequest, LlmResponse, ProviderError};

/// What a model is to be asked.
pub(super) struct Asked {
    pub(super) messages: Arc<Vec<Message>>,
    pub(super) tools: Arc<ToolCatalog>,
    pub(super) max_output_tokens: Option<u32>,
    pub(super) estimated_tokens: u64,
    pub(super) purpose: CallPurpose,
}

/// What came of it, as the hooks left it.
pub(super) struct Got {
    pub(super) content: Vec<ContentPart>,
    pub(super) stop: StopReason,
    /// The tools that were offered. The model may ask for others; it does not get them.
    pub(super) offered: Arc<ToolCatalog>,
    /// The tokens of messages and response, where the provider counted them.
    pub(super) real_tokens: Option<u64>,
}

/// Whom to call.
#[derive(Debug, Clone)]
struct Target {
    provider: String,
    model: String,
}

/// How an attempt ends without a response.
enum Missed {
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

/// What to do after a failed attempt.
enum Next {
    Again(Target),
    GiveUp(String),
}

impl Running {
    /// Calls a model, with as many attempts as hooks and configuration want.
    pub(super) async fn call_model(&mut self, asked: Asked) -> Result<Got, TurnError> {
        let mut target = Target {
            provider: self.shared.provider.clone(),
            model: self.shared.model.clone(),
        };
        let mut attempt = 1;
        let mut own_retries = 0;
        loop {
            let (model, error) = match self.attempt(&asked, &target, attempt).await {
                Ok(got) => return Ok(got),
                Err(Missed::Turn(error)) => return Err(error),
                Err(Missed::Provider { model, error }) => (model, error),
            };
            let failed = Target {
                provider: target.provider.clone(),
                model,
            };
            match self
                .after_failure(&failed, &target, attempt, &mut own_retries, &error)
                .await?
            {
                Next::Again(next) => target = next,
                Next::GiveUp(gave_up) => {
                    return Err(TurnError::Provider {
                        provider: failed.provider,
                        model: failed.model,
                        attempts: attempt,
                        error,
                        gave_up,
                    });
                }
            }
            attempt += 1;
        }
    }

    async fn attempt(
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
            }
        }
        let started = Instant::now();
        let (answered_by, response) = match answered {
            Some((by, response)) => (Some(by), response),
            None => {
                let request = LlmRequest {
                    model: call.model.clone(),
                    messages,
                    tools: offered.clone(),
                    temperature: call.temperature,
                    max_output_tokens: call.max_output_tokens,
                };
                let response = self.call_provider(&call, request, asked.purpose).await?;
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
            real_tokens: counted.then(|| usage.input_tokens.saturating_add(usage.output_tokens)),
        })
    }

    async fn call_provider(
        &mut self,
        call: &LlmCall,
        request: LlmRequest,
        purpose: CallPurpose,
    ) -> Result<LlmResponse, Missed> {
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
        let mut deltas = self.deltas(purpose);
        let response = match provider {
            Some(provider) => {
                let calling = provider.complete(request, &mut deltas);
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
        response.map_err(|error| {
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
        })
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
        }
    }

    /// What to do after a failed attempt: what a hook wants, or else what the configuration says.
    /// Waits as long as it takes.
    async fn after_failure(
        &mut self,
        failed: &Target,
        target: &Target,
        attempt: u32,
        own_retries: &mut u32,
        error: &ProviderError,
    ) -> Result<Next, TurnError> {
        let by_hook = self.ask_about_failure(failed, attempt, error).await?;
        let config = &self.shared.context.config.retry;
        let (by, action) = match by_hook {
            Some((by, decision)) => {
                let action = self.follow(&by, decision, target);
                (Some(by), action)
            }
            None => match retry::decide(error, *own_retries, config, retry::random()) {
                OwnDecision::Retry(delay) => {
                    *own_retries += 1;
                    let delay_ms = millis(delay);
                    (None, RetryAction::Retry { delay_ms })
                }
                OwnDecision::GiveUp(reason) => {
                    let reason = reason.to_owned();
                    (None, RetryAction::GiveUp { reason })
                }
            },
        };
        let most = config.max_attempts.get();
        let action = match action {
            RetryAction::GiveUp { .. } => action,
            _ if attempt >= most => RetryAction::GiveUp {
                reason: format!("{most} attempts are the most (`max-attempts`)"),
            },
            action => action,
        };
        self.emit(|| AgentEvent::Retry {
            action: action.clone(),
            by: by.as_ref().map(ToString::to_string),
        });
        Ok(match action {
            RetryAction::Retry { delay_ms } => {
                tokio::time::sleep(Duration::from_millis(delay_ms)).await;
                Next::Again(target.clone())
            }
            RetryAction::SwitchProvider { provider, model } => {
                Next::Again(Target { provider, model })
            }
            RetryAction::GiveUp { reason } => Next::GiveUp(reason),
        })
    }

    async fn ask_about_failure(
        &mut self,
        failed: &Target,
        attempt: u32,
        error: &ProviderError,
    ) -> Result<Option<(HookId, RetryDecision)>, TurnError> {
        if !self.hooks.serves::<LlmError>() {
            return Ok(None);
        }
        let failure = LlmFailure {
            provider: failed.provider.clone(),
            model: failed.model.clone(),
            attempt,
            kind: error.kind,
            status: error.status,
            message: error.message.clone(),
            retry_after_ms: error
                .retry_after
                .map(|wait| u32::try_from(wait.as_millis()).unwrap_or(u32::MAX)),
            providers: self
                .shared
                .context
                .providers
                .names()
                .map(str::to_owned)
                .collect(),
        };
        let conversation = self.conversation.clone();
        let ran = self
            .ask::<LlmError>(failure, |views| views.conversation = conversation)
            .await;
        match ran.decision {
            Decision::Passed => Ok(None),
            Decision::Answered { by, answer } => Ok(Some((by, answer))),
            Decision::Failed(failed) => Err(failed.into()),
            Decision::Rejected { rejection, .. } => match rejection {},
            Decision::Stopped { stop, .. } => match stop {},
        }
    }

    /// What a hook's decision means here.
    fn follow(&self, by: &HookId, decision: RetryDecision, target: &Target) -> RetryAction {
        let longest = self.shared.context.config.retry.max_delay_ms;
        match decision {
            RetryDecision::Retry(delay_ms) => RetryAction::Retry {
                delay_ms: u64::from(delay_ms).min(longest),
            },
            RetryDecision::SwitchProvider(choice) => {
                match self.shared.context.providers.get(&choice.provider) {
                    Some(provider) => RetryAction::SwitchProvider {
                        model: match choice.model {
                            Some(model) => model,
                            // The configured model is the first provider's.
                            None if choice.provider == self.shared.provider => {
                                self.shared.model.clone()
                            }
                            None => provider.default_model().to_owned(),
                        },
                        provider: choice.provider,
                    },
                    None => RetryAction::GiveUp {
                        reason: format!(
                            "hook `{by}` wants the provider `{}`, and there is none of that name \
                             beside `{}`",
                            portcullis::printable(&choice.provider),
                            target.provider
                        ),
                    },
                }
            }
            RetryDecision::GiveUp => RetryAction::GiveUp {
                reason: format!("hook `{by}` gives up"),
            },
        }
    }
}

fn rejected(point: PointId, by: HookId, rejection: portcullis::contract::Rejection) -> Missed {
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
