//! Writing calls into blocks.

mod shared;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use portcullis::capabilities::View;
use portcullis::recording::{RecordedCall, SharedData};
use serde_json::Value;

use crate::block::{Block, FORMAT, Summary};
use crate::call::ToolData;
use crate::compression;
use crate::error::RecordingError;
use crate::files::{NamedContent, Naming};
use crate::fits;
use crate::json::{close, field, name};
use crate::outcome;
use crate::redact::{Found, Redaction};
use shared::Key;

/// Writes calls into blocks.
pub struct BlockWriter {
    redaction: Redaction,
    naming: Naming,
    /// The largest size of a call, in bytes.
    most: usize,
    text: Vec<u8>,
    summary: Summary,
    /// The numbers of setups, and the redactions in each.
    setups: HashMap<(usize, usize), (usize, Found)>,
    written: HashMap<Vec<u8>, usize>,
    values: HashMap<Key, usize>,
    next_value: usize,
    /// The redactions in shared values.
    found: BTreeMap<usize, Found>,
    contents: BTreeMap<String, NamedContent>,
    content_bytes: usize,
    /// The contents of the files of the current call, and the bytes of its trees. Neither counts towards the call's
    /// size.
    of_call: (Vec<NamedContent>, usize),
    /// The data that has numbers. It is kept alive, so that no address is used twice in a block.
    held: Vec<SharedData>,
    /// Whether data of the current call got a number.
    is_new: bool,
}

impl BlockWriter {
    /// Creates a writer. Only the outcome is kept of a call that takes more than `most` bytes.
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
            found: BTreeMap::new(),
            contents: BTreeMap::new(),
            content_bytes: 0,
            of_call: (Vec::new(), 0),
            held: Vec::new(),
            is_new: false,
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
        self.found.clear();
        self.contents.clear();
        self.content_bytes = 0;
        self.held.clear();
        self.summary = Summary::default();
    }

    /// Returns the size in bytes so far, with the contents of the files that the block names.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.content_bytes
    }

    /// Returns the number of its calls.
    pub fn calls(&self) -> usize {
        self.summary.calls
    }

    /// Returns whether it has no calls.
    pub fn is_empty(&self) -> bool {
        self.summary.calls == 0
    }

    /// Writes a call.
    ///
    /// # Errors
    ///
    /// JSON cannot represent the call.
    pub fn add(&mut self, call: &RecordedCall) -> Result<(), RecordingError> {
        let added = self.write(call);
        if std::mem::take(&mut self.is_new) {
            self.held.push(call.shared());
        }
        added
    }

    fn write(&mut self, call: &RecordedCall) -> Result<(), RecordingError> {
        let at = u64::try_from(call.at.as_millis()).unwrap_or(u64::MAX);
        let setup = self.setup(call)?;
        let (body, value) = (self.text.len(), self.next_value);
        self.of_call = (Vec::new(), 0);
        let written = self.call(at, setup, call);
        let (contents, of_trees) = std::mem::take(&mut self.of_call);
        let bytes = self.text.len() - body - of_trees;
        if written.is_ok() && bytes <= self.most {
            self.keep(contents);
        } else {
            // The number of a value is its line's position in the block, so a value without a line
            // has no number.
            self.text.truncate(body);
            self.next_value = value;
            self.values.retain(|_, index| *index < value);
            self.found.retain(|index, _| *index < value);
            written?;
            self.stub(at, setup, call, bytes)?;
        }
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

    /// Returns the number of a call's setup, and the redactions in it.
    fn setup(&mut self, call: &RecordedCall) -> Result<(usize, Found), RecordingError> {
        let key = call.setup_key();
        if let Some(setup) = self.setups.get(&key) {
            return Ok(*setup);
        }
        let mut setup = serde_json::to_value(call.setup()).map_err(RecordingError::damaged)?;
        let mut found = Found::default();
        self.redaction.setup(&mut setup, call.secrets(), &mut found);
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
        self.setups.insert(key, (index, found));
        self.is_new = true;
        Ok((index, found))
    }

    fn call(
        &mut self,
        at: u64,
        (setup, mut found): (usize, Found),
        call: &RecordedCall,
    ) -> Result<(), RecordingError> {
        let shared = self.shared(call)?;
        let directories = self.directories(call)?;
        let in_shared = shared.iter().map(|(_, index)| *index);
        let in_directories = directories.iter().flatten();
        let in_directories =
            in_directories.flat_map(|line| std::iter::once(line.before).chain(line.after));
        for index in in_shared.chain(in_directories) {
            if let Some(of_value) = self.found.get(&index) {
                found.add(*of_value);
            }
        }
        let mut world = Cow::Borrowed(&call.world);
        if self.redaction.is_needed(call.secrets()) {
            self.redaction
                .world(world.to_mut(), call.secrets(), &mut found);
        }
        let directories = match directories {
            Ok(directories) => directories,
            Err(why) => {
                world.to_mut().missing.get_or_insert(why);
                Vec::new()
            }
        };
        if let Some(why) = found.missing {
            let missing = &mut world.to_mut().missing;
            missing.get_or_insert_with(|| why.to_owned());
        }
        let views = call.views();
        let write = |line: &mut Vec<u8>| -> Result<(), RecordingError> {
            begin(line, at, setup, call)?;
            field(line, "context", call.context())?;
            name(line, "subject");
            call.subject(line).map_err(RecordingError::damaged)?;
            line.push(b',');
            if !shared.is_empty() {
                line.extend_from_slice(b"\"shared\":{");
                for (name, index) in &shared {
                    field(line, name, index)?;
                }
                close(line);
                line.push(b',');
            }
            line.extend_from_slice(b"\"views\":{");
            for view in call.imported_views() {
                match view {
                    View::ToolData => field(
                        line,
                        "tool-data",
                        &ToolData {
                            arguments: Cow::Borrowed(&views.tool_arguments),
                            output: views.tool_output.as_deref().map(Cow::Borrowed),
                            offered_as: views.offered_as.as_deref().map(Cow::Borrowed),
                        },
                    )?,
                    View::Session => field(line, "session", &*views.session)?,
                    View::Verdict => {
                        if let Some(verdict) = views.verdict.as_deref() {
                            field(line, "verdict", verdict)?;
                        }
                    }
                    View::Conversation if views.turn_start <= views.conversation.len() => {
                        field(line, "turn-start", &views.turn_start)?;
                    }
                    _ => {}
                }
            }
            close(line);
            line.push(b',');
            field(line, "world", &*world)?;
            if !directories.is_empty() {
                field(line, "directories", &directories)?;
            }
            if found.rule {
                field(line, "redacted", &true)?;
            }
            name(line, "outcome");
            outcome::write(line, call, true)?;
            line.push(b'}');
            Ok(())
        };
        self.call_line(call, write)
    }

    /// Writes the call without its content, since it is too large.
    fn stub(
        &mut self,
        at: u64,
        (setup, found): (usize, Found),
        call: &RecordedCall,
        bytes: usize,
    ) -> Result<(), RecordingError> {
        let write = |line: &mut Vec<u8>| -> Result<(), RecordingError> {
            begin(line, at, setup, call)?;
            name(line, "outcome");
            outcome::write(line, call, false)?;
            line.push(b',');
            if found.rule {
                field(line, "redacted", &true)?;
            }
            field(line, "too-large", &bytes)?;
            close(line);
            Ok(())
        };
        self.call_line(call, write)
    }

    fn call_line(
        &mut self,
        call: &RecordedCall,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), RecordingError>,
    ) -> Result<(), RecordingError> {
        let fits = |subject: &Value| fits::subject(call.point(), subject);
        let redact = |redaction: &Redaction, mut line: Value| {
            redaction.call(&mut line, call.secrets(), fits);
            (line, Found::default())
        };
        self.line(b'C', call, write, redact).map(drop)
    }

    /// Writes a redacted line. Returns the redactions in it.
    fn line(
        &mut self,
        kind: u8,
        call: &RecordedCall,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), RecordingError>,
        redact: impl FnOnce(&Redaction, Value) -> (Value, Found),
    ) -> Result<Found, RecordingError> {
        let begun = self.text.len();
        self.text.push(kind);
        let written = write(&mut self.text).and_then(|()| self.redact(begun + 1, call, redact));
        match &written {
            Ok(_) => self.text.push(b'\n'),
            Err(_) => self.text.truncate(begun),
        }
        written
    }

    /// Redacts the JSON from the given position to the end. Returns the redactions.
    fn redact(
        &mut self,
        from: usize,
        call: &RecordedCall,
        redact: impl FnOnce(&Redaction, Value) -> (Value, Found),
    ) -> Result<Found, RecordingError> {
        if !self.redaction.is_needed(call.secrets()) {
            return Ok(Found::default());
        }
        let line = self.text.split_off(from);
        let value = serde_json::from_slice(&line).map_err(RecordingError::damaged)?;
        let (value, found) = redact(&self.redaction, value);
        serde_json::to_writer(&mut self.text, &value).map_err(RecordingError::damaged)?;
        Ok(found)
    }

    /// Ends the block, and begins the next.
    pub fn finish(&mut self) -> Block {
        let block = Block {
            summary: std::mem::take(&mut self.summary),
            raw: self.text.len(),
            bytes: compression::compress(&self.text),
            contents: std::mem::take(&mut self.contents).into_values().collect(),
        };
        self.begin();
        block
    }
}

/// Writes the first fields of a call's line.
fn begin(
    line: &mut Vec<u8>,
    at: u64,
    setup: usize,
    call: &RecordedCall,
) -> Result<(), RecordingError> {
    line.push(b'{');
    field(line, "id", &call.run.id)?;
    field(line, "at", &at)?;
    field(line, "session", &*call.session)?;
    field(line, "setup", &setup)?;
    field(line, "instance", &call.instance)?;
    field(line, "point", call.point().name())
}
