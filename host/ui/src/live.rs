//! Updates to open pages.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use futures::Stream;
use futures::stream::unfold;
use portcullis_explain::Part;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::list::{self, Wanted};
use crate::session::Seen;
use crate::ui::{Ui, UiError};

/// The shortest interval between two reads of the store for an open page.
const OFTEN: Duration = Duration::from_millis(400);

/// The pause after a read, as a multiple of the time that the read took. A page that is expensive is read less often.
const REST: u32 = 4;

/// The content of a page.
#[derive(Debug, Clone)]
pub(crate) enum Shown {
    List(Wanted),
    Session(String),
}

/// The state of an open page.
struct Watch {
    ui: Ui,
    shown: Shown,
    /// The version that was sent last.
    version: String,
    /// A digest of each part that the page has.
    parts: HashMap<String, blake3::Hash>,
    /// The time until the store is read again.
    rest: Duration,
    /// Whether the store could not be read.
    is_away: bool,
    stop: CancellationToken,
}

/// Streams the updates to a page that has this version, until the server stops.
pub(crate) async fn stream(
    ui: Ui,
    shown: Shown,
    version: String,
    stop: CancellationToken,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, UiError> {
    let mut watch = Watch {
        ui,
        shown,
        version: String::new(),
        parts: HashMap::new(),
        rest: Duration::ZERO,
        is_away: false,
        stop,
    };
    // A page that is current is not sent again.
    if let Some((now, parts)) = watch.look().await?
        && now == version
    {
        watch.parts = digests(&parts);
        watch.version = now;
        watch.rest = OFTEN;
    }
    let events = unfold(watch, async |mut watch| {
        let event = watch.next().await?;
        Some((Ok(event), watch))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// Returns the version of a list.
pub(crate) fn version_of(parts: &[Part]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.html.as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

fn digests(parts: &[Part]) -> HashMap<String, blake3::Hash> {
    let digest = |part: &Part| (part.id.clone(), blake3::hash(part.html.as_bytes()));
    parts.iter().map(digest).collect()
}

impl Watch {
    /// Waits for an update.
    async fn next(&mut self) -> Option<Event> {
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return None,
                () = tokio::time::sleep(self.rest) => {}
            }
            let begun = Instant::now();
            let looked = self.look().await;
            self.rest = OFTEN.max(begun.elapsed() * REST);
            let was_away = std::mem::replace(&mut self.is_away, looked.is_err());
            match looked {
                Ok(None) => {}
                Ok(Some((version, parts))) => {
                    self.version = version;
                    if let Some(event) = self.changed(&parts) {
                        return Some(event.id(&self.version));
                    }
                }
                // The store may be available again soon.
                Err(error) if !was_away => tracing::warn!("a page is not kept up: {error}"),
                Err(_) => {}
            }
        }
    }

    /// Returns the version and the parts, if they differ from the last ones sent.
    async fn look(&self) -> Result<Option<(String, Vec<Part>)>, UiError> {
        let (version, parts) = match &self.shown {
            Shown::List(wanted) => {
                let parts = list::parts(&self.ui, wanted).await?;
                (version_of(&parts), parts)
            }
            Shown::Session(session) => {
                let seen = Seen::now(&self.ui, session).await?;
                let version = seen.version();
                match version == self.version {
                    true => return Ok(None),
                    false => (version, seen.parts(&self.ui).await?),
                }
            }
        };
        Ok((version != self.version).then_some((version, parts)))
    }

    /// Returns the parts that the page does not have, and the order of all.
    fn changed(&mut self, parts: &[Part]) -> Option<Event> {
        let digests = digests(parts);
        if digests == self.parts {
            return None;
        }
        let is_new = |part: &&Part| self.parts.get(&part.id) != digests.get(&part.id);
        let new = parts.iter().filter(is_new);
        let changed: HashMap<&str, &str> =
            new.map(|it| (it.id.as_str(), it.html.as_str())).collect();
        let order: Vec<&str> = parts.iter().map(|part| part.id.as_str()).collect();
        let data = json!({ "order": order, "changed": changed }).to_string();
        self.parts = digests;
        Some(Event::default().event("parts").data(data))
    }
}
