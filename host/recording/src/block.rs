//! Blocks of calls.

use std::any::Any;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io::Write as _;
use std::sync::Arc;

use portcullis::capabilities::View;
use portcullis::recording::{RecordedCall, RecordedSetup, World};
use serde::Serialize;
use serde_json::Value;

use crate::age::{self, Identities, Recipient};
use crate::call::{Line, Outcome, StoredCall, ToolData};
use crate::error::RecordingError;
use crate::redact::Redaction;

/// The format that is written.
pub const FORMAT: u32 = 1;

/// What is known of a block without reading it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// When its first call began, in milliseconds since 1970.
    pub first_ms: u64,
    /// When its last call began.
    pub last_ms: u64,
    /// How many calls it has.
    pub calls: usize,
    /// The hooks of its calls.
    pub hooks: BTreeSet<String>,
}

/// A block that is written.
#[derive(Debug)]
pub struct Block {
    /// What it has.
    pub summary: Summary,
    /// Its bytes, compressed.
    pub bytes: Vec<u8>,
    /// How long its text is.
    pub raw: usize,
}

impl Block {
    /// The block as a file of age that each of the recipients can read. Without recipients it stays as it is.
    ///
    /// # Errors
    ///
    /// The system gives no random numbers, or a recipient is no point of the curve.
    pub fn encrypted(mut self, recipients: &[Recipient]) -> Result<Self, RecordingError> {
        if !recipients.is_empty() {
            self.bytes = age::encrypt(&self.bytes, recipients)?;
        }
        Ok(self)
    }
}

/// Writes calls into blocks.
pub struct BlockWriter {
    redaction: Redaction,
    /// The most bytes of a call.
    most: usize,
    text: Vec<u8>,
    summary: Summary,
    setups: HashMap<(usize, usize), usize>,
    written: HashMap<Vec<u8>, usize>,
    values: HashMap<(usize, usize, usize), usize>,
    next_value: usize,
    /// Kept, so that no address is used twice in a block.
    held: Vec<Arc<dyn Any + Send + Sync>>,
    calls: Vec<RecordedCall>,
}

impl BlockWriter {
    /// Calls that take more than `most` bytes are only counted.
    pub fn new(redaction: Redaction, most: usize) -> Self {
        let mut writer = Self {
            redaction,
            most,
            text: Vec::new(),
            summary: Summary::default(),
            setups: HashMap::new(),
            written: HashMap::new(),
            values: HashMap::new(),
            next_value: 0,
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
        self.held.clear();
        self.calls.clear();
        self.summary = Summary::default();
    }

    /// How long the text is so far.
    pub fn len(&self) -> usize {
        self.text.len()
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
        self.call(id, at, setup, &call)?;
        if self.text.len() - body > self.most {
            let bytes = self.text.len() - body;
            self.text.truncate(body);
            self.next_value = value;
            self.values.retain(|_, index| *index < value);
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
        field(&mut line, "world", &call.world)?;
        field(&mut line, "outcome", &outcome(call)?)?;
        close(&mut line);
        self.line(b'C', line, call)
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
        self.line(b'C', line, call)
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

    fn value<T: Any + Send + Sync>(
        &mut self,
        call: &RecordedCall,
        at: usize,
        held: &Arc<T>,
        value: &(impl Serialize + ?Sized),
    ) -> Result<usize, RecordingError> {
        let key = (
            at,
            std::mem::size_of::<T>(),
            Arc::as_ptr(call.secrets()).addr(),
        );
        if let Some(index) = self.values.get(&key) {
            return Ok(*index);
        }
        let index = self.next_value;
        self.next_value += 1;
        self.values.insert(key, index);
        self.held.push(held.clone());
        let line = serde_json::to_vec(value).map_err(RecordingError::damaged)?;
        self.line(b'V', line, call)?;
        Ok(index)
    }

    /// Writes a line, without what must not be written.
    fn line(&mut self, kind: u8, line: Vec<u8>, call: &RecordedCall) -> Result<(), RecordingError> {
        self.text.push(kind);
        if self.redaction.is_needed(call.secrets()) {
            let value = serde_json::from_slice(&line).map_err(RecordingError::damaged)?;
            let (mut value, found) = self.redaction.apply(value, call.secrets());
            if found && let Some(call) = value.as_object_mut().filter(|_| kind == b'C') {
                call.insert("redacted".to_owned(), true.into());
            }
            serde_json::to_writer(&mut self.text, &value).map_err(RecordingError::damaged)?;
        } else {
            self.text.extend_from_slice(&line);
        }
        self.text.push(b'\n');
        Ok(())
    }

    /// Ends the block, and begins the next.
    pub fn finish(&mut self) -> Block {
        let block = Block {
            summary: std::mem::take(&mut self.summary),
            raw: self.text.len(),
            bytes: lz4_flex::block::compress_prepend_size(&self.text),
        };
        self.begin();
        block
    }
}

fn address<T>(value: &Arc<T>) -> usize {
    Arc::as_ptr(value).addr()
}

/// The result of a call, and what it got of the world, without secrets.
///
/// # Errors
///
/// JSON cannot say it.
pub fn ended(call: &RecordedCall) -> Result<(Outcome, World), RecordingError> {
    let outcome = outcome(call)?;
    if call.secrets().is_empty() {
        return Ok((outcome, call.world.clone()));
    }
    let both = serde_json::to_value((outcome, &call.world)).map_err(RecordingError::damaged)?;
    let both = call.secrets().redact_json(both);
    serde_json::from_value(both).map_err(RecordingError::damaged)
}

fn outcome(call: &RecordedCall) -> Result<Outcome, RecordingError> {
    let json = |bytes: &[u8]| serde_json::from_slice(bytes).map_err(RecordingError::damaged);
    let value = call.value().map_err(RecordingError::damaged)?;
    let run = &call.run;
    Ok(Outcome {
        status: serde_json::to_value(&run.status).map_err(RecordingError::damaged)?,
        fuel: run.fuel,
        micros: u64::try_from(run.latency.as_micros()).unwrap_or(u64::MAX),
        value: value.as_deref().map(json).transpose()?,
        said: call.said.as_deref().map(json).transpose()?,
        contributed: run
            .contributed
            .iter()
            .map(|record| (record.kind.to_owned(), record.digest.to_string()))
            .collect(),
    })
}

/// Writes a field of an object, and a comma.
fn field<T: Serialize + ?Sized>(
    line: &mut Vec<u8>,
    name: &str,
    value: &T,
) -> Result<(), RecordingError> {
    // A vector takes everything.
    let _ = write!(line, "\"{name}\":");
    serde_json::to_writer(&mut *line, value).map_err(RecordingError::damaged)?;
    line.push(b',');
    Ok(())
}

fn raw(line: &mut Vec<u8>, name: &str, json: &[u8]) {
    let _ = write!(line, "\"{name}\":");
    line.extend_from_slice(json);
    line.push(b',');
}

/// Ends an object: in the place of the last comma, if there is one.
fn close(line: &mut Vec<u8>) {
    if line.last() == Some(&b',') {
        line.pop();
    }
    line.push(b'}');
}

/// Reads the calls of a block that a host wrote, in the order in which they ended.
///
/// # Errors
///
/// It is damaged, written by a newer version, or encrypted for others than these identities.
pub fn read(
    host: i64,
    bytes: &[u8],
    identities: &Identities,
) -> Result<Vec<StoredCall>, RecordingError> {
    let bytes = match age::is_encrypted(bytes) {
        true => Cow::Owned(age::decrypt(bytes, identities)?),
        false => Cow::Borrowed(bytes),
    };
    let text =
        lz4_flex::block::decompress_size_prepended(&bytes).map_err(RecordingError::damaged)?;
    let mut lines = text.split(|byte| *byte == b'\n');
    let format = lines.next().and_then(|line| std::str::from_utf8(line).ok());
    let format: Option<u32> = format.and_then(|format| format.parse().ok());
    match format {
        Some(1..=FORMAT) => {}
        Some(found) => {
            return Err(RecordingError::Newer {
                found,
                known: FORMAT,
            });
        }
        None => return Err(RecordingError::Damaged("it has no format".to_owned())),
    }
    let (mut setups, mut values, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    let mut sessions: HashMap<String, Arc<str>> = HashMap::new();
    for line in lines {
        match line.split_first() {
            None => {}
            Some((b'S', json)) => setups.push(Arc::new(parsed::<RecordedSetup>(json)?)),
            Some((b'V', json)) => values.push(Arc::new(parsed::<Value>(json)?)),
            Some((b'C', json)) => {
                let line: Line = parsed(json)?;
                calls.push(stored(host, line, &setups, &values, &mut sessions)?);
            }
            // Of a later version that changed nothing else.
            Some(_) => {}
        }
    }
    Ok(calls)
}

fn parsed<T: serde::de::DeserializeOwned>(json: &[u8]) -> Result<T, RecordingError> {
    serde_json::from_slice(json).map_err(RecordingError::damaged)
}

fn stored(
    host: i64,
    line: Line,
    setups: &[Arc<RecordedSetup>],
    values: &[Arc<Value>],
    sessions: &mut HashMap<String, Arc<str>>,
) -> Result<StoredCall, RecordingError> {
    let lost =
        |what: &str| RecordingError::Damaged(format!("a call names {what} that is not there"));
    let mut views = std::collections::BTreeMap::new();
    for (name, index) in line.shared {
        let value = values.get(index).ok_or_else(|| lost("a view"))?;
        views.insert(name, value.clone());
    }
    for (name, value) in line.views {
        views.insert(name, Arc::new(value));
    }
    let session = sessions
        .entry(line.session)
        .or_insert_with_key(|id| id.as_str().into());
    Ok(StoredCall {
        host,
        id: line.id,
        at_ms: line.at,
        session: session.clone(),
        setup: setups
            .get(line.setup)
            .ok_or_else(|| lost("a setup"))?
            .clone(),
        instance: line.instance,
        point: line.point,
        context: line.context,
        subject: line.subject,
        views,
        world: line.world,
        outcome: line.outcome,
        redacted: line.redacted,
        too_large: line.too_large,
    })
}
