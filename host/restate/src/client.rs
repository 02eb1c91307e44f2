//! The client, which sends turns to a server and waits for their outcomes.

use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::StatusCode;
use serde::Serialize;
use serde_json::Value;
use tokio::time::sleep;
use url::Url;

use crate::message::{Outcome, ResumeRequest, TurnRequest, service_name};

/// The first and the longest wait for a server that does not answer.
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

/// The reason why a request has no outcome.
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
        /// The server's message.
        said: String,
    },
    /// Something answered that is not the outcome of a turn, such as a web server's page.
    #[error(
        "{url}: the answer is not the outcome of a turn ({cause}); is this the server's ingress?"
    )]
    NoOutcome {
        /// The URL that the request was sent to.
        url: Url,
        /// The problem with the answer.
        cause: String,
    },
}

/// Sends turns to a Restate server.
///
/// While the server is away, a request waits and is sent again under the same id, so that it is one
/// turn. One client has one request for each caller: the sender of the next turn waits for the last
/// one.
#[derive(Debug, Clone)]
pub struct Client {
    ingress: Url,
    service: String,
    http: reqwest::Client,
}

impl Client {
    /// Creates a client for an agent, at the server's ingress.
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
    /// No worker serves the agent, the server refused the request, or its answer is not an outcome.
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
                Ok(answer) if answer.status().is_success() => match answer.bytes().await {
                    Ok(body) => {
                        return serde_json::from_slice(&body).map_err(|error| {
                            ClientError::NoOutcome {
                                url: self.ingress.clone(),
                                cause: error.to_string(),
                            }
                        });
                    }
                    // The connection ended within the answer.
                    Err(error) => error.to_string(),
                },
                Ok(answer) => {
                    let status = answer.status();
                    let said = said(answer).await;
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

/// Returns the message of an unsuccessful answer, or its status if it has no message.
pub(crate) async fn said(answer: reqwest::Response) -> String {
    let status = answer.status();
    let body = answer.json::<Value>().await.unwrap_or_default();
    let message = body.get("message").and_then(Value::as_str);
    message.map_or_else(|| status.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;
    use tokio::time::timeout;

    use super::*;

    /// Starts a server that gives these answers, each on a separate connection.
    async fn server(answers: Vec<String>) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move {
            for answer in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let mut request = Vec::new();
                while !request.ends_with(b"}") {
                    assert_ne!(stream.read_buf(&mut request).await.unwrap(), 0);
                }
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        url.parse().unwrap()
    }

    fn success(length: usize, body: &str) -> String {
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}")
    }

    /// Returns the outcome of a turn, and the number of times that the server was away.
    async fn turn(answers: Vec<String>) -> (Result<Outcome, ClientError>, usize) {
        let client = Client::new(server(answers).await, "a");
        let request = TurnRequest {
            id: "1".into(),
            text: "go".into(),
            trace: None,
        };
        let mut away = 0;
        let turn = client.turn("s", &request, |_: &str| away += 1);
        let outcome = timeout(Duration::from_secs(30), turn).await.unwrap();
        (outcome, away)
    }

    #[tokio::test]
    async fn a_page_of_a_web_server_is_an_error() {
        let page = "<!doctype html><p>It works!";
        let (outcome, away) = turn(vec![success(page.len(), page)]).await;
        let error = outcome.unwrap_err().to_string();
        assert!(error.contains("is this the server's ingress?"), "{error}");
        assert_eq!(away, 0);
    }

    #[tokio::test]
    async fn an_answer_that_ends_too_early_is_asked_for_again() {
        let done = r#"{"end":"done","text":"hi"}"#;
        let answers = vec![success(done.len(), "{"), success(done.len(), done)];
        let (outcome, away) = turn(answers).await;
        let text = "hi".to_owned();
        assert_eq!(outcome.unwrap(), Outcome::Done { text });
        assert_eq!(away, 1);
    }
}
