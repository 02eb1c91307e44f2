//! A hook that performs the user's actions on its state, and answers with the result:
//!
//! - `remember`: adds one to its own count; `set VALUE`, `get`: its own value;
//! - `spend N LIMIT`: adds to the shared sum, and refuses if the new sum exceeds the limit;
//! - `add N`, `sum`: the shared sum; `put VALUE`, `read`: a shared value; `keys`: the shared keys;
//! - `take NAME`: sets a shared key that has no value to a name, and says whether it did.
//!
//! `then-panic`, `then-reject`, `then-loop` as the last word: the action afterwards.

use portcullis_sdk::prelude::*;

const SHARED: shared::Namespace<'_> = shared::namespace("sums");

/// The spender.
pub struct Spender;

#[hook(
    id = "spender",
    description = "Does with its state what the user names.",
    kind = "test"
)]
impl Spender {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let said = content::text();
        let mut words: Vec<&str> = said.split_whitespace().collect();
        let then = words.pop_if(|word| word.starts_with("then-"));
        let Some(text) = act(&words)? else {
            return Ok(call.reject("spent", "the sum is over its limit"));
        };
        match then {
            Some("then-panic") => panic!("told to"),
            Some("then-reject") => Ok(call.reject("told", "told to")),
            Some("then-loop") => loop {
                std::hint::spin_loop();
            },
            _ => Ok(call.transform_text(text)),
        }
    }
}

fn act(words: &[&str]) -> HookResult<Option<String>> {
    let number = |text: &str| text.parse::<i64>();
    Ok(Some(match words {
        ["remember"] => state::increment("calls", 1)?.to_string(),
        ["set", value] => {
            state::set("value", value)?;
            "set".to_owned()
        }
        ["get"] => state::get::<String>("value")?.unwrap_or_default(),
        ["spend", cost, limit] => match SHARED.increment("sum", number(cost)?)? {
            sum if sum > number(limit)? => {
                SHARED.increment("sum", -number(cost)?)?;
                return Ok(None);
            }
            sum => sum.to_string(),
        },
        ["add", amount] => SHARED.increment("sum", number(amount)?)?.to_string(),
        ["sum"] => SHARED.get::<i64>("sum")?.unwrap_or(0).to_string(),
        ["put", value] => {
            SHARED.set("value", value)?;
            "put".to_owned()
        }
        ["read"] => SHARED.get::<String>("value")?.unwrap_or_default(),
        ["take", name] => SHARED
            .compare_and_swap("owner", None, Some(name))?
            .to_string(),
        ["keys"] => SHARED.keys()?.join(" "),
        _ => "nothing".to_owned(),
    }))
}
