//! Pieces of a response on their way to subscribers, past the `llm-delta` hooks.
//!
//! Where a hook serves `llm-delta`, what providers send is gathered into pieces, and each passes the
//! hooks before anybody sees it. What they change or hold back is changed in the response too: text
//! that was suppressed is in no later value, message or memory.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use portcullis::contract::{ContentPart, StopSignal};
use portcullis::points::llm_delta::{Delta as DeltaFacts, DeltaKind};
use portcullis::points::{LlmDelta, PostLlmCall, PostTurn};
use portcullis::{Decision, HookFailed, HookId};

use super::running::{Running, count};
use crate::config::Deltas;
use crate::events::{AgentEvent, CallPurpose};
use crate::provider::{Delta, DeltaSink};

/// Takes the pieces of one response.
pub(super) struct Pieces<'a> {
    running: &'a Running,
    /// Whether subscribers may have them.
    shown: bool,
    /// Whether hooks are asked about them.
    asked: bool,
    text: Stream,
    thinking: Stream,
    /// Set once nobody wants the rest.
    cut: Option<Cut>,
}

/// Why nobody wants the rest of a response.
pub(super) enum Cut {
    /// A hook ends the turn.
    Stopped { by: HookId, signal: StopSignal },
    /// A hook that must not fail failed.
    Failed(HookFailed),
}

/// The pieces of one kind.
#[derive(Default)]
struct Stream {
    /// What came and is not handed on.
    held: String,
    since: Option<Instant>,
    index: u32,
    /// All that came.
    raw: String,
    /// All that passed.
    passed: String,
    ended: bool,
    /// Whether the response says something else than what came.
    differs: bool,
}

impl Stream {
    /// The response says this in all: what did not come as a piece is still to be seen. Of a
    /// response that says something else than its pieces did, the pieces count: hooks saw them.
    fn complete(&mut self, whole: &str) {
        match whole.strip_prefix(self.raw.as_str()) {
            Some(rest) => {
                self.held.push_str(rest);
                self.raw.push_str(rest);
            }
            None => self.differs = true,
        }
    }
}

/// What became of a response's pieces.
pub(super) struct Streamed {
    pub(super) cut: Option<Cut>,
    /// The text that passed, where hooks were asked.
    text: Option<String>,
    thinking: Option<String>,
}

impl Running {
    /// The sink for a call's pieces.
    pub(super) fn pieces(&self, purpose: CallPurpose) -> Pieces<'_> {
        let step = purpose == CallPurpose::Step;
        let may_be_seen = match self.shared.context.config.deltas {
            Deltas::Always => true,
            Deltas::Never => false,
            Deltas::UnlessGuarded => {
                !self.hooks.decides::<PostLlmCall>() && !self.hooks.decides::<PostTurn>()
            }
        };
        Pieces {
            running: self,
            shown: may_be_seen && step,
            asked: step && self.hooks.serves::<LlmDelta>(),
            text: Stream::default(),
            thinking: Stream::default(),
            cut: None,
        }
    }
}

#[async_trait]
impl DeltaSink for Pieces<'_> {
    async fn push(&mut self, delta: Delta<'_>) -> ControlFlow<()> {
        if self.cut.is_some() {
            return ControlFlow::Break(());
        }
        let (kind, piece) = match delta {
            Delta::Text(text) => (DeltaKind::Text, text),
            Delta::Thinking(text) => (DeltaKind::Thinking, text),
        };
        if !self.asked {
            self.show(kind, piece);
            return ControlFlow::Continue(());
        }
        let config = &self.running.shared.context.config.pieces;
        let (bytes, age) = (config.bytes, Duration::from_millis(config.millis));
        let stream = self.stream(kind);
        stream.raw.push_str(piece);
        stream.held.push_str(piece);
        let since = *stream.since.get_or_insert_with(Instant::now);
        if stream.held.len() >= bytes || since.elapsed() >= age {
            self.hand_on(kind, false).await;
        }
        match self.cut {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

impl Pieces<'_> {
    /// The response is whole, or cut off: hands on what is left. Of a provider that sends no
    /// pieces, `content` is the first that is seen.
    pub(super) async fn finish(mut self, content: &[ContentPart]) -> Streamed {
        if self.asked {
            for kind in [DeltaKind::Thinking, DeltaKind::Text] {
                self.stream(kind).complete(&joined(content, kind));
                if !self.stream(kind).raw.is_empty() && self.cut.is_none() {
                    self.hand_on(kind, true).await;
                }
            }
        }
        let cut_off = self.cut.is_some();
        let changed = |stream: Stream| {
            (cut_off || stream.differs || stream.raw != stream.passed).then_some(stream.passed)
        };
        let (text, thinking) = match self.asked {
            true => (changed(self.text), changed(self.thinking)),
            false => (None, None),
        };
        Streamed {
            cut: self.cut,
            text,
            thinking,
        }
    }

    /// Whether nobody wants the rest.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    fn stream(&mut self, kind: DeltaKind) -> &mut Stream {
        match kind {
            DeltaKind::Text => &mut self.text,
            DeltaKind::Thinking => &mut self.thinking,
        }
    }

    async fn hand_on(&mut self, kind: DeltaKind, last: bool) {
        let stream = self.stream(kind);
        if stream.ended {
            return;
        }
        stream.ended = last;
        stream.since = None;
        let piece = std::mem::take(&mut stream.held);
        let facts = DeltaFacts {
            kind,
            index: stream.index,
            bytes: count(piece.len()),
            last,
        };
        stream.index += 1;
        let content = Arc::new(vec![ContentPart::Text(piece)]);
        let conversation = self.running.conversation.clone();
        let ran = self
            .running
            .ask::<LlmDelta>(facts, |views| {
                views.content = content;
                views.conversation = conversation;
            })
            .await;
        match ran.decision {
            Decision::Passed => {
                let piece = joined(&ran.views.content, DeltaKind::Text);
                self.show(kind, &piece);
                self.stream(kind).passed.push_str(&piece);
            }
            Decision::Rejected { by, .. } => self
                .running
                .emit(|| AgentEvent::DeltaWithheld { by: by.to_string() }),
            Decision::Stopped { by, stop } => self.cut = Some(Cut::Stopped { by, signal: stop }),
            Decision::Failed(failed) => self.cut = Some(Cut::Failed(failed)),
            Decision::Answered { answer, .. } => match answer {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
    }

    fn show(&self, kind: DeltaKind, piece: &str) {
        if !self.shown || piece.is_empty() {
            return;
        }
        self.running.emit(|| match kind {
            DeltaKind::Text => AgentEvent::TextDelta { text: piece.into() },
            DeltaKind::Thinking => AgentEvent::ThinkingDelta { text: piece.into() },
        });
    }
}

impl Streamed {
    /// The response as the hooks left its pieces.
    pub(super) fn apply(&self, mut content: Vec<ContentPart>) -> Vec<ContentPart> {
        if let Some(text) = &self.text {
            content = put(content, DeltaKind::Text, text);
        }
        if let Some(thinking) = &self.thinking {
            content = put(content, DeltaKind::Thinking, thinking);
        }
        content
    }

    /// What a response that was cut off said.
    pub(super) fn said(self) -> Vec<ContentPart> {
        let text = self.text.unwrap_or_default();
        match text.is_empty() {
            true => Vec::new(),
            false => vec![ContentPart::Text(text)],
        }
    }
}

/// What the parts of a kind say, joined.
fn joined(content: &[ContentPart], kind: DeltaKind) -> String {
    content
        .iter()
        .filter_map(|part| match (part, kind) {
            (ContentPart::Text(text), DeltaKind::Text)
            | (ContentPart::Thinking(text), DeltaKind::Thinking) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// Puts this text in the place of all parts of a kind: where the first of them is.
fn put(content: Vec<ContentPart>, kind: DeltaKind, text: &str) -> Vec<ContentPart> {
    let is_kind = |part: &ContentPart| {
        matches!(
            (part, kind),
            (ContentPart::Text(_), DeltaKind::Text)
                | (ContentPart::Thinking(_), DeltaKind::Thinking)
        )
    };
    let at = content.iter().position(is_kind).unwrap_or(0);
    let mut kept: Vec<ContentPart> = content.into_iter().filter(|part| !is_kind(part)).collect();
    if !text.is_empty() {
        let part = match kind {
            DeltaKind::Text => ContentPart::Text(text.to_owned()),
            DeltaKind::Thinking => ContentPart::Thinking(text.to_owned()),
        };
        kept.insert(at.min(kept.len()), part);
    }
    kept
}
