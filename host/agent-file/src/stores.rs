//! `[stores]`: the agent's stores.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;
use std::time::Duration;

use portcullis::settings::RecordingTable;
use portcullis_store::{
    BadStoreUrl, Deleted, Durability, RecordingOptions, Store, StoreError, StoreOptions, StoreUrl,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::faults::Faults;

const DAY: Duration = Duration::from_secs(86_400);

/// Where the agent keeps sessions, the journal of hook runs, suspended turns and memory.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Stores {
    /// The store: `sqlite:PATH`, `postgres://USER:PASSWORD@HOST/DATABASE`, or `{ env = "NAME" }` for a
    /// variable that holds one of them. A file is created if it does not exist.
    #[schemars(extend("x-if-left-out" = "a file in the user's state directory"))]
    pub url: Option<StoreAddress>,
    /// The writes that survive a power failure.
    pub durability: Durability,
    /// Whether hook runs are recorded.
    pub journal: bool,
    /// Whether the journal also keeps the fields that hooks and people change, hook contributions,
    /// tool arguments and results, and turn texts, each cut at 2,000 bytes. Secrets that hooks were
    /// granted are replaced.
    pub journal_values: bool,
    /// Whether component calls are recorded, so that `portcullis replay` can make them again: the
    /// hooks' inputs, and the host's answers to them. Secrets that hooks were granted are replaced.
    /// Needs the journal.
    pub record: bool,
    /// The recording of calls: the recorded parts, the encryption recipients, and the number of
    /// calls kept.
    pub recording: RecordingTable,
    /// Days after which an unused session is deleted, with all its data in the store. The jobs,
    /// hook runs and recorded calls of unsaved sessions, such as a sub-agent's, are deleted too.
    /// The deletion happens at the next start.
    #[schemars(extend("x-if-left-out" = "never"))]
    pub keep_days: Option<NonZeroU32>,
    /// The most bytes of all conversations. The oldest are deleted first, at the next start. The newest and
    /// the one that is continued are kept.
    #[schemars(extend("x-if-left-out" = "no limit"))]
    pub keep_bytes: Option<NonZeroU64>,
    /// A name for the state that hooks share. Agents that give the same name share it, in every process
    /// that has the store open.
    #[schemars(extend("x-if-left-out" = "the path of the hooks directory"))]
    pub state_scope: Option<String>,
}

impl Default for Stores {
    fn default() -> Self {
        Self {
            url: None,
            durability: Durability::default(),
            journal: true,
            journal_values: false,
            record: false,
            recording: RecordingTable::default(),
            keep_days: None,
            keep_bytes: None,
            state_scope: None,
        }
    }
}

impl Stores {
    pub(crate) fn resolve(&mut self, dir: &Path) {
        if let Some(StoreAddress::Url(url)) = &mut self.url {
            *url = url.clone().resolved(dir);
        }
    }

    pub(crate) fn faults(&self, faults: &mut Faults<'_>) {
        if let Err((key, error)) = RecordingOptions::of(&self.recording) {
            faults.add(&["stores", "recording", key], error.to_string());
        }
        if self.record && !self.journal {
            let problem =
                "needs the journal, whose runs the recorded calls are; remove `journal = false`";
            faults.add(&["stores", "record"], problem.to_owned());
        }
        if let Some(Err(error)) = self.url.as_ref().map(StoreAddress::url) {
            faults.add(&["stores", "url"], error.to_string());
        }
    }

    /// Returns the store that the front end has open, or else opens the store that the file names.
    pub(crate) async fn open(&self, open: Option<Store>) -> Result<Option<Store>, StoreError> {
        match &self.url {
            Some(address) if open.is_none() => {
                Store::open(address.url()?, self.options()).await.map(Some)
            }
            _ => Ok(open),
        }
    }

    /// Opens the store that the file names, if it names one. Blocks: do not call it on a thread of
    /// an async runtime.
    ///
    /// # Errors
    ///
    /// The store cannot be opened.
    pub fn open_blocking(&self) -> Result<Option<Store>, StoreError> {
        let address = self.url.as_ref();
        let open = |address: &StoreAddress| Store::open_blocking(address.url()?, self.options());
        address.map(open).transpose()
    }

    /// Deletes data beyond the retention limits, except the session `keep`.
    pub(crate) async fn prune(
        &self,
        store: &Store,
        keep: Option<&str>,
    ) -> Result<Deleted, StoreError> {
        let age = self.keep_days.map(|days| DAY * days.get());
        let bytes = self.keep_bytes.map(NonZeroU64::get);
        match (age, bytes) {
            (None, None) => Ok(Deleted::default()),
            _ => store.sessions().prune(age, bytes, keep).await,
        }
    }

    /// Returns the options for opening the store.
    pub fn options(&self) -> StoreOptions {
        StoreOptions::default().durability(self.durability)
    }
}

/// The URL of a store, or the environment variable that holds it. Its text form never contains a
/// password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub enum StoreAddress {
    /// The store.
    Url(StoreUrl),
    /// The environment variable.
    Env(String),
}

impl StoreAddress {
    /// Returns the URL of the store.
    ///
    /// # Errors
    ///
    /// The variable is not set, or its value is not the URL of a store.
    pub fn url(&self) -> Result<StoreUrl, StoreError> {
        let name = match self {
            Self::Url(url) => return Ok(url.clone()),
            Self::Env(name) => name,
        };
        let failed = |cause| StoreError::Open {
            store: format!("of the variable `{name}`"),
            cause,
        };
        let text = std::env::var(name);
        let text = text.map_err(|e| failed(format!("{e}; set it, or change `stores.url`")))?;
        text.parse().map_err(|e: BadStoreUrl| failed(e.to_string()))
    }
}

impl fmt::Debug for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => fmt::Debug::fmt(url, f),
            Self::Env(name) => write!(f, "${name}"),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "the URL of a store, or `{ env = \"NAME\" }`")]
enum Written {
    Url(String),
    Env { env: String },
}

impl TryFrom<Written> for StoreAddress {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        match written {
            Written::Url(url) => match url.parse::<StoreUrl>() {
                Ok(url) => Ok(Self::Url(url)),
                Err(error) => Err(error.of(&url)),
            },
            Written::Env { env } => Ok(Self::Env(env)),
        }
    }
}

impl JsonSchema for StoreAddress {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StoreAddress".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "string", "x-expecting": "the URL of a store" },
            {
                "type": "object",
                "properties": { "env": {
                    "type": "string",
                    "description": "The environment variable that holds the URL.",
                } },
                "required": ["env"],
                "additionalProperties": false,
            },
        ] })
    }
}
