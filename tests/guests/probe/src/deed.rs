//! What the probe can be told to do.

use std::collections::BTreeMap;

use portcullis_sdk::prelude::*;

use crate::gift::{self, Gift};
use crate::{excess, look};

/// What the probe does at a point.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    Continue,
    Reject,
    /// `transform TEXT`: that text in place of the value.
    Transform(String),
    /// `append TEXT`: the text in hand with that text behind it.
    Append(String),
    Replace(String),
    Answer(String),
    Ask,
    /// `stop CODE`: ends the turn.
    Stop(String),
    /// `keep-going TEXT`: says that to the model.
    KeepGoing(String),
    /// `contribute KIND …`, and more behind `; `: see the module `gift`.
    Contribute(String),
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
    /// `calls N`: calls an import that often.
    Calls(String),
    /// `lines N`: logs that many lines.
    Lines(String),
    /// `emit N`: emits that many events.
    Emit(String),
    /// `handles N`: takes that many resource handles, and holds them.
    Handles(String),
    /// `take N`: takes that many bytes of memory at once.
    Take(String),
    /// Says what was stashed before, and stashes the text in hand in its memory.
    Stash,
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
    /// What the configuration says for a point.
    pub fn at(point: &str) -> HookResult<Self> {
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
            "stop" => Self::Stop(rest),
            "keep-going" => Self::KeepGoing(rest),
            "contribute" => Self::Contribute(rest),
            "spin" => Self::Spin,
            "panic" => Self::Panic,
            "fail" => Self::Fail(rest),
            "hoard" => Self::Hoard,
            "recurse" => Self::Recurse,
            "exit" => Self::Exit,
            "flood" => Self::Flood,
            "calls" => Self::Calls(rest),
            "lines" => Self::Lines(rest),
            "emit" => Self::Emit(rest),
            "handles" => Self::Handles(rest),
            "take" => Self::Take(rest),
            "stash" => Self::Stash,
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
    pub fn text(&self, now: impl FnOnce() -> String) -> HookResult<Option<String>> {
        Ok(match self {
            Self::Transform(text) | Self::Replace(text) | Self::Answer(text) => Some(text.clone()),
            Self::Append(text) => Some(now() + text),
            Self::Spin => excess::spin(),
            Self::Panic => panic!("told to"),
            Self::Fail(text) => return Err(Error::failed(text)),
            Self::Hoard => excess::hoard(),
            Self::Recurse => Some(excess::recurse(1).to_string()),
            Self::Exit => std::process::exit(3),
            Self::Flood => {
                excess::flood();
                None
            }
            Self::Calls(times) => {
                excess::call(times.parse()?);
                None
            }
            Self::Lines(times) => {
                excess::log(times.parse()?);
                None
            }
            Self::Emit(times) => {
                excess::emit(times.parse()?)?;
                None
            }
            Self::Handles(times) => {
                excess::handles(times.parse()?);
                None
            }
            Self::Take(bytes) => {
                std::hint::black_box(vec![1_u8; bytes.parse()?]);
                None
            }
            Self::Stash => Some(stash(now())),
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
            Self::Look => Some(look::look()),
            Self::Continue
            | Self::Reject
            | Self::Ask
            | Self::Stop(_)
            | Self::KeepGoing(_)
            | Self::Contribute(_) => None,
        })
    }

    /// Does what can be done anywhere. Where there is no value to put a text into, it is logged.
    pub fn tell(&self) -> HookResult<()> {
        if let Some(text) = self.text(content::text)? {
            info!("{text}");
        }
        Ok(())
    }

    /// What it contributes, if that is what it does.
    pub fn gifts<C: Gift>(&self) -> HookResult<Option<Vec<C>>> {
        match self {
            Self::Contribute(said) => gift::all(said).map(Some),
            deed => deed.tell().map(|()| None),
        }
    }
}

fn stash(text: String) -> String {
    use std::sync::Mutex;
    static STASHED: Mutex<String> = Mutex::new(String::new());
    match STASHED.lock() {
        Ok(mut stashed) => std::mem::replace(&mut stashed, text),
        Err(_) => String::new(),
    }
}

fn count() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    CALLS.fetch_add(1, Ordering::Relaxed) + 1
}

/// The stop signal of that code.
pub fn signal(code: String) -> StopSignal {
    StopSignal {
        kind: StopKind::Other(code),
        message: "the probe was told to stop".into(),
    }
}

/// The probe's refusal.
pub fn refusal() -> Rejection {
    Rejection::new("probe", "the probe was told to refuse")
}

/// A text as content.
pub fn parts(text: String) -> Vec<ContentPart> {
    vec![ContentPart::text(text)]
}
