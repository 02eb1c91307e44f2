//! Deciding an event in this process.

use std::time::Duration;

use anyhow::Context as _;
use portcullis::LoadOptions;
use portcullis_bridge::{Bridge, BridgeError, BridgeOptions, CallReply, CallRequest};
use portcullis_dialects::{Answer, Caller, Event, Progress, answer, failure};
use tokio::runtime::Builder;

use super::HookArgs;
use crate::store::open_or_make;

/// How long detached runs may take once the event is decided.
const DRAIN: Duration = Duration::from_secs(10);

/// Decides the event.
pub fn event(event: &Event, args: &HookArgs) -> Answer {
    decided(event, args)
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

fn decided(event: &Event, args: &HookArgs) -> anyhow::Result<Answer> {
    let store = match args.no_store {
        true => None,
        false => Some(open_or_make(&args.store).context("the store does not open")?),
    };
    let load = LoadOptions {
        cache: args.cache.choice(),
        compiler: crate::compiler::child(),
        ..LoadOptions::default()
    };
    let options = BridgeOptions {
        store,
        ..BridgeOptions::default()
    };
    let dir = &args.hooks.hooks;
    let bridge = Bridge::load(dir, load, options)
        .with_context(|| format!("the hooks in {} do not load", dir.display()))?;
    // One event needs no other threads.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let answer = in_session(event, &Watched(&bridge, args.verbose)).await?;
        // What hooks remember must be kept before the agent continues: a budget that is not kept is none.
        let left = bridge.close(DRAIN).await?;
        if left > 0 {
            tracing::warn!("{left} background runs did not end within {DRAIN:?}, and are lost");
        }
        Ok(answer)
    })
}

async fn in_session(event: &Event, bridge: &Watched<'_>) -> anyhow::Result<Answer> {
    let (session, agent) = (event.session(), event.dialect().agent_id());
    let memo = bridge.0.memo(session, agent).await?;
    let before = Progress::read(memo).context("what is remembered of the session is damaged")?;
    let mut progress = before.clone();
    let answer = answer(event, &mut progress, bridge).await;
    if progress != before {
        bridge
            .0
            .set_memo(session, agent, progress.to_json())
            .await?;
    }
    Ok(answer)
}

/// The bridge, with a line on the standard error for each call if it is asked for.
struct Watched<'a>(&'a Bridge, bool);

impl Caller for Watched<'_> {
    type Error = BridgeError;

    async fn call(&self, request: CallRequest) -> Result<CallReply, BridgeError> {
        let point = self.1.then(|| request.point.clone());
        let reply = self.0.call(request).await?;
        if let Some(point) = point {
            let hooks: Vec<&str> = reply.runs.iter().map(|run| run.hook.as_str()).collect();
            let line = format!(
                "{point}, in this process: {:?} by {hooks:?}",
                reply.decision
            );
            // A closed standard error does not keep the event from being decided.
            let _ = crate::terminal::Out::stderr().line(line);
        }
        Ok(reply)
    }
}
