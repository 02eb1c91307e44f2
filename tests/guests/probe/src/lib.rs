//! A hook that does as its configuration says, at every point it serves:
//!
//! ```toml
//! [hooks.probe.config]
//! pre-turn = "reject"
//! post-turn = "transform changed"
//! ```
//!
//! A point that is not named continues. What it can be told is in the enum `Deed`.

use std::collections::BTreeMap;

use portcullis_sdk::prelude::*;

/// What the probe does at a point.
#[derive(Debug, Clone, PartialEq)]
enum Deed {
    Continue,
    Reject,
    /// `transform TEXT`: that text in place of the value.
    Transform(String),
    /// `append TEXT`: the text in hand with that text behind it.
    Append(String),
    Replace(String),
    Answer(String),
    Ask,
    /// Computes for ever.
    Spin,
    /// Traps.
    Panic,
    /// Reports a failure.
    Fail(String),
    /// Takes memory for ever.
    Hoard,
    /// Calls itself for ever.
    Recurse,
    /// Leaves the process.
    Exit,
    /// Logs for ever, or nearly.
    Flood,
    /// Gives back more than may cross the boundary.
    Huge,
    /// Counts its calls in its memory and says the count.
    Count,
    /// Counts its calls in its state and says the count.
    Remember,
    /// Counts in its state and then traps.
    RememberAndPanic,
    /// Emits an event and then traps.
    EmitAndPanic,
    /// Says what it can see of the call.
    Look,
}

impl Deed {
    fn at(point: &str) -> HookResult<Self> {
        let config: BTreeMap<String, String> = config()?;
        let said = config.get(point).map_or("continue", String::as_str);
        let (deed, rest) = said.split_once(' ').unwrap_or((said, ""));
        let rest = rest.to_owned();
        Ok(match deed {
            "continue" => Self::Continue,
            "reject" => Self::Reject,
            "transform" => Self::Transform(rest),
            "append" => Self::Append(rest),
            "replace" => Self::Replace(rest),
            "answer" => Self::Answer(rest),
            "ask" => Self::Ask,
            "spin" => Self::Spin,
            "panic" => Self::Panic,
            "fail" => Self::Fail(rest),
            "hoard" => Self::Hoard,
            "recurse" => Self::Recurse,
            "exit" => Self::Exit,
            "flood" => Self::Flood,
            "huge" => Self::Huge,
            "count" => Self::Count,
            "remember" => Self::Remember,
            "remember-and-panic" => Self::RememberAndPanic,
            "emit-and-panic" => Self::EmitAndPanic,
            "look" => Self::Look,
            other => return Err(Error::bad_config(format!("no deed `{other}`"))),
        })
    }

    /// Does what can be done anywhere; gives the text that a value is to become, if any.
    fn text(&self, now: impl FnOnce() -> String) -> HookResult<Option<String>> {
        Ok(match self {
            Self::Transform(text) | Self::Replace(text) | Self::Answer(text) => Some(text.clone()),
            Self::Append(text) => Some(now() + text),
            Self::Spin => spin(),
            Self::Panic => panic!("told to"),
            Self::Fail(text) => return Err(Error::failed(text)),
            Self::Hoard => hoard(),
            Self::Recurse => Some(recurse(1).to_string()),
            Self::Exit => std::process::exit(3),
            Self::Flood => {
                for _ in 0..1_000 {
                    info!("{}", "flood ".repeat(1_000));
                }
                None
            }
            Self::Huge => Some("x".repeat(8 << 20)),
            Self::Count => Some(count().to_string()),
            Self::Remember => Some(state::increment("calls", 1)?.to_string()),
            Self::RememberAndPanic => {
                state::set("written", &true)?;
                state::increment("calls", 1)?;
                panic!("told to")
            }
            Self::EmitAndPanic => {
                events::emit("never", &"seen")?;
                panic!("told to")
            }
            Self::Look => Some(look()),
            Self::Continue | Self::Reject | Self::Ask => None,
        })
    }
}

fn spin() -> ! {
    loop {
        std::hint::black_box(());
    }
}

fn hoard() -> ! {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; 1 << 20]);
        std::hint::black_box(&all);
    }
}

#[expect(unconditional_recursion, reason = "told to")]
fn recurse(depth: u64) -> u64 {
    std::hint::black_box([depth; 64]);
    1 + recurse(depth + 1)
}

fn count() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    CALLS.fetch_add(1, Ordering::Relaxed) + 1
}

fn look() -> String {
    let decided = verdict::current().map(|verdict| format!("{:?}", verdict.decision));
    format!(
        "content={:?} messages={} arguments={:?} output={:?} tools={:?} user={:?} verdict={decided:?}",
        content::text(),
        conversation::len(),
        tool_data::arguments_json(),
        tool_data::output(),
        tool_catalog::names(),
        session::user(),
    )
}

fn refusal() -> Rejection {
    Rejection::new("probe", "the probe was told to refuse")
}

fn parts(text: String) -> Vec<ContentPart> {
    vec![ContentPart::text(text)]
}

/// The probe.
pub struct Probe;

#[hook(
    id = "probe",
    description = "Does as its configuration says.",
    kind = "test",
    role = transform
)]
impl Probe {
    fn pre_turn(_: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        use pre_turn::Outcome;
        let deed = Deed::at("pre-turn")?;
        Ok(match (deed.text(content::text)?, deed) {
            (_, Deed::Reject) => Outcome::Reject(refusal()),
            (Some(text), Deed::Replace(_)) => Outcome::Replace(parts(text)),
            (Some(text), Deed::Answer(_)) => Outcome::Answer(parts(text)),
            (Some(text), _) => Outcome::Transform(parts(text)),
            (None, _) => Outcome::Continue,
        })
    }

    fn post_turn(_: Context, _: post_turn::TurnOutput) -> HookResult<post_turn::Outcome> {
        use post_turn::Outcome;
        let deed = Deed::at("post-turn")?;
        Ok(match (deed.text(content::text)?, deed) {
            (_, Deed::Reject) => Outcome::Reject(refusal()),
            (Some(text), Deed::Replace(_)) => Outcome::Replace(parts(text)),
            (Some(text), _) => Outcome::Transform(parts(text)),
            (None, _) => Outcome::Continue,
        })
    }

    fn turn_error(_: Context, _: turn_error::Failure) -> HookResult<turn_error::Outcome> {
        let deed = Deed::at("turn-error")?;
        Ok(match deed.text(String::new)? {
            Some(text) => turn_error::Outcome::Replace(parts(text)),
            None => turn_error::Outcome::Continue,
        })
    }

    fn pre_llm_call(_: Context, _: pre_llm_call::LlmCall) -> HookResult<pre_llm_call::Outcome> {
        use pre_llm_call::{LlmCallEdit, LlmResponse, MessageEdit, Outcome};
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

    fn post_llm_call(
        _: Context,
        _: post_llm_call::LlmResult,
    ) -> HookResult<post_llm_call::Outcome> {
        use post_llm_call::Outcome;
        let deed = Deed::at("post-llm-call")?;
        Ok(match (deed.text(content::text)?, deed) {
            (_, Deed::Reject) => Outcome::Reject(refusal()),
            (Some(text), Deed::Replace(_)) => Outcome::Replace(parts(text)),
            (Some(text), _) => Outcome::Transform(parts(text)),
            (None, _) => Outcome::Continue,
        })
    }

    fn llm_error(_: Context, input: llm_error::LlmFailure) -> HookResult<llm_error::Outcome> {
        use llm_error::{Outcome, ProviderChoice, RetryDecision};
        let deed = Deed::at("llm-error")?;
        let _ = deed.text(String::new)?;
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

    fn pre_tool_call(
        _: Context,
        _: pre_tool_call::ToolRequest,
    ) -> HookResult<pre_tool_call::Outcome> {
        use pre_tool_call::{Outcome, ToolAnswer};
        let deed = Deed::at("pre-tool-call")?;
        Ok(match (deed.text(String::new)?, deed) {
            (_, Deed::Reject) => Outcome::Reject(refusal()),
            (_, Deed::Ask) => Outcome::Ask(AskRequest {
                question: "May it?".into(),
                details: None,
            }),
            (Some(text), Deed::Replace(_)) => Outcome::Replace(text),
            (Some(text), Deed::Answer(_)) => Outcome::Answer(ToolAnswer {
                content: text,
                is_error: false,
            }),
            (Some(text), _) => Outcome::Transform(text),
            (None, _) => Outcome::Continue,
        })
    }

    fn post_tool_call(
        _: Context,
        input: post_tool_call::ToolOutcome,
    ) -> HookResult<post_tool_call::Outcome> {
        use post_tool_call::{Outcome, ToolOutput};
        let deed = Deed::at("post-tool-call")?;
        let output = |content: String| ToolOutput {
            content,
            is_error: input.is_error,
        };
        let now = || tool_data::output().unwrap_or_default();
        Ok(match (deed.text(now)?, deed) {
            (_, Deed::Reject) => Outcome::Reject(refusal()),
            (Some(text), Deed::Replace(_)) => Outcome::Replace(output(text)),
            (Some(text), _) => Outcome::Transform(output(text)),
            (None, _) => Outcome::Continue,
        })
    }

    fn pre_compaction(
        _: Context,
        input: pre_compaction::TokenBudget,
    ) -> HookResult<pre_compaction::Outcome> {
        use pre_compaction::{CompactionHint, Outcome};
        let deed = Deed::at("pre-compaction")?;
        Ok(match (deed.text(String::new)?, deed) {
            (_, Deed::Reject) => Outcome::Reject(refusal()),
            (Some(text), _) => Outcome::Transform(CompactionHint {
                keep: if text == "all" {
                    (0..input.messages).collect()
                } else {
                    vec![input.messages]
                },
                instructions: Some(text),
            }),
            (None, _) => Outcome::Continue,
        })
    }

    fn session_start(
        _: Context,
        _: session_start::SessionInfo,
    ) -> HookResult<session_start::Outcome> {
        let deed = Deed::at("session-start")?;
        let _ = deed.text(String::new)?;
        Ok(match deed {
            Deed::Reject => session_start::Outcome::Reject(refusal()),
            _ => session_start::Outcome::Continue,
        })
    }

    fn session_end(_: Context, _: session_end::SessionSummary) -> HookResult<session_end::Outcome> {
        let _ = Deed::at("session-end")?.text(String::new)?;
        Ok(session_end::Outcome::Continue)
    }

    fn post_compaction(
        _: Context,
        _: post_compaction::CompactionResult,
    ) -> HookResult<post_compaction::Outcome> {
        let _ = Deed::at("post-compaction")?.text(content::text)?;
        Ok(post_compaction::Outcome::Continue)
    }
}
