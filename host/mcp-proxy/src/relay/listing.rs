//! The server's tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use portcullis::contract::ToolSpec;
use portcullis::tools::ToolCatalog;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Relay;
use super::meta::Meta;
use super::pending::Ticket;
use crate::message::own::{self, INTERNAL_ERROR, SERVER_ERROR};
use crate::message::{Id, Malformed, Message, elements, fields, object, string, with_fields};

/// The time limit for a page of the server's list of tools.
const LIMIT: Duration = Duration::from_secs(30);

/// The maximum number of pages of a list.
const PAGES: usize = 64;

/// The last known list of the server's tools.
#[derive(Default)]
pub(super) struct Listing {
    known: Mutex<Option<Arc<Own>>>,
    /// Held during a request for the list, so that other calls wait for its result.
    asking: tokio::sync::Mutex<()>,
    /// The number of times that the server reported a change of the list.
    changes: AtomicU64,
}

/// The server's tools.
#[derive(Debug)]
pub(super) struct Own {
    /// The tools, as hooks see them.
    pub(super) catalog: Arc<ToolCatalog>,
    /// The name that hooks see, and the server's text, of each tool.
    tools: Vec<(String, String)>,
    /// The result that contains the last page.
    page: String,
}

/// The reason that there is no list.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoList {
    /// The server answered with an error, which is JSON.
    #[error("the server does not list its tools: {0}")]
    Refused(String),
    /// The server did not answer.
    #[error("the server does not list its tools: {0}")]
    Unanswered(&'static str),
    /// The list cannot be read.
    #[error("the server's list of tools cannot be read: {0}")]
    Malformed(#[from] Malformed),
}

impl Listing {
    /// Forgets the list, which may have changed.
    pub(super) fn forget(&self) {
        let mut known = self.known.lock();
        self.changes.fetch_add(1, Ordering::Relaxed);
        *known = None;
    }
}

/// Returns the server's tools: the known list, or a new one. `params` are those of the request that
/// needs the list.
pub(super) async fn known(relay: &Relay, params: &str) -> Result<Arc<Own>, NoList> {
    let _one_at_a_time = relay.listing.asking.lock().await;
    let known = relay.listing.known.lock().clone();
    match known {
        Some(known) => Ok(known),
        None => ask(relay, params).await,
    }
}

/// A client's request for the list.
pub(super) struct Wanted {
    pub(super) message: Message,
    pub(super) id: Id,
    pub(super) ticket: Ticket,
    /// Cancelled if the client cancels the request.
    pub(super) cancel: CancellationToken,
}

/// Answers a client's request for the list.
pub(super) async fn list(relay: &Relay, wanted: Wanted) {
    let text = tokio::select! {
        text = answer(relay, &wanted.message, &wanted.id) => text,
        () = wanted.cancel.cancelled() => return,
    };
    // If the request is no longer pending, it has been answered.
    if let Some(request) = relay.pending.take_own(&wanted.id, wanted.ticket) {
        request.reply.send(&relay.to_client, text).await;
    }
}

/// Returns the answer to a client's request for the list.
async fn answer(relay: &Relay, message: &Message, id: &Id) -> String {
    let listed = {
        let _one_at_a_time = relay.listing.asking.lock().await;
        ask(relay, message.params()).await
    };
    match listed {
        Ok(own) => {
            let turn = relay.hooks.new_turn();
            match relay.hooks.offer(turn, own.catalog.clone()).await {
                Ok(offer) => match own.offered(&offer) {
                    Ok(result) => own::result(id, result),
                    Err(error) => own::error(Some(id.json()), INTERNAL_ERROR, &error.to_string()),
                },
                Err(why) => own::error(Some(id.json()), SERVER_ERROR, &why),
            }
        }
        Err(NoList::Refused(error)) => own::given_error(id, error),
        Err(error) => own::error(Some(id.json()), INTERNAL_ERROR, &error.to_string()),
    }
}

impl Own {
    /// Returns a result that contains the offered tools.
    fn offered(&self, offer: &crate::hooks::Offer) -> Result<String, Malformed> {
        let tools = self.tools.iter();
        let tools = tools.filter(|(name, _)| offer.tools.get(name).is_some());
        let mut tools: Vec<String> = tools.map(|(_, text)| text.clone()).collect();
        tools.extend(offer.added().map(|spec| {
            object(&[
                ("name", Value::from(spec.name.as_str()).to_string()),
                (
                    "description",
                    Value::from(spec.description.as_str()).to_string(),
                ),
                ("inputSchema", spec.schema.clone()),
            ])
        }));
        let tools = format!("[{}]", tools.join(","));
        with_fields(&self.page, &[("tools", Some(tools)), ("nextCursor", None)])
    }
}

/// Requests all pages from the server.
async fn ask(relay: &Relay, params: &str) -> Result<Arc<Own>, NoList> {
    let meta = Meta::of(params)?;
    // The client would attribute a progress report to its own request.
    let meta = match meta.text {
        Some(text) => Some(with_fields(text, &[("progressToken", None)])?),
        None => None,
    };
    let changes = relay.listing.changes.load(Ordering::Relaxed);
    let mut tools = Vec::new();
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES {
        let mut params = Vec::new();
        params.extend(meta.clone().map(|meta| ("_meta", meta)));
        params.extend(cursor.take().map(|cursor| ("cursor", cursor)));
        let page = one_page(relay, object(&params)).await?;
        let [more, next] = fields(&page, ["tools", "nextCursor"])?;
        let more = more.ok_or_else(|| Malformed::new("a page has no tools"))?;
        for tool in elements(more)? {
            let [name] = fields(tool, ["name"])?;
            let name = name.ok_or_else(|| Malformed::new("a tool has no name"))?;
            tools.push((relay.hooks.name_of(&string(name)?), tool.to_owned()));
        }
        match next {
            Some(next) if next != "null" => cursor = Some(next.to_owned()),
            _ => {
                let own = Arc::new(Own {
                    catalog: Arc::new(catalog(&tools)?),
                    tools,
                    page,
                });
                let mut known = relay.listing.known.lock();
                // A list that changed while it was read is read again next time.
                if relay.listing.changes.load(Ordering::Relaxed) == changes {
                    *known = Some(own.clone());
                }
                return Ok(own);
            }
        }
    }
    Err(Malformed::new("it has too many pages").into())
}

async fn one_page(relay: &Relay, params: String) -> Result<String, NoList> {
    let asked = relay.ask_server("tools/list", params);
    let answer = match tokio::time::timeout(LIMIT, asked).await {
        Ok(Some(answer)) => answer,
        Ok(None) => return Err(NoList::Unanswered("it has ended")),
        Err(_) => return Err(NoList::Unanswered("it took longer than 30 s")),
    };
    match (answer.result(), answer.error()) {
        (Some(result), _) => Ok(result.to_owned()),
        (None, error) => Err(NoList::Refused(error.unwrap_or("{}").to_owned())),
    }
}

/// Returns the tools with their schemas. If the schema of a tool cannot be used, only the server
/// checks the tool's arguments.
fn catalog(tools: &[(String, String)]) -> Result<ToolCatalog, Malformed> {
    let mut specs = Vec::new();
    for (name, tool) in tools {
        let [description, schema] = fields(tool, ["description", "inputSchema"])?;
        let description = description.filter(|text| *text != "null");
        specs.push(ToolSpec {
            name: name.clone(),
            description: description.map(string).transpose()?.unwrap_or_default(),
            schema: schema.unwrap_or("{}").to_owned(),
        });
    }
    if let Ok(catalog) = ToolCatalog::new(specs.clone()) {
        return Ok(catalog);
    }
    for spec in &mut specs {
        if let Err(error) = ToolCatalog::new([spec.clone()]) {
            tracing::warn!("{error}");
            spec.schema = "{}".to_owned();
        }
    }
    ToolCatalog::new(specs).map_err(|error| Malformed::new(error.to_string()))
}
