//! The handlers of a session, which is a virtual object of the server.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use portcullis_agent::CheckpointId;
use restate_sdk_shared_core::Target;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::invocation::{During, Invocation, Stop};
use crate::log::{Entry, Log, Unwritten};
use crate::message::Outcome;
use crate::segment::{self, Ended, NotNow, Segment, Serving, Stops};

/// The state of a session: whether it has begun.
const BEGUN: &str = "begun";

/// The most entries that are written at once.
const AT_ONCE: usize = 64;

/// A handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handler {
    Turn,
    Resume,
    Expire,
    Close,
}

impl Handler {
    pub(crate) const ALL: [Self; 4] = [Self::Turn, Self::Resume, Self::Expire, Self::Close];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Resume => "resume",
            Self::Expire => "expire",
            Self::Close => "close",
        }
    }

    /// Returns whether only other handlers call it.
    pub(crate) fn is_private(self) -> bool {
        self == Self::Expire
    }

    fn segment(self, input: &[u8]) -> serde_json::Result<Segment> {
        Ok(match self {
            Self::Turn => Segment::Turn(serde_json::from_slice(input)?),
            Self::Resume => Segment::Resume(serde_json::from_slice(input)?),
            Self::Expire => Segment::Expire(serde_json::from_slice::<CheckpointId>(input)?),
            Self::Close => Segment::Close,
        })
    }
}

/// Serves an invocation, until it ends or cannot continue here.
pub(crate) async fn serve(
    serving: Arc<Serving>,
    service: String,
    handler: Handler,
    mut invocation: Invocation,
    stopping: CancellationToken,
) {
    match output(&serving, service, handler, &mut invocation, stopping).await {
        Ok(output) => {
            if let Err(why) = invocation.end(output).await {
                tracing::debug!("an invocation did not end: {why}");
            }
        }
        Err(why) => {
            tracing::info!("an invocation does not continue here: {why}");
            invocation.stop(&why).await;
        }
    }
}

async fn output(
    serving: &Arc<Serving>,
    service: String,
    handler: Handler,
    invocation: &mut Invocation,
    stopping: CancellationToken,
) -> Result<Bytes, Stop> {
    let input = invocation.input().await?;
    let segment = match handler.segment(&input.input) {
        Ok(segment) => segment,
        Err(error) => {
            let outcome = Outcome::failed(format!("the request cannot be read: {error}"));
            return json_bytes(&outcome);
        }
    };
    let session = input.key;
    let begun = invocation.state(BEGUN).await?.is_some();
    let work = Work {
        serving: serving.clone(),
        session: session.clone(),
        begun,
        segment,
    };
    let (outcome, has_begun) = ended(work, invocation, stopping).await?;
    if has_begun != begun {
        let value = has_begun.then(|| Bytes::from_static(b"true"));
        invocation.set_state(BEGUN, value)?;
    }
    if let Outcome::Suspended {
        checkpoint,
        until_ms: Some(until_ms),
        ..
    } = &outcome
    {
        let expire = Target {
            service,
            handler: Handler::Expire.name().to_owned(),
            key: Some(session),
            idempotency_key: None,
            scope: None,
            limit_key: None,
            headers: Vec::new(),
        };
        let at = Duration::from_millis(*until_ms);
        invocation.send_at(expire, json_bytes(checkpoint)?, at)?;
    }
    json_bytes(&outcome)
}

/// A segment to run.
struct Work {
    serving: Arc<Serving>,
    session: String,
    begun: bool,
    segment: Segment,
}

/// A segment that runs in a separate task, so that it finishes its work even if the invocation is
/// gone.
struct Running {
    unwritten: mpsc::Receiver<Unwritten>,
    ended: oneshot::Receiver<Result<Ended, NotNow>>,
    cancel: CancellationToken,
    park: CancellationToken,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.park.cancel();
    }
}

impl Running {
    fn start(work: Work, recorded: Vec<Entry>, stopping: &CancellationToken) -> Self {
        let Work {
            serving,
            session,
            begun,
            segment,
        } = work;
        let events = serving.events.subscribe();
        let (log, unwritten) = Log::new(&session, serving.store.turns(), recorded, events);
        let stops = Stops {
            cancel: CancellationToken::new(),
            park: stopping.child_token(),
        };
        let (cancel, park) = (stops.cancel.clone(), stops.park.clone());
        let (sender, ended) = oneshot::channel();
        tokio::spawn(async move {
            let log = Arc::new(log);
            let run = segment::run(&serving, &session, begun, segment, &log, stops);
            // There is no receiver if the invocation is gone.
            let _ = sender.send(run.await);
        });
        Self {
            unwritten,
            ended,
            cancel,
            park,
        }
    }

    /// Waits for the next entries to write. If the future is dropped, only the entries in `batch`
    /// are lost.
    async fn next(&mut self, batch: &mut Vec<Unwritten>) -> Result<Option<Ended>, Stop> {
        tokio::select! {
            biased;
            count = self.unwritten.recv_many(batch, AT_ONCE) => match count {
                0 => self.end().await.map(Some),
                _ => Ok(None),
            },
            ended = &mut self.ended => end(ended).map(Some),
        }
    }

    async fn end(&mut self) -> Result<Ended, Stop> {
        end((&mut self.ended).await)
    }
}

fn end(ended: Result<Result<Ended, NotNow>, oneshot::error::RecvError>) -> Result<Ended, Stop> {
    match ended {
        Ok(ended) => ended.map_err(|error| Stop::Retry(error.to_string())),
        Err(_) => Err(Stop::Retry("the turn panicked".into())),
    }
}

/// Reads the journal, runs the rest of the segment, and writes it to the journal.
async fn ended(
    work: Work,
    invocation: &mut Invocation,
    stopping: CancellationToken,
) -> Result<Ended, Stop> {
    let mut recorded = Vec::new();
    let mut effect = loop {
        let effect = invocation.effect("effects")?;
        if !effect.replayed {
            break effect.handle;
        }
        let value = invocation.recorded(effect.handle).await?;
        let entries: Vec<Entry> = serde_json::from_slice(&value)
            .map_err(|error| Stop::Retry(format!("the journal is of another version: {error}")))?;
        if let Some(Entry::Ended { outcome, has_begun }) = entries.last() {
            return Ok((outcome.clone(), *has_begun));
        }
        recorded.extend(entries);
    };
    let mut running = Running::start(work, recorded, &stopping);
    loop {
        let mut batch = Vec::new();
        let cancel = running.cancel.clone();
        let ended = loop {
            match invocation.during(effect, running.next(&mut batch)).await? {
                During::Done(ended) => break ended?,
                During::Cancelled => cancel.cancel(),
            }
        };
        let (mut entries, mut written) = (Vec::new(), Vec::new());
        for unwritten in batch {
            entries.push(unwritten.entry);
            written.push(unwritten.written);
        }
        if let Some((outcome, has_begun)) = ended.clone() {
            entries.push(Entry::Ended { outcome, has_begun });
        }
        invocation.record(effect, json_bytes(&entries)?).await?;
        for written in written {
            // The send fails if the waiter has stopped.
            let _ = written.send(());
        }
        if let Some(ended) = ended {
            return Ok(ended);
        }
        effect = invocation.effect("effects")?.handle;
    }
}

fn json_bytes(value: &impl serde::Serialize) -> Result<Bytes, Stop> {
    let bytes = serde_json::to_vec(value).map_err(|error| Stop::Retry(error.to_string()))?;
    Ok(bytes.into())
}

/// Returns an agent's service manifest for the server.
pub(crate) fn manifest(service: &str) -> Value {
    // An effect may take hours, and nothing comes from a worker meanwhile.
    const DAY_MS: u64 = 86_400_000;
    let handlers = Handler::ALL.map(|handler| {
        json!({
            "name": handler.name(),
            "ty": "EXCLUSIVE",
            "input": { "required": false, "contentType": "application/json" },
            "output": { "contentType": "application/json", "setContentTypeIfEmpty": false },
            "ingressPrivate": handler.is_private(),
        })
    });
    json!({
        "protocolMode": "BIDI_STREAM",
        "minProtocolVersion": 5,
        "maxProtocolVersion": 7,
        "services": [{
            "name": service,
            "ty": "VIRTUAL_OBJECT",
            "handlers": handlers,
            "inactivityTimeout": DAY_MS,
            "abortTimeout": DAY_MS,
            "retryPolicyInitialInterval": 50,
            "retryPolicyExponentiationFactor": 2.0,
            "retryPolicyMaxInterval": 10_000,
        }],
    })
}
