//! The agent's model for hooks with a grant for it.
//!
//! A call is sent directly to a provider: it runs no hooks, streams nothing and is not retried. Its
//! tokens are part of the turn's usage, and it has a separate row in the journal, with the point
//! `model`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::completion::{Completion, ModelClient, ModelError, ModelQuery};
use portcullis::contract::{Message, Role};
use portcullis::tools::ToolCatalog;

use crate::basics::units::{micros, millis, now_ms};
use crate::basics::usage::SessionUsage;
use crate::basics::{stop_reason, text};
use crate::events::{AgentEvent, EventSender, Position};
use crate::journal::{RunEnd, RunRecorder, RunRow, RunState, next_run_id};
use crate::provider::{LlmRequest, NoDeltas, Provider, ProviderError, Providers};

/// The point of a model call in the journal.
const POINT: &str = "model";

/// A client for the providers of a session's agent and of its parents.
pub(crate) struct HookModel {
    /// The providers of each agent, innermost first.
    pub(crate) providers: Vec<Providers>,
    /// The provider that the agent calls first, and its model.
    pub(crate) first: (String, String),
    pub(crate) timeout: Duration,
    pub(crate) session: Arc<str>,
    pub(crate) events: EventSender,
    pub(crate) journal: Option<Arc<dyn RunRecorder>>,
    pub(crate) usage: SessionUsage,
}

impl ModelClient for HookModel {
    fn complete<'a>(
        &'a self,
        query: ModelQuery<'a>,
    ) -> BoxFuture<'a, Result<Completion, ModelError>> {
        self.ask(query).boxed()
    }
}

impl HookModel {
    async fn ask(&self, query: ModelQuery<'_>) -> Result<Completion, ModelError> {
        let (provider, model, endpoint) = self.choose(&query)?;
        let record = Record::begin(self.journal.as_deref(), &query);
        let started = Instant::now();
        let request = LlmRequest {
            model: model.clone(),
            messages: Arc::new(messages(&query)),
            signatures: Arc::default(),
            tools: Arc::new(ToolCatalog::default()),
            temperature: None,
            max_output_tokens: Some(query.max_output_tokens),
            response_format: None,
            trace: None,
        };
        let mut ignored = NoDeltas;
        let calling = endpoint.complete(request, &mut ignored);
        let response = tokio::time::timeout(self.timeout, calling).await;
        let response = response.unwrap_or_else(|_| Err(timed_out(self.timeout)));
        if let Ok(response) = &response {
            self.usage.add(&response.usage);
        }
        let position = Position {
            session_id: self.session.clone(),
            turn: query.context.turn,
            step: query.context.step,
        };
        let error = response.as_ref().err().map(ToString::to_string);
        self.events
            .emit_at(&position, || AgentEvent::HookModelCall {
                hook: query.hook.to_string(),
                provider: provider.clone(),
                model: model.clone(),
                usage: response.as_ref().ok().map(|response| response.usage),
                error: error.clone(),
                elapsed_ms: millis(started.elapsed()),
            });
        match response {
            Ok(response) => {
                let usage = &response.usage;
                record.end(
                    RunState::Completed,
                    format!(
                        "{provider}/{model}: {} + {} tokens, {}",
                        usage.input_tokens,
                        usage.output_tokens,
                        stop_reason::name(&response.stop)
                    ),
                );
                Ok(Completion {
                    text: text::joined(&response.content),
                    stop: response.stop,
                    usage: response.usage,
                })
            }
            Err(error) => {
                let error = error.to_string();
                record.end(RunState::Failed, format!("{provider}/{model}: {error}"));
                Err(ModelError::Provider(error))
            }
        }
    }

    /// Returns the provider, its name and the model.
    fn choose(
        &self,
        query: &ModelQuery<'_>,
    ) -> Result<(String, String, &Arc<dyn Provider>), ModelError> {
        let (first, own_model) = &self.first;
        let name = query.provider.unwrap_or(first);
        let mut providers = self.providers.iter();
        let Some(provider) = providers.find_map(|providers| providers.get(name)) else {
            return Err(ModelError::NoModel(format!(
                "there is no provider called `{name}`"
            )));
        };
        let model = match query.model {
            Some(model) => model,
            None if name == first => own_model,
            None => provider.default_model(),
        };
        Ok((name.to_owned(), model.to_owned(), provider))
    }
}

fn messages(query: &ModelQuery<'_>) -> Vec<Message> {
    let instructions = match query.instructions {
        "" => None,
        instructions => Some(text::message(Role::System, instructions)),
    };
    let prompt = text::message(Role::User, query.prompt);
    instructions.into_iter().chain([prompt]).collect()
}

fn timed_out(limit: Duration) -> ProviderError {
    ProviderError::new(
        portcullis::points::llm_error::ProviderErrorKind::Timeout,
        format!("no response within {} ms", limit.as_millis()),
    )
}

/// A call's row in the journal. If the call is dropped, the row says that it timed out.
struct Record<'a> {
    journal: Option<(&'a dyn RunRecorder, i64)>,
    started: Instant,
}

impl<'a> Record<'a> {
    fn begin(journal: Option<&'a dyn RunRecorder>, query: &ModelQuery<'_>) -> Self {
        let journal = journal.map(|journal| {
            let id = next_run_id();
            journal.begin(RunRow {
                id,
                session: query.context.session_id.clone(),
                turn: query.context.turn,
                step: query.context.step,
                point: POINT.to_owned(),
                hook: query.hook.to_string(),
                attempt: 1,
                component: None,
                input: None,
                started_ms: now_ms(),
                call_id: None,
            });
            (journal, id)
        });
        Self {
            journal,
            started: Instant::now(),
        }
    }

    fn end(mut self, state: RunState, message: String) {
        self.write(state, message);
    }

    fn write(&mut self, state: RunState, message: String) {
        if let Some((journal, id)) = self.journal.take() {
            journal.end(
                id,
                RunEnd {
                    message: Some(message),
                    latency_us: Some(micros(self.started.elapsed())),
                    ..RunEnd::of(state)
                },
            );
        }
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        self.write(RunState::TimedOut, "the hook's call ended first".to_owned());
    }
}
