//! The actions of the probe.
//!
//! | action | what it does |
//! | --- | --- |
//! | `continue` | continues |
//! | `reject TEXT`, `ask TEXT` | refuses with this reason; asks a person this question |
//! | `transform TEXT`, `replace TEXT`, `answer TEXT` | answers with the text |
//! | `append TEXT` | answers with the current text followed by this one |
//! | `stop CODE`, `stop-saying TEXT`, `keep-going TEXT` | ends the turn with this code or message; continues the turn |
//! | `contribute KIND …; …` | see the module `contribution` |
//! | `fail TEXT`, `panic`, `exit` | reports a failure; traps; leaves the process |
//! | `spin`, `recurse`, `hoard`, `take N` | computes, recurses, allocates memory forever; allocates N bytes |
//! | `print TEXT` | writes the text to its standard output and its standard error |
//! | `flood`, `lines N`, `emit N` | logs nearly forever; logs N lines; emits N events |
//! | `calls N`, `handles N` | calls an import N times; holds N resource handles |
//! | `huge` | answers with more than is permitted |
//! | `stash` | keeps the current text in memory and answers with the one kept before |
//! | `count`, `remember` | counts its calls, in its memory or its state, and answers with the count |
//! | `remember-and-panic`, `emit-and-panic` | counts in its state, or emits an event, and traps |
//! | `look` | answers with all that the views show |
//! | `now`, `random` | answers with the milliseconds since 1970; with a random number |
//!
//! At a point without a text as an answer, the text is logged.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis_sdk::prelude::*;
use serde_json::{Value, json};

use crate::{contribution, excess, look};

/// Returns the outcome for this call, in the contract's JSON form.
pub fn outcome(
    point: &str,
    facts: impl FnOnce() -> serde_json::Result<Value>,
) -> HookResult<Option<Value>> {
    let config: BTreeMap<String, String> = config()?;
    let Some(said) = config.get(&point.replace('_', "-")) else {
        return Ok(None);
    };
    let (action, rest) = said.split_once(' ').unwrap_or((said, ""));
    let text = match action {
        "continue" => return Ok(None),
        "reject" => {
            let reason = match rest {
                "" => "the probe was told to refuse",
                reason => reason,
            };
            return Ok(Some(
                json!({ "reject": { "code": "probe", "reason": reason } }),
            ));
        }
        "ask" => {
            let question = match rest {
                "" => "May it?",
                question => question,
            };
            return Ok(Some(json!({ "ask": { "question": question } })));
        }
        "stop" | "stop-saying" => {
            let (kind, message) = match action {
                "stop" => (rest, "the probe was told to stop"),
                _ => ("probe", rest),
            };
            let kind = json!({ "other": kind });
            return Ok(Some(
                json!({ "stop": { "kind": kind, "message": message } }),
            ));
        }
        "keep-going" => return Ok(Some(json!({ "keep-going": rest }))),
        "contribute" => {
            return contribution::all(rest).map(|all| Some(json!({ "contribute": all })));
        }
        "transform" | "replace" | "answer" => rest.to_owned(),
        "append" => current(point) + rest,
        "fail" => return Err(Error::failed(rest)),
        "panic" => panic!("told to"),
        "exit" => std::process::exit(3),
        "print" => {
            println!("{rest}");
            eprintln!("{rest}");
            return Ok(None);
        }
        "spin" => excess::spin(),
        "recurse" => excess::recurse(1).to_string(),
        "hoard" => excess::hoard(),
        "take" => {
            std::hint::black_box(vec![1_u8; rest.parse()?]);
            return Ok(None);
        }
        "flood" => {
            excess::flood();
            return Ok(None);
        }
        "lines" => {
            excess::log(rest.parse()?);
            return Ok(None);
        }
        "emit" => {
            excess::emit(rest.parse()?)?;
            return Ok(None);
        }
        "calls" => {
            excess::call(rest.parse()?);
            return Ok(None);
        }
        "handles" => {
            excess::handles(rest.parse()?);
            return Ok(None);
        }
        "huge" => "x".repeat(8 << 20),
        "stash" => stash(current(point)),
        "count" => count().to_string(),
        "remember" => state::increment("calls", 1)?.to_string(),
        "remember-and-panic" => {
            state::set("written", &true)?;
            state::increment("calls", 1)?;
            panic!("told to")
        }
        "emit-and-panic" => {
            events::emit("never", &"seen")?;
            panic!("told to")
        }
        "look" => look::look(),
        "now" => SystemTime::now()
            .duration_since(UNIX_EPOCH)?
            .as_millis()
            .to_string(),
        "random" => RandomState::new().hash_one(0).to_string(),
        other => return Err(Error::bad_config(format!("no action `{other}`"))),
    };
    with_text(point, action, text, facts)
}

/// Returns the point's outcome that carries a text.
fn with_text(
    point: &str,
    action: &str,
    text: String,
    facts: impl FnOnce() -> serde_json::Result<Value>,
) -> HookResult<Option<Value>> {
    let value = match (point, action) {
        ("pre_turn" | "post_turn" | "post_llm_call", _) => parts(text),
        ("turn_error", _) => return Ok(Some(json!({ "replace": parts(text) }))),
        ("pre_llm_call", "answer") => {
            let usage = json!({
                "input-tokens": 0, "output-tokens": 0, "cache-read-tokens": 0, "cache-write-tokens": 0,
            });
            json!({ "content": parts(text), "stop": "end-turn", "usage": usage })
        }
        ("pre_llm_call", _) => json!({ "messages": appended(text) }),
        ("pre_step", _) => appended(text),
        ("pre_tool_call" | "pre_subagent", "answer") => {
            json!({ "content": text, "is-error": false })
        }
        ("pre_tool_call" | "pre_subagent" | "post_subagent" | "llm_delta", _) => text.into(),
        ("post_tool_call", _) => json!({ "content": text, "is-error": facts()?["is-error"] }),
        ("prompt_compile", "transform") => json!({ "system": text }),
        ("pre_compaction", _) => {
            // The messages end before `last`: it is not one of them.
            let last = facts()?["messages"].as_u64().unwrap_or_default();
            let keep: Vec<u64> = match text.as_str() {
                "all" => (0..last).collect(),
                _ => vec![last],
            };
            json!({ "keep": keep, "instructions": text })
        }
        ("llm_error", "replace") => {
            return Ok(Some(match text.as_str() {
                "give-up" => json!("give-up"),
                "retry" => json!({ "retry": 1 }),
                _ => json!({ "switch-provider": { "provider": last(&facts()?["providers"]) } }),
            }));
        }
        _ => {
            info!("{text}");
            return Ok(None);
        }
    };
    let case = match action {
        "replace" | "answer" => action,
        _ => "transform",
    };
    Ok(Some(object(case, value)))
}

/// Returns the current text at a point.
fn current(point: &str) -> String {
    match point {
        "post_tool_call" => tool_data::output().unwrap_or_default(),
        _ => content::text(),
    }
}

fn parts(text: String) -> Value {
    Value::Array(vec![object("text", text.into())])
}

/// Returns an object of one key. Unlike `json!` it copies nothing, however large the text is.
fn object(key: &str, value: Value) -> Value {
    Value::Object([(key.to_owned(), value)].into_iter().collect())
}

/// Returns edits that append a message of the user.
fn appended(text: String) -> Value {
    json!([{ "insert": [conversation::len(), { "role": "user", "content": parts(text) }] }])
}

fn last(list: &Value) -> &Value {
    list.as_array()
        .and_then(|list| list.last())
        .unwrap_or(&Value::Null)
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
