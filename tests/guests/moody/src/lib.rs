//! A hook that misbehaves by chance. The dice are thrown by session, turn, point and the hook's own id,
//! so that whoever knows these knows what it will do.

use portcullis_sdk::prelude::*;

/// Its id; where the component is renamed, this is too.
const ID: &str = "moody";

/// What it does in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// It continues.
    Good,
    /// It refuses.
    Refuse,
    /// It says that it failed.
    Fail,
    /// It traps.
    Trap,
    /// It computes for ever.
    Spin,
    /// It takes memory for ever.
    Hoard,
    /// It answers more than may cross the boundary.
    Flood,
}

impl Mood {
    /// The mood of a hook in a call: one in five is bad.
    pub fn of(hook: &str, session: &str, turn: u32, point: &str) -> Self {
        match dice(&[hook, session, &turn.to_string(), point]) % 1_000 {
            0..40 => Self::Refuse,
            40..80 => Self::Fail,
            80..120 => Self::Trap,
            // Dear: it takes all the time there is.
            120..123 => Self::Spin,
            123..163 => Self::Hoard,
            163..200 => Self::Flood,
            _ => Self::Good,
        }
    }
}

/// FNV-1a, and its bits stirred.
fn dice(words: &[&str]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

/// It has moods.
pub struct Moody;

#[hook(
    id = "moody",
    description = "Misbehaves by chance.",
    kind = "test",
    role = transform
)]
impl Moody {
    fn pre_turn(context: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        Ok(match act(&context, "pre-turn")? {
            Act::Continue => pre_turn::Outcome::Continue,
            Act::Refuse(reason) => pre_turn::Outcome::reject("mood", reason),
            Act::Change(text) => pre_turn::Outcome::Transform(vec![ContentPart::text(text)]),
        })
    }

    fn pre_tool_call(
        context: Context,
        _: pre_tool_call::ToolRequest,
    ) -> HookResult<pre_tool_call::Outcome> {
        Ok(match act(&context, "pre-tool-call")? {
            Act::Continue => pre_tool_call::Outcome::Continue,
            Act::Refuse(reason) => pre_tool_call::Outcome::reject("mood", reason),
            Act::Change(text) => pre_tool_call::Outcome::Transform(text),
        })
    }

    fn post_turn(context: Context, _: post_turn::TurnOutput) -> HookResult<post_turn::Outcome> {
        Ok(match act(&context, "post-turn")? {
            Act::Continue => post_turn::Outcome::Continue,
            Act::Refuse(reason) => post_turn::Outcome::reject("mood", reason),
            Act::Change(text) => post_turn::Outcome::Transform(vec![ContentPart::text(text)]),
        })
    }
}

enum Act {
    Continue,
    Refuse(&'static str),
    Change(String),
}

fn act(context: &Context, point: &str) -> HookResult<Act> {
    let id = std::hint::black_box(ID);
    match Mood::of(id, &context.session_id, context.turn, point) {
        Mood::Good => Ok(Act::Continue),
        Mood::Refuse => Ok(Act::Refuse("not in the mood")),
        Mood::Fail => Err(Error::failed("not in the mood")),
        Mood::Trap => panic!("not in the mood"),
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
