//! Deciding an event in this process.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use portcullis::LoadOptions;
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_dialects::{Answer, Event, answer_in_session, failure};
use tokio::runtime::Builder;

use super::HookArgs;
use crate::store::open_or_make;

/// How long detached runs may take once the event is decided.
const DRAIN: Duration = Duration::from_secs(10);

/// Decides the event, until then.
pub fn event(event: &Event, args: &HookArgs, until: Instant) -> Answer {
    decided(event, args, until)
        .unwrap_or_else(|error| failure(event.dialect(), Some(event), &described(&error)))
}

/// The error with its causes, but for those that it quotes already.
fn described(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

fn decided(event: &Event, args: &HookArgs, until: Instant) -> anyhow::Result<Answer> {
    let store = match args.hooks.no_store {
        true => None,
        false => Some(open_or_make(&args.hooks.store).context("the store does not open")?),
    };
    let load = LoadOptions {
        cache: args.hooks.cache.choice(),
        compiler: crate::compiler::child(),
        ..LoadOptions::default()
    };
    let options = BridgeOptions {
        store,
        ..BridgeOptions::default()
    };
    let dir = &args.hooks.hooks.hooks;
    let bridge = Bridge::load(dir, load, options)
        .with_context(|| format!("the hooks in {} do not load", dir.display()))?;
    // One event needs no other threads.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let deciding = async {
        let answered = answer_in_session(event, &bridge).await?;
        // What hooks remember must be kept before the agent continues: a budget that is not kept is none.
        let left = bridge.close(DRAIN).await?;
        if left > 0 {
            tracing::warn!("{left} background runs did not end within {DRAIN:?}, and are lost");
        }
        anyhow::Ok(answered)
    };
    // What is dropped then ends, such as the command of a script hook.
    let within = tokio::time::Instant::from_std(until);
    let decided = runtime.block_on(async { tokio::time::timeout_at(within, deciding).await });
    let answered = decided.map_err(|_| anyhow::Error::msg(super::too_late(args.deadline)))??;
    if args.verbose {
        super::say(&answered.calls, "in this process");
    }
    Ok(answered.answer)
}
