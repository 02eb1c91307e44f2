//! The points around a model call.

use portcullis_sdk::points::{llm_delta, llm_error, post_llm_call, pre_llm_call};
use portcullis_sdk::prelude::*;

use crate::deed::{Deed, parts, refusal, signal};

pub fn pre() -> HookResult<pre_llm_call::Outcome> {
    use pre_llm_call::{LlmCallEdit, LlmResponse, Outcome};
    let deed = Deed::at("pre-llm-call")?;
    let edit = |text: String| LlmCallEdit {
        model: None,
        temperature: None,
        max_output_tokens: None,
        tools: None,
        messages: vec![MessageEdit::Insert((
            conversation::len(),
            Message::user(text),
        ))],
    };
    Ok(match (deed.text(String::new)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (Some(text), Deed::Replace(_)) => Outcome::Replace(edit(text)),
        (Some(text), Deed::Answer(_)) => Outcome::Answer(LlmResponse {
            content: parts(text),
            stop: StopReason::EndTurn,
            usage: Usage {
                input_tokens: 0,
                output_tokens: 0,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
        }),
        (Some(text), _) => Outcome::Transform(edit(text)),
        (None, _) => Outcome::Continue,
    })
}

pub fn delta() -> HookResult<llm_delta::Outcome> {
    use llm_delta::Outcome;
    let deed = Deed::at("llm-delta")?;
    Ok(match (deed.text(content::text)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (_, Deed::Stop(code)) => Outcome::Stop(signal(code)),
        (Some(text), _) => Outcome::Transform(text),
        (None, _) => Outcome::Continue,
    })
}

pub fn post() -> HookResult<post_llm_call::Outcome> {
    use post_llm_call::Outcome;
    let deed = Deed::at("post-llm-call")?;
    Ok(match (deed.text(content::text)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (Some(text), Deed::Replace(_)) => Outcome::Replace(parts(text)),
        (Some(text), _) => Outcome::Transform(parts(text)),
        (None, _) => Outcome::Continue,
    })
}

pub fn error(input: llm_error::LlmFailure) -> HookResult<llm_error::Outcome> {
    use llm_error::{Outcome, ProviderChoice, RetryDecision};
    let deed = Deed::at("llm-error")?;
    deed.tell()?;
    Ok(match deed {
        Deed::Replace(what) => Outcome::Replace(match what.as_str() {
            "give-up" => RetryDecision::GiveUp,
            "retry" => RetryDecision::Retry(1),
            _ => RetryDecision::SwitchProvider(ProviderChoice {
                provider: input.providers.last().cloned().unwrap_or_default(),
                model: None,
            }),
        }),
        _ => Outcome::Continue,
    })
}
