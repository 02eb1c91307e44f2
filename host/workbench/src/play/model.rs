//! A model with the answers of a case.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::completion::{Completion, ModelClient, ModelError, ModelQuery};
use portcullis::contract::{StopReason, Usage};

use super::Record;

/// The model's answer to one prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelAnswer {
    /// The model writes this text.
    Text(String),
    /// The provider fails with this message.
    Error(String),
}

/// A model that gives the answers in order, and keeps the prompts.
pub(super) struct ScriptedModel {
    answers: Mutex<VecDeque<ModelAnswer>>,
    record: Arc<Record>,
}

impl ScriptedModel {
    pub(super) fn new(answers: &[ModelAnswer], record: Arc<Record>) -> Self {
        Self {
            answers: Mutex::new(answers.iter().cloned().collect()),
            record,
        }
    }
}

impl ModelClient for ScriptedModel {
    fn complete<'a>(
        &'a self,
        query: ModelQuery<'a>,
    ) -> BoxFuture<'a, Result<Completion, ModelError>> {
        self.record.asked(query.prompt);
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = match answers.pop_front() {
            Some(ModelAnswer::Text(text)) => Ok(Completion {
                text,
                stop: StopReason::EndTurn,
                // No usage: the host estimates it.
                usage: Usage {
                    input_tokens: 0,
                    output_tokens: 0,
                    cache_read_tokens: 0,
                    cache_write_tokens: 0,
                },
            }),
            Some(ModelAnswer::Error(message)) => Err(ModelError::Provider(message)),
            None => {
                self.record.is_missing(
                    "the hook asked the model, and `model` has no answer left; write one for each prompt: model = [\"…\"]"
                        .to_owned(),
                );
                Err(ModelError::NoModel(
                    "there is no answer for this prompt; a case lists them in `model`".to_owned(),
                ))
            }
        };
        std::future::ready(answer).boxed()
    }
}
