//! A hook that misbehaves at random. Its behaviour depends on the session, the turn, the point and
//! the hook's own id, so that a test can predict it.

use portcullis_sdk::prelude::*;

/// The hook's id; renaming the component renames this too.
const ID: &str = "moody";

/// The hook's behaviour in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// It continues.
    Good,
    /// It refuses.
    Refuse,
    /// It reports a failure.
    Fail,
    /// It traps.
    Trap,
    /// It computes forever.
    Spin,
    /// It takes memory forever.
    Hoard,
    /// It answers with more than is permitted.
    Flood,
}

impl Mood {
    /// Returns the mood of a hook in a call: one in five is bad.
    pub fn of(hook: &str, session: &str, turn: u32, point: &str) -> Self {
        match dice(&[hook, session, &turn.to_string(), point]) % 1_000 {
            0..40 => Self::Refuse,
            40..80 => Self::Fail,
            80..120 => Self::Trap,
            // Expensive: it uses its whole time limit.
            120..123 => Self::Spin,
            123..163 => Self::Hoard,
            163..200 => Self::Flood,
            _ => Self::Good,
        }
    }
}

/// FNV-1a, with the bits mixed.
fn dice(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

/// The moody hook.
pub struct Moody;

#[hook(id = "moody", description = "Misbehaves at random.", kind = "test")]
impl Moody {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        Ok(match act("pre-turn")? {
            Act::Continue => call.proceed(),
            Act::Refuse => call.reject("mood", NOT_NOW),
            Act::Change(text) => call.transform_text(text),
        })
    }

    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        Ok(match act("pre-tool-call")? {
            Act::Continue => call.proceed(),
            Act::Refuse => call.reject("mood", NOT_NOW),
            Act::Change(text) => call.transform(text),
        })
    }

    fn post_turn(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        Ok(match act("post-turn")? {
            Act::Continue => call.proceed(),
            Act::Refuse => call.reject("mood", NOT_NOW),
            Act::Change(text) => call.transform_text(text),
        })
    }
}

const NOT_NOW: &str = "not in the mood";

enum Act {
    Continue,
    Refuse,
    Change(String),
}

fn act(point: &str) -> HookResult<Act> {
    let id = std::hint::black_box(ID);
    match Mood::of(id, &context::session_id(), context::turn(), point) {
        Mood::Good => Ok(Act::Continue),
        Mood::Refuse => Ok(Act::Refuse),
        Mood::Fail => Err(Error::failed(NOT_NOW)),
        Mood::Trap => panic!("{NOT_NOW}"),
        Mood::Spin => loop {
            std::hint::spin_loop();
        },
        Mood::Hoard => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(std::hint::black_box(Vec::with_capacity(1 << 20)));
            }
        }
        Mood::Flood => Ok(Act::Change("x".repeat(100_000))),
    }
}
