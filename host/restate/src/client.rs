//! The client: turns are sent to a server, and their outcomes waited for.

use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::StatusCode;
use serde::Serialize;
use serde_json::Value;
use tokio::time::sleep;
use url::Url;

use crate::message::{Outcome, ResumeRequest, TurnRequest, service_name};

/// The first wait for a server that does not answer, and the longest.
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

/// Why a request has no outcome.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// No worker serves the agent.
    #[error("no worker serves `{service}` at {url}; start one with `portcullis worker`")]
    NoWorker {
        /// The agent, as the server knows it.
        service: String,
        /// The server.
        url: Url,
    },
    /// The server refused the request.
    #[error("the Restate server at {url} says: {said}")]
    Refused {
        /// The server.
        url: Url,
        /// What it said.
        said: String,
    },
}

/// Sends turns to a Restate server.
///
/// While the server is away, a request waits and is sent again under the same id, so that it is one turn. One client
/// has one request for each caller: whoever sends the next turn waits for the last one.
#[derive(Debug, Clone)]
pub struct Client {
    ingress: Url,
    service: String,
    http: reqwest::Client,
}

impl Client {
    /// A client for an agent, at the server's ingress.
    pub fn new(ingress: Url, agent: &str) -> Self {
        Self {
            ingress,
            service: service_name(agent),
            http: reqwest::Client::new(),
        }
    }

    /// Runs a turn of a session, and waits for its outcome. `away` is called with the reason each time that the server does
    /// not answer.
    ///
    /// # Errors
    ///
    /// No worker serves the agent, or the server refused the request.
    pub async fn turn(
        &self,
        session: &str,
        request: &TurnRequest,
        away: impl FnMut(&str) + Send,
    ) -> Result<Outcome, ClientError> {
        self.call(session, "turn", Some(&request.id), request, away)
            .await
    }

    /// Resumes a suspended turn of a session, and waits for its outcome.
    ///
    /// # Errors
    ///
    /// See [`Client::turn`].
    pub async fn resume(
        &self,
        session: &str,
        request: &ResumeRequest,
        away: impl FnMut(&str) + Send,
    ) -> Result<Outcome, ClientError> {
        self.call(session, "resume", Some(&request.id), request, away)
            .await
    }

    /// Ends a session: its `session-end` hooks run. Its conversation stays.
    ///
    /// # Errors
    ///
    /// See [`Client::turn`].
    pub async fn close(
        &self,
        session: &str,
        away: impl FnMut(&str) + Send,
    ) -> Result<Outcome, ClientError> {
        self.call(session, "close", None, &(), away).await
    }

    async fn call(
        &self,
        session: &str,
        handler: &str,
        key: Option<&str>,
        body: &(impl Serialize + Sync),
        mut away: impl FnMut(&str) + Send,
    ) -> Result<Outcome, ClientError> {
        let url = format!(
            "{}/{}/{}/{handler}",
            self.ingress.as_str().trim_end_matches('/'),
            self.service,
            utf8_percent_encode(session, NON_ALPHANUMERIC),
        );
        let mut wait = FIRST;
        loop {
            let mut request = self.http.post(&url).json(body);
            if let Some(key) = key {
                request = request.header("idempotency-key", key);
            }
            let why = match request.send().await {
                Ok(answer) if answer.status().is_success() => match answer.json().await {
                    Ok(outcome) => return Ok(outcome),
                    Err(error) => error.to_string(),
                },
                Ok(answer) => {
                    let status = answer.status();
                    let said = answer.json::<Value>().await.unwrap_or_default();
                    let said = said.get("message").and_then(Value::as_str);
                    let said = said.map_or_else(|| status.to_string(), str::to_owned);
                    match status {
                        StatusCode::NOT_FOUND => {
                            return Err(ClientError::NoWorker {
                                service: self.service.clone(),
                                url: self.ingress.clone(),
                            });
                        }
                        StatusCode::TOO_MANY_REQUESTS
                        | StatusCode::BAD_GATEWAY
                        | StatusCode::SERVICE_UNAVAILABLE
                        | StatusCode::GATEWAY_TIMEOUT => said,
                        _ => {
                            return Err(ClientError::Refused {
                                url: self.ingress.clone(),
                                said,
                            });
                        }
                    }
                }
                Err(error) => error.to_string(),
            };
            away(&why);
            sleep(wait).await;
            wait = LONGEST.min(wait * 2);
        }
    }
}
