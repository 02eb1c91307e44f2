//! The destinations of answers: the client, or the answer to a batch.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::mpsc;

/// The destination of an answer.
#[derive(Debug, Clone, Default)]
pub(super) enum Reply {
    /// The client, as a separate message.
    #[default]
    Alone,
    /// The answer to a batch.
    Batch(Arc<Batch>),
}

/// The answers to a batch, which are sent together.
#[derive(Debug)]
pub(super) struct Batch {
    answers: Mutex<Answers>,
    to_client: mpsc::Sender<String>,
}

#[derive(Debug)]
struct Answers {
    texts: Vec<String>,
    missing: usize,
}

impl Batch {
    /// Creates a batch of this number of requests.
    pub(super) fn new(requests: usize, to_client: mpsc::Sender<String>) -> Arc<Self> {
        Arc::new(Self {
            answers: Mutex::new(Answers {
                texts: Vec::new(),
                missing: requests,
            }),
            to_client,
        })
    }

    fn add(&self, text: Option<String>) -> Option<String> {
        let mut answers = self.answers.lock();
        answers.texts.extend(text);
        answers.missing = answers.missing.saturating_sub(1);
        let is_whole = answers.missing == 0 && !answers.texts.is_empty();
        is_whole.then(|| format!("[{}]", answers.texts.join(",")))
    }
}

impl Reply {
    /// Sends an answer.
    pub(super) async fn send(&self, to_client: &mpsc::Sender<String>, text: String) {
        let text = match self {
            Self::Alone => Some(text),
            Self::Batch(batch) => batch.add(Some(text)),
        };
        if let Some(text) = text {
            // A client that is gone needs no answer.
            let _ = to_client.send(text).await;
        }
    }

    /// Records that a cancelled request has no answer.
    pub(super) fn none(&self) {
        if let Self::Batch(batch) = self
            && let Some(text) = batch.add(None)
        {
            let batch = batch.clone();
            tokio::spawn(async move { batch.to_client.send(text).await });
        }
    }
}
