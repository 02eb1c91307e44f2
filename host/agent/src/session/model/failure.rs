//! The retry of a failed attempt: an `llm-error` hook decides, or else the configuration.

use std::time::Duration;

use portcullis::points::LlmError;
use portcullis::points::llm_error::{LlmFailure, RetryDecision};
use portcullis::{Decision, HookId};

use super::Target;
use super::retry::{self, OwnDecision};
use crate::basics::units::{millis, millis_u32, now_ms};
use crate::events::{AgentEvent, RetryAction};
use crate::exchange::TurnError;
use crate::provider::ProviderError;
use crate::session::state::SessionState;

/// The next action after a failed attempt.
pub(super) enum Next {
    Again(Target),
    GiveUp(String),
}

/// Decides on the next action after a failed attempt, and waits before another attempt.
pub(super) async fn handle(
    session: &SessionState,
    failed: &Target,
    target: &Target,
    attempt: u32,
    own_retries: &mut u32,
    error: &ProviderError,
) -> Result<Next, TurnError> {
    let by_hook = ask_llm_error(session, failed, attempt, error).await?;
    let config = &session.shared.context.config.retry;
    let (by, action) = match by_hook {
        Some((by, decision)) => {
            let action = follow(session, &by, decision, target);
            (Some(by), action)
        }
        None => match retry::decide(error, *own_retries, config, random(session).await) {
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
            reason: format!("the limit of {most} attempts is reached (`max-attempts`)"),
        },
        action => action,
    };
    session.emit(|| AgentEvent::Retry {
        action: action.clone(),
        by: by.as_ref().map(ToString::to_string),
    });
    Ok(match action {
        RetryAction::Retry { delay_ms } => {
            wait(session, delay_ms).await;
            Next::Again(target.clone())
        }
        RetryAction::SwitchProvider { provider, model } => Next::Again(Target { provider, model }),
        RetryAction::GiveUp { reason } => Next::GiveUp(reason),
    })
}

/// Returns a random number from 0 to 1.
async fn random(session: &SessionState) -> f64 {
    let drawing = async { retry::random() };
    session.effect(|| "random".into(), drawing).await
}

/// Waits. Time during which the turn was not running counts.
async fn wait(session: &SessionState, delay_ms: u64) {
    let ends = async { now_ms().saturating_add(delay_ms) };
    let ends_ms = session.effect(|| "wait".into(), ends).await;
    // Not longer than the delay, even if the clock was set back.
    let left = ends_ms.saturating_sub(now_ms()).min(delay_ms);
    tokio::time::sleep(Duration::from_millis(left)).await;
}

/// Runs the `llm-error` hooks.
async fn ask_llm_error(
    session: &SessionState,
    failed: &Target,
    attempt: u32,
    error: &ProviderError,
) -> Result<Option<(HookId, RetryDecision)>, TurnError> {
    if !session.hooks.serves::<LlmError>() {
        return Ok(None);
    }
    let failure = LlmFailure {
        provider: failed.provider.clone(),
        model: failed.model.clone(),
        attempt,
        kind: error.kind,
        status: error.status,
        message: error.message.clone(),
        retry_after_ms: error.retry_after.map(millis_u32),
        providers: session
            .shared
            .context
            .providers
            .names()
            .map(str::to_owned)
            .collect(),
    };
    match session.ask::<LlmError>(failure, |_| {}).await.decision {
        Decision::Passed => Ok(None),
        Decision::Answered { by, answer } => Ok(Some((by, answer))),
        Decision::Failed(failed) => Err(failed.into()),
    }
}

/// Returns the action that a hook's decision asks for.
fn follow(
    session: &SessionState,
    by: &HookId,
    decision: RetryDecision,
    target: &Target,
) -> RetryAction {
    let longest = session.shared.context.config.retry.max_delay_ms;
    match decision {
        RetryDecision::Retry(delay_ms) => RetryAction::Retry {
            delay_ms: u64::from(delay_ms).min(longest),
        },
        RetryDecision::SwitchProvider(choice) => {
            match session.shared.context.providers.get(&choice.provider) {
                Some(provider) => RetryAction::SwitchProvider {
                    model: match choice.model {
                        Some(model) => model,
                        // The configured model is the first provider's.
                        None if choice.provider == session.shared.provider => {
                            session.shared.model.clone()
                        }
                        None => provider.default_model().to_owned(),
                    },
                    provider: choice.provider,
                },
                None => RetryAction::GiveUp {
                    reason: format!(
                        "hook `{by}` asks for the provider `{}`, which does not exist; the current one \
                         is `{}`",
                        portcullis::text::sanitize_for_terminal(&choice.provider),
                        target.provider
                    ),
                },
            }
        }
        RetryDecision::GiveUp => RetryAction::GiveUp {
            reason: format!("hook `{by}` decided to give up"),
        },
    }
}
