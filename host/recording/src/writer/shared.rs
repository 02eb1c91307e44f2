//! The values that calls of a block share. Each is written once, and has a number.

use std::sync::Arc;

use portcullis::capabilities::View;
use portcullis::contract::{ContentPart, Message};
use portcullis::prompt::Prompt;
use portcullis::recording::{FileTree, RecordedCall};
use portcullis::session::AgentState;
use serde::Serialize;
use serde_json::Value;

use super::BlockWriter;
use crate::error::RecordingError;
use crate::files::{self, DirectoryLine};
use crate::fits;
use crate::redact::{Found, Redaction};

/// The identity of a shared value: its address, its size, and the secrets removed from it.
pub(super) type Key = (usize, usize, usize);

impl BlockWriter {
    /// Returns the views that calls share, and writes those that are not in the block yet.
    pub(super) fn shared(
        &mut self,
        call: &RecordedCall,
    ) -> Result<Vec<(&'static str, usize)>, RecordingError> {
        let views = call.views();
        let mut shared = Vec::new();
        for view in call.imported_views() {
            let index = match view {
                View::Content => {
                    let fits = fits::is::<Vec<ContentPart>>;
                    self.value(call, &views.content, |content| content, fits)?
                }
                View::Conversation => {
                    let fits = fits::is::<Vec<Message>>;
                    self.value(call, &views.conversation, |messages| messages, fits)?
                }
                View::ToolCatalog => self.value(
                    call,
                    &views.tools,
                    |tools| tools.specs().collect::<Vec<_>>(),
                    fits::are_tools,
                )?,
                View::Prompt => {
                    self.value(call, &views.prompt, |prompt| prompt, fits::is::<Prompt>)?
                }
                View::AgentState => {
                    self.value(call, &views.state, |state| state, fits::is::<AgentState>)?
                }
                View::ToolData | View::Session | View::Verdict => continue,
            };
            shared.push((view.name(), index));
        }
        Ok(shared)
    }

    /// Returns the directories of a call, and writes the trees that are not in the block yet.
    /// Returns a reason instead if they are not kept.
    pub(super) fn directories(
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
        let key = key(tree, call);
        if let Some(index) = self.values.get(&key) {
            return Ok(Ok(*index));
        }
        let written = files::written(tree, &self.redaction, call.secrets(), &self.naming);
        let written = match written {
            Ok(written) => written,
            Err(why) => return Ok(Err(why)),
        };
        let index = self.share(key);
        if written.found {
            let found = Found {
                rule: true,
                ..Found::default()
            };
            self.found.insert(index, found);
        }
        // Paths are redacted already, and the names of contents must stay.
        let begun = self.text.len();
        self.text.push(b'V');
        serde_json::to_writer(&mut self.text, &written.tree).map_err(RecordingError::damaged)?;
        self.text.push(b'\n');
        let (contents, bytes) = &mut self.of_call;
        contents.extend(written.contents);
        *bytes += self.text.len() - begun;
        Ok(Ok(index))
    }

    /// Returns the number of a value that calls share, and writes it if it is not in the block yet.
    fn value<'v, T, W: Serialize>(
        &mut self,
        call: &RecordedCall,
        value: &'v Arc<T>,
        written: impl FnOnce(&'v T) -> W,
        fits: fn(&Value) -> bool,
    ) -> Result<usize, RecordingError> {
        let key = key(value, call);
        if let Some(index) = self.values.get(&key) {
            return Ok(*index);
        }
        let index = self.share(key);
        let write = |line: &mut Vec<u8>| -> Result<(), RecordingError> {
            serde_json::to_writer(line, &written(value)).map_err(RecordingError::damaged)
        };
        let redact =
            |redaction: &Redaction, value: Value| redaction.shaped(value, call.secrets(), fits);
        let found = self.line(b'V', call, write, redact)?;
        self.found.insert(index, found);
        Ok(index)
    }

    /// Returns the number of the value that is written next.
    fn share(&mut self, key: Key) -> usize {
        let index = self.next_value;
        self.next_value += 1;
        self.values.insert(key, index);
        self.is_new = true;
        index
    }
}

fn key<T>(value: &Arc<T>, call: &RecordedCall) -> Key {
    let secrets = Arc::as_ptr(call.secrets()).addr();
    (Arc::as_ptr(value).addr(), std::mem::size_of::<T>(), secrets)
}
