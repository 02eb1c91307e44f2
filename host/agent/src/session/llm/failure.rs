//! What is done about a failed attempt: what an `llm-error` hook wants, or else what the
//! configuration says.

use std::time::Duration;

use portcullis::points::LlmError;
use portcullis::points::llm_error::{LlmFailure, RetryDecision};
use portcullis::{Decision, HookId};

use super::Target;
use super::retry::{self, OwnDecision};
use crate::error::TurnError;
use crate::events::{AgentEvent, RetryAction};
use crate::provider::ProviderError;
use crate::session::running::Running;
use crate::session::turn::millis;

/// What to do after a failed attempt.
pub(super) enum Next {
    Again(Target),
    GiveUp(String),
}

impl Running {
    /// What to do after a failed attempt: what a hook wants, or else what the configuration says.
    /// Waits as long as it takes.
    pub(super) async fn after_failure(
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
            Decision::Pending(pending) => match pending.first.ask {},
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
