//! A recorded call that is read from a block.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis::Views;
use portcullis::contract::{ChainVerdict, ContentPart, Context, Message, ToolSpec};
use portcullis::prompt::Prompt;
use portcullis::recording::{InstanceCall, RecordedSetup, World};
use portcullis::session::{AgentState, SessionInfo};
use portcullis::tools::ToolCatalog;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::RecordingError;
use crate::files::{DirectoryLine, FileChanges, StoredDirectory, StoredKind, stored_changes};

/// The result of a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Outcome {
    /// The status of the run: a [`RunStatus`](portcullis::verdict::RunStatus) as JSON.
    pub status: Value,
    /// The fuel that it used; `None` if fuel was not counted.
    pub fuel: Option<u64>,
    /// The duration, in microseconds.
    pub micros: u64,
    /// The value as the hook left it, if it changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The hook's question or answer, or the text with which it ended the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<Value>,
    /// The kinds of the contributions, with their digests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contributed: Vec<(String, String)>,
}

/// A call in a block. Views are values, or the numbers of shared values.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Line {
    pub(crate) id: i64,
    pub(crate) at: u64,
    pub(crate) session: String,
    pub(crate) setup: usize,
    pub(crate) instance: InstanceCall,
    pub(crate) point: String,
    #[serde(default)]
    pub(crate) context: Option<Context>,
    #[serde(default)]
    pub(crate) subject: Value,
    #[serde(default)]
    pub(crate) shared: BTreeMap<String, usize>,
    #[serde(default)]
    pub(crate) views: BTreeMap<String, Value>,
    #[serde(default)]
    pub(crate) world: World,
    #[serde(default)]
    pub(crate) directories: Vec<DirectoryLine>,
    pub(crate) outcome: Outcome,
    /// Whether the operator's rules removed something.
    #[serde(default)]
    pub(crate) redacted: bool,
    /// The call's size in bytes, if it was too large to be kept.
    #[serde(default)]
    pub(crate) too_large: Option<usize>,
}

/// A recorded call.
#[derive(Debug, Clone)]
pub struct StoredCall {
    /// The host that made the call. The host and `id` identify the run in the journal.
    pub host: i64,
    /// The id of its run.
    pub id: i64,
    /// The start of the call, in milliseconds since 1970.
    pub at_ms: u64,
    /// The session.
    pub session: Arc<str>,
    /// The hook's setup.
    pub setup: Arc<RecordedSetup>,
    /// The instance, and the call's number in it.
    pub instance: InstanceCall,
    /// The point's name.
    pub point: String,
    /// The place in the agent's life.
    pub context: Option<Context>,
    /// The call's subject, with Rust names.
    pub subject: Value,
    /// The views that were kept, by name.
    pub views: BTreeMap<String, Arc<Value>>,
    /// The results that the call got from the world.
    pub world: World,
    /// The directories that it was granted, if they were recorded.
    pub directories: Vec<StoredDirectory>,
    /// The contents of the files in the directories, by name. Other calls' files may be included. Contents are stored
    /// beside the blocks, so the caller of [`read`](crate::read) fills this field.
    pub contents: Arc<BTreeMap<String, Arc<[u8]>>>,
    /// Its result.
    pub outcome: Outcome,
    /// Whether the operator's rules removed something from the call, so that a replay gives the
    /// hook another input.
    pub redacted: bool,
    /// The call's size in bytes, if it was too large to be kept: then only its outcome is recorded.
    pub too_large: Option<usize>,
}

/// The view of the call's tool, beside the offered name.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ToolData<'a> {
    pub(crate) arguments: Cow<'a, str>,
    pub(crate) output: Option<Cow<'a, str>>,
    pub(crate) offered_as: Option<Cow<'a, str>>,
}

impl StoredCall {
    /// Returns the call's host and id in the form of a run's name: `3.1041`.
    pub fn run(&self) -> String {
        format!("{}.{}", self.host, self.id)
    }

    /// Returns why the call cannot be replayed, if it cannot.
    pub fn cannot_be_replayed(&self) -> Option<String> {
        if let Some(bytes) = self.too_large {
            return Some(format!(
                "it was too large to be recorded: {bytes} bytes (`call-bytes`)"
            ));
        }
        if let Some(what) = &self.world.missing {
            return Some(format!("it was not recorded as a whole: {what}"));
        }
        if self.setup.of.files && self.directories.is_empty() {
            let why = "the content of directories was not recorded; `directories = true` in the table of recordings records it";
            return Some(why.to_owned());
        }
        let lost = |name: &str| !self.contents.contains_key(name);
        match self.content_names().any(lost) {
            true => {
                let why = "files of its directories are not in the store any more, or are damaged; keep more bytes, or restore the store from a backup";
                Some(why.to_owned())
            }
            false => None,
        }
    }

    /// Returns the names of the contents of files that it could read, or wrote.
    pub fn content_names(&self) -> impl Iterator<Item = &str> {
        let directories = self.directories.iter();
        let trees = directories.flat_map(|directory| {
            std::iter::once(&directory.before).chain(directory.after.as_ref())
        });
        let entries = trees.flat_map(|tree| tree.values());
        entries.filter_map(|entry| match &entry.kind {
            StoredKind::File(name) => Some(name.as_str()),
            StoredKind::Directory | StoredKind::Link(_) => None,
        })
    }

    /// Returns the call's changes in the directories that the hook may write.
    pub fn file_changes(&self) -> FileChanges {
        stored_changes(&self.directories, &self.contents)
    }

    /// Returns the recorded part of the views that the hook could see.
    ///
    /// # Errors
    ///
    /// The recording is damaged.
    pub fn views(&self) -> Result<Views, RecordingError> {
        let tool: ToolData<'_> = self.view("tool-data")?.unwrap_or_default();
        let tools: Vec<ToolSpec> = self.view("tool-catalog")?.unwrap_or_default();
        let verdict: Option<ChainVerdict> = self.view("verdict")?;
        Ok(Views {
            content: Arc::new(
                self.view::<Vec<ContentPart>>("content")?
                    .unwrap_or_default(),
            ),
            conversation: Arc::new(
                self.view::<Vec<Message>>("conversation")?
                    .unwrap_or_default(),
            ),
            turn_start: self.view("turn-start")?.unwrap_or(usize::MAX),
            tool_arguments: tool.arguments.into(),
            tool_output: tool.output.map(Into::into),
            tools: Arc::new(ToolCatalog::new(tools).map_err(RecordingError::damaged)?),
            offered_as: tool.offered_as.map(Into::into),
            prompt: Arc::new(self.view::<Prompt>("prompt")?.unwrap_or_default()),
            state: Arc::new(self.view::<AgentState>("agent-state")?.unwrap_or_default()),
            session: Arc::new(self.view::<SessionInfo>("session")?.unwrap_or_default()),
            verdict: verdict.map(Arc::new),
            trace: None,
        })
    }

    fn view<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, RecordingError> {
        match self.views.get(name) {
            None => Ok(None),
            Some(value) => T::deserialize(&**value)
                .map(Some)
                .map_err(|e| RecordingError::Damaged(format!("its view `{name}`: {e}"))),
        }
    }
}
