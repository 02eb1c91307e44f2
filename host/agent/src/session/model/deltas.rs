//! The pieces of a response, which pass the `llm-delta` hooks and are sent to subscribers.
//!
//! If a hook serves `llm-delta`, the provider's stream is gathered into pieces, and the hooks see
//! each piece before any subscriber. Their changes also apply to the response: suppressed text is
//! not in any later value, message or memory.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::contract::{ContentPart, StopSignal};
use portcullis::points::llm_delta::{Delta as DeltaFacts, DeltaKind};
use portcullis::points::{LlmDelta, PostLlmCall, PostTurn};
use portcullis::verdict::HookFailed;
use portcullis::{Decision, HookId};
use serde::{Deserialize, Serialize};

use crate::basics::units::count;
use crate::config::Deltas;
use crate::events::{AgentEvent, CallPurpose};
use crate::provider::{Delta, DeltaSink, Signature, Signatures};
use crate::session::state::SessionState;

/// Receives the pieces of one response.
pub(super) struct Pieces<'a> {
    session: &'a SessionState,
    /// Whether subscribers receive the pieces.
    shown: bool,
    /// Whether hooks see the pieces.
    asked: bool,
    text: Stream,
    thinking: Stream,
    signatures: Signatures,
    /// The reason that the response is cut off, if a hook has cut it off.
    cut: Option<Cut>,
}

/// The reason that a response is cut off.
#[derive(Serialize, Deserialize)]
pub(super) enum Cut {
    /// A hook stops the turn.
    Stopped { by: HookId, signal: StopSignal },
    /// A hook that must not fail failed.
    Failed(HookFailed),
}

/// The pieces of one kind.
#[derive(Default)]
struct Stream {
    /// The text that has arrived and is not yet passed on.
    held: String,
    since: Option<Instant>,
    index: u32,
    /// All text that has arrived.
    raw: String,
    /// All text that has passed the hooks.
    passed: String,
    ended: bool,
    /// Whether the response differs from its pieces.
    differs: bool,
}

impl Stream {
    /// Adds the rest of the whole response after its pieces. If the response differs from its
    /// pieces, the pieces are used, because hooks have seen them.
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

/// A streamed response after the hooks have run on its pieces.
pub(super) struct Streamed {
    pub(super) cut: Option<Cut>,
    /// The text that passed the hooks, if it differs.
    text: Option<String>,
    thinking: Option<String>,
    /// The signatures of the provider's reasoning.
    pub(super) signatures: Signatures,
}

impl DeltaSink for Pieces<'_> {
    fn push<'p>(&'p mut self, delta: Delta<'p>) -> BoxFuture<'p, ControlFlow<()>> {
        async move {
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
            let config = &self.session.shared.context.config.pieces;
            let (bytes, age) = (config.bytes, Duration::from_millis(config.millis));
            let stream = self.stream(kind);
            stream.raw.push_str(piece);
            stream.held.push_str(piece);
            let since = *stream.since.get_or_insert_with(Instant::now);
            if stream.held.len() >= bytes || since.elapsed() >= age {
                self.pass_on(kind, false).await;
            }
            match self.cut {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        }
        .boxed()
    }

    fn sign(&mut self, reasoning: &str, signature: Signature) {
        self.signatures.add(reasoning, signature);
    }
}

impl<'a> Pieces<'a> {
    /// Returns the sink for a call's pieces.
    pub(super) fn new(session: &'a SessionState, purpose: CallPurpose) -> Self {
        let step = purpose == CallPurpose::Step;
        let may_be_shown = match session.shared.context.config.deltas {
            Deltas::Always => true,
            Deltas::Never => false,
            Deltas::UnlessGuarded => {
                !session.hooks.decides::<PostLlmCall>() && !session.hooks.decides::<PostTurn>()
            }
        };
        Self {
            session,
            shown: may_be_shown && step,
            asked: step && session.hooks.serves::<LlmDelta>(),
            text: Stream::default(),
            thinking: Stream::default(),
            signatures: Signatures::default(),
            cut: None,
        }
    }

    /// Passes on the remaining text once the response is complete or cut off. If the provider sent
    /// no pieces, hooks see `content` first.
    pub(super) async fn finish(mut self, content: &[ContentPart]) -> Streamed {
        if self.asked {
            for kind in [DeltaKind::Thinking, DeltaKind::Text] {
                self.stream(kind).complete(&joined(content, kind));
                if !self.stream(kind).raw.is_empty() && self.cut.is_none() {
                    self.pass_on(kind, true).await;
                }
            }
        }
        let cut_off = self.cut.is_some();
        let changed = |stream: Stream| {
            (cut_off || stream.differs || stream.raw != stream.passed).then_some(stream.passed)
        };
        let (text, thinking) = if self.asked {
            (changed(self.text), changed(self.thinking))
        } else {
            (None, None)
        };
        Streamed {
            cut: self.cut,
            text,
            thinking,
            signatures: self.signatures,
        }
    }

    /// Returns whether a hook has cut the response off.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    fn stream(&mut self, kind: DeltaKind) -> &mut Stream {
        match kind {
            DeltaKind::Text => &mut self.text,
            DeltaKind::Thinking => &mut self.thinking,
        }
    }

    async fn pass_on(&mut self, kind: DeltaKind, last: bool) {
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
        let fired = self
            .session
            .ask::<LlmDelta>(facts, |views| views.content = content)
            .await;
        match fired.decision {
            Decision::Passed => {
                let piece = joined(&fired.views.content, DeltaKind::Text);
                self.show(kind, &piece);
                self.stream(kind).passed.push_str(&piece);
            }
            Decision::Rejected { by, .. } => self
                .session
                .emit(|| AgentEvent::DeltaWithheld { by: by.to_string() }),
            Decision::Stopped { by, stop } => self.cut = Some(Cut::Stopped { by, signal: stop }),
            Decision::Failed(failed) => self.cut = Some(Cut::Failed(failed)),
        }
    }

    fn show(&self, kind: DeltaKind, piece: &str) {
        if !self.shown || piece.is_empty() {
            return;
        }
        // The journal does not record pieces, so none is built without a listener.
        let Self { session, .. } = self;
        session.events.emit_at(&session.position, || match kind {
            DeltaKind::Text => AgentEvent::TextDelta { text: piece.into() },
            DeltaKind::Thinking => AgentEvent::ThinkingDelta { text: piece.into() },
        });
    }
}

impl Streamed {
    /// Returns the response with the hooks' changes of its pieces.
    pub(super) fn apply(&self, mut content: Vec<ContentPart>) -> Vec<ContentPart> {
        if let Some(text) = &self.text {
            content = put(content, DeltaKind::Text, text);
        }
        if let Some(thinking) = &self.thinking {
            content = put(content, DeltaKind::Thinking, thinking);
        }
        content
    }

    /// Returns the content of a response up to its cut.
    pub(super) fn said(self) -> Vec<ContentPart> {
        let text = self.text.unwrap_or_default();
        if text.is_empty() {
            Vec::new()
        } else {
            vec![ContentPart::Text(text)]
        }
    }
}

/// Returns the text of the parts of a kind.
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

/// Replaces all parts of a kind by this text, at the position of the first of them.
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
