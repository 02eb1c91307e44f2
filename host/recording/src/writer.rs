//! Writing calls into blocks.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use portcullis::capabilities::View;
use portcullis::recording::{FileTree, RecordedCall, World};
use serde::Serialize;

use crate::block::{Block, FORMAT, Summary};
use crate::call::{Outcome, ToolData};
use crate::error::RecordingError;
use crate::files::{self, DirectoryLine, NamedContent, Naming};
use crate::json::{close, field, raw};
use crate::outcome::outcome;
use crate::redact::Redaction;

/// What says that two values are one: where it is, how large what is there is, and what secrets are taken out of it.
type Key = (usize, usize, usize);

/// Writes calls into blocks.
pub struct BlockWriter {
    redaction: Redaction,
    naming: Naming,
    /// The most bytes of a call.
    most: usize,
    text: Vec<u8>,
    summary: Summary,
    setups: HashMap<(usize, usize), usize>,
    written: HashMap<Vec<u8>, usize>,
    values: HashMap<Key, usize>,
    next_value: usize,
    /// The shared values in which the operator's rules found something.
    redacted: BTreeSet<usize>,
    contents: BTreeMap<String, NamedContent>,
    content_bytes: usize,
    /// The contents that the call has which is written now, and the bytes of its trees: neither is of the call's text.
    of_call: (Vec<NamedContent>, usize),
    /// Kept, so that no address is used twice in a block.
    held: Vec<Arc<dyn Any + Send + Sync>>,
    calls: Vec<RecordedCall>,
}

impl BlockWriter {
    /// Calls that take more than `most` bytes are only counted.
    pub fn new(redaction: Redaction, naming: Naming, most: usize) -> Self {
        let mut writer = Self {
            redaction,
            naming,
            most,
            text: Vec::new(),
            summary: Summary::default(),
            setups: HashMap::new(),
            written: HashMap::new(),
            values: HashMap::new(),
            next_value: 0,
            redacted: BTreeSet::new(),
            contents: BTreeMap::new(),
            content_bytes: 0,
            of_call: (Vec::new(), 0),
            held: Vec::new(),
            calls: Vec::new(),
        };
        writer.begin();
        writer
    }

    fn begin(&mut self) {
        self.text.clear();
        self.text.extend_from_slice(FORMAT.to_string().as_bytes());
        self.text.push(b'\n');
        self.setups.clear();
        self.written.clear();
        self.values.clear();
        self.next_value = 0;
        self.redacted.clear();
        self.contents.clear();
        self.content_bytes = 0;
        self.held.clear();
        self.calls.clear();
        self.summary = Summary::default();
    }

    /// How many bytes it has so far, with the contents of the files that it names.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.content_bytes
    }

    /// How many calls it has.
    pub fn calls(&self) -> usize {
        self.summary.calls
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.summary.calls == 0
    }

    /// Writes a call, the run of which has this id.
    ///
    /// # Errors
    ///
    /// JSON cannot say it.
    pub fn add(&mut self, id: i64, call: RecordedCall) -> Result<(), RecordingError> {
        let at = u64::try_from(call.at.as_millis()).unwrap_or(u64::MAX);
        let (begun, value) = (self.text.len(), self.next_value);
        let setup = self.setup(&call)?;
        let body = self.text.len();
        self.of_call = (Vec::new(), 0);
        self.call(id, at, setup, &call)?;
        let (contents, of_trees) = std::mem::take(&mut self.of_call);
        let bytes = self.text.len() - body - of_trees;
        if bytes <= self.most {
            self.keep(contents);
        } else {
            self.text.truncate(body);
            self.next_value = value;
            self.values.retain(|_, index| *index < value);
            self.redacted.retain(|index| *index < value);
            self.stub(id, at, setup, &call, bytes)?;
        }
        debug_assert!(self.text.len() > begun);
        let summary = &mut self.summary;
        summary.first_ms = match summary.calls {
            0 => at,
            _ => summary.first_ms.min(at),
        };
        summary.last_ms = summary.last_ms.max(at);
        summary.calls += 1;
        if !summary.hooks.contains(call.run.hook.as_str()) {
            summary.hooks.insert(call.run.hook.to_string());
        }
        self.calls.push(call);
        Ok(())
    }

    /// Keeps contents, each once.
    fn keep(&mut self, contents: Vec<NamedContent>) {
        for content in contents {
            let bytes = content.content.len();
            let before = self.contents.insert(content.name.clone(), content);
            if before.is_none() {
                self.content_bytes += bytes;
            }
        }
    }

    /// The number of a call's setup.
    fn setup(&mut self, call: &RecordedCall) -> Result<usize, RecordingError> {
        let key = call.setup_key();
        if let Some(index) = self.setups.get(&key) {
            return Ok(*index);
        }
        let setup = serde_json::to_value(call.setup()).map_err(RecordingError::damaged)?;
        let (setup, _) = self.redaction.apply(setup, call.secrets());
        let line = serde_json::to_vec(&setup).map_err(RecordingError::damaged)?;
        let index = match self.written.get(&line) {
            Some(index) => *index,
            None => {
                let index = self.written.len();
                self.text.push(b'S');
                self.text.extend_from_slice(&line);
                self.text.push(b'\n');
                self.written.insert(line, index);
                index
            }
        };
        self.setups.insert(key, index);
        Ok(index)
    }

    fn call(
        &mut self,
        id: i64,
        at: u64,
        setup: usize,
        call: &RecordedCall,
    ) -> Result<(), RecordingError> {
        let shared = self.shared(call)?;
        let directories = self.directories(call)?;
        let in_shared = shared.iter().map(|(_, index)| *index);
        let in_directories = directories.iter().flatten();
        let in_directories =
            in_directories.flat_map(|line| std::iter::once(line.before).chain(line.after));
        let redacted = in_shared
            .chain(in_directories)
            .any(|index| self.redacted.contains(&index));
        let views = call.views();
        let mut line = Vec::with_capacity(512);
        line.push(b'{');
        field(&mut line, "id", &id)?;
        field(&mut line, "at", &at)?;
        field(&mut line, "session", &*call.session)?;
        field(&mut line, "setup", &setup)?;
        field(&mut line, "instance", &call.instance)?;
        field(&mut line, "point", call.point().name())?;
        field(&mut line, "context", call.context())?;
        raw(
            &mut line,
            "subject",
            &call.subject().map_err(RecordingError::damaged)?,
        );
        if !shared.is_empty() {
            line.extend_from_slice(b"\"shared\":{");
            for (name, index) in &shared {
                field(&mut line, name, index)?;
            }
            close(&mut line);
            line.push(b',');
        }
        line.extend_from_slice(b"\"views\":{");
        for view in call.imported_views() {
            match view {
                View::ToolData => field(
                    &mut line,
                    "tool-data",
                    &ToolData {
                        arguments: views.tool_arguments.to_string(),
                        output: views.tool_output.as_deref().map(str::to_owned),
                        offered_as: views.offered_as.as_deref().map(str::to_owned),
                    },
                )?,
                View::Session => field(&mut line, "session", &*views.session)?,
                View::Verdict => {
                    if let Some(verdict) = views.verdict.as_deref() {
                        field(&mut line, "verdict", verdict)?;
                    }
                }
                View::Conversation if views.turn_start <= views.conversation.len() => {
                    field(&mut line, "turn-start", &views.turn_start)?;
                }
                _ => {}
            }
        }
        close(&mut line);
        line.push(b',');
        match directories {
            Ok(directories) => {
                field(&mut line, "world", &call.world)?;
                if !directories.is_empty() {
                    field(&mut line, "directories", &directories)?;
                }
            }
            Err(why) => {
                let mut world: World = call.world.clone();
                world.missing.get_or_insert(why);
                field(&mut line, "world", &world)?;
            }
        }
        if redacted {
            field(&mut line, "redacted", &true)?;
        }
        field(&mut line, "outcome", &outcome(call)?)?;
        close(&mut line);
        self.line(b'C', line, call).map(drop)
    }

    /// What is written of a call that is too large.
    fn stub(
        &mut self,
        id: i64,
        at: u64,
        setup: usize,
        call: &RecordedCall,
        bytes: usize,
    ) -> Result<(), RecordingError> {
        let outcome = outcome(call)?;
        let mut line = vec![b'{'];
        field(&mut line, "id", &id)?;
        field(&mut line, "at", &at)?;
        field(&mut line, "session", &*call.session)?;
        field(&mut line, "setup", &setup)?;
        field(&mut line, "instance", &call.instance)?;
        field(&mut line, "point", call.point().name())?;
        let outcome = Outcome {
            value: None,
            said: None,
            ..outcome
        };
        field(&mut line, "outcome", &outcome)?;
        field(&mut line, "too-large", &bytes)?;
        close(&mut line);
        self.line(b'C', line, call).map(drop)
    }

    /// The views that calls share, written if they are not in the block yet.
    fn shared(
        &mut self,
        call: &RecordedCall,
    ) -> Result<Vec<(&'static str, usize)>, RecordingError> {
        let views = call.views();
        let mut shared = Vec::new();
        for view in call.imported_views() {
            let index = match view {
                View::Content => {
                    let at = address(&views.content);
                    self.value(call, at, &views.content, &*views.content)?
                }
                View::Conversation => {
                    let at = address(&views.conversation);
                    self.value(call, at, &views.conversation, &*views.conversation)?
                }
                View::ToolCatalog => {
                    let at = address(&views.tools);
                    let specs: Vec<_> = views.tools.specs().collect();
                    self.value(call, at, &views.tools, &specs)?
                }
                View::Prompt => {
                    let at = address(&views.prompt);
                    self.value(call, at, &views.prompt, &*views.prompt)?
                }
                View::AgentState => {
                    let at = address(&views.state);
                    self.value(call, at, &views.state, &*views.state)?
                }
                View::ToolData | View::Session | View::Verdict => continue,
            };
            shared.push((view.name(), index));
        }
        Ok(shared)
    }

    /// The directories of a call, with their trees written if they are not in the block yet; or why they are not kept.
    fn directories(
        &mut self,
        call: &RecordedCall,
    ) -> Result<Result<Vec<DirectoryLine>, String>, RecordingError> {
        let mut lines = Vec::with_capacity(call.directories.len());
        for directory in &call.directories {
            let before = match self.tree(call, &directory.before)? {
                Ok(index) => index,
                Err(why) => return Ok(Err(why)),
            };
            let after = match &directory.after {
                None => None,
                Some(after) => match self.tree(call, after)? {
                    Ok(index) => Some(index),
                    Err(why) => return Ok(Err(why)),
                },
            };
            let guest = directory.guest.clone();
            lines.push(DirectoryLine {
                guest,
                before,
                after,
            });
        }
        Ok(Ok(lines))
    }

    fn tree(
        &mut self,
        call: &RecordedCall,
        tree: &Arc<FileTree>,
    ) -> Result<Result<usize, String>, RecordingError> {
        let key = key(address(tree), tree, call);
        if let Some(index) = self.values.get(&key) {
            return Ok(Ok(*index));
        }
        let written = files::written(tree, &self.redaction, call.secrets(), &self.naming);
        let written = match written {
            Ok(written) => written,
            Err(why) => return Ok(Err(why)),
        };
        let index = self.share(key, tree);
        if written.found {
            self.redacted.insert(index);
        }
        // Paths are redacted already, and the names of contents must not be.
        let begun = self.text.len();
        self.text.push(b'V');
        serde_json::to_writer(&mut self.text, &written.tree).map_err(RecordingError::damaged)?;
        self.text.push(b'\n');
        let (contents, bytes) = &mut self.of_call;
        contents.extend(written.contents);
        *bytes += self.text.len() - begun;
        Ok(Ok(index))
    }

    fn value<T: Any + Send + Sync>(
        &mut self,
        call: &RecordedCall,
        at: usize,
        held: &Arc<T>,
        value: &(impl Serialize + ?Sized),
    ) -> Result<usize, RecordingError> {
        let key = key(at, held, call);
        if let Some(index) = self.values.get(&key) {
            return Ok(*index);
        }
        let index = self.share(key, held);
        let line = serde_json::to_vec(value).map_err(RecordingError::damaged)?;
        if self.line(b'V', line, call)? {
            self.redacted.insert(index);
        }
        Ok(index)
    }

    /// The number of a value that is written next.
    fn share<T: Any + Send + Sync>(&mut self, key: Key, held: &Arc<T>) -> usize {
        let index = self.next_value;
        self.next_value += 1;
        self.values.insert(key, index);
        self.held.push(held.clone());
        index
    }

    /// Writes a line, without what must not be written. Returns whether a rule found something.
    fn line(
        &mut self,
        kind: u8,
        line: Vec<u8>,
        call: &RecordedCall,
    ) -> Result<bool, RecordingError> {
        let mut is_redacted = false;
        self.text.push(kind);
        if self.redaction.is_needed(call.secrets()) {
            let value = serde_json::from_slice(&line).map_err(RecordingError::damaged)?;
            let (mut value, found) = self.redaction.apply(value, call.secrets());
            is_redacted = found;
            if found && let Some(call) = value.as_object_mut().filter(|_| kind == b'C') {
                call.insert("redacted".to_owned(), true.into());
            }
            serde_json::to_writer(&mut self.text, &value).map_err(RecordingError::damaged)?;
        } else {
            self.text.extend_from_slice(&line);
        }
        self.text.push(b'\n');
        Ok(is_redacted)
    }

    /// Ends the block, and begins the next.
    pub fn finish(&mut self) -> Block {
        let block = Block {
            summary: std::mem::take(&mut self.summary),
            raw: self.text.len(),
            bytes: lz4_flex::block::compress_prepend_size(&self.text),
            contents: std::mem::take(&mut self.contents).into_values().collect(),
        };
        self.begin();
        block
    }
}

fn key<T>(at: usize, _: &Arc<T>, call: &RecordedCall) -> Key {
    let secrets = Arc::as_ptr(call.secrets()).addr();
    (at, std::mem::size_of::<T>(), secrets)
}

fn address<T>(value: &Arc<T>) -> usize {
    Arc::as_ptr(value).addr()
}
