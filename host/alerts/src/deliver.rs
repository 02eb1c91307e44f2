//! Delivering alerts: webhooks and commands.

use std::fmt;
use std::time::Duration;

use portcullis::ErrorReport;
use portcullis_agent::LineCommand;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::alert::Alert;

/// The maximum number of alerts that wait for one target. Further alerts are dropped, with a line
/// in the log.
const MOST_WAITING: usize = 64;

/// The maximum number of attempts to deliver an alert.
const TRIES: u32 = 5;

/// The delay between the first two attempts. Each further delay is four times as long: 250 ms, 1 s,
/// 4 s, 16 s.
const FIRST_WAIT: Duration = Duration::from_millis(250);

/// The maximum number of bytes that are read of a command's output.
const MOST_OUTPUT: usize = 4_096;

/// The recipient of alerts.
#[derive(Debug, Clone)]
pub enum Target {
    /// A server.
    Webhook(Webhook),
    /// A program, which gets the alert as one line of JSON on its standard input.
    Command(LineCommand),
}

/// A server that receives alerts as JSON, by HTTP POST. An attempt that fails, takes too long or
/// has a status other than 2xx is repeated. Redirects are not followed.
#[derive(Debug, Clone)]
pub struct Webhook {
    /// Its address.
    pub url: Secret,
    /// The bearer token to send.
    pub token: Option<Secret>,
    /// The time limit of one attempt. Default 10 s.
    pub timeout: Duration,
}

/// A text that is not printed, because it may be a secret.
#[derive(Clone)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(not shown)")
    }
}

impl Webhook {
    /// The default time limit of one attempt, in milliseconds.
    pub const TIMEOUT_MS: u64 = 10_000;

    /// Creates a webhook without a token.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: Secret(url.into()),
            token: None,
            timeout: Duration::from_millis(Self::TIMEOUT_MS),
        }
    }
}

/// A target's queue. Its task ends once the queue is dropped and empty.
pub(crate) struct Queue(mpsc::Sender<Alert>);

impl Queue {
    /// Starts the task of a target.
    pub(crate) fn start(target: Target, client: &reqwest::Client) -> (Self, Delivering) {
        let (sender, mut waiting) = mpsc::channel::<Alert>(MOST_WAITING);
        let client = client.clone();
        let task = tokio::task::spawn_local(async move {
            while let Some(alert) = waiting.recv().await {
                deliver(&target, &client, &alert).await;
            }
        });
        (Self(sender), task)
    }

    pub(crate) fn send(&self, alert: &Alert) {
        if self.0.try_send(alert.clone()).is_err() {
            tracing::error!(
                alert = alert.alert,
                "an alert is not delivered: {MOST_WAITING} wait for its target already"
            );
        }
    }
}

/// A target's task.
pub(crate) type Delivering = tokio::task::JoinHandle<()>;

async fn deliver(target: &Target, client: &reqwest::Client, alert: &Alert) {
    let body = serde_json::to_value(alert).unwrap_or_default();
    let mut wait = FIRST_WAIT;
    for left in (0..TRIES).rev() {
        let tried = match target {
            Target::Webhook(webhook) => post(webhook, client, &body).await,
            Target::Command(command) => command.run(&body, MOST_OUTPUT).await.map(drop),
        };
        match tried {
            Ok(()) => return,
            Err(why) if left == 0 => {
                tracing::error!(
                    alert = alert.alert,
                    "an alert is not delivered after {TRIES} tries: {why}"
                );
            }
            Err(why) => {
                tracing::warn!(
                    alert = alert.alert,
                    "an alert is not delivered yet: {why}; it is tried again in {} ms",
                    wait.as_millis()
                );
                tokio::time::sleep(wait).await;
                wait *= 4;
            }
        }
    }
}

async fn post(webhook: &Webhook, client: &reqwest::Client, body: &Value) -> Result<(), String> {
    let mut request = client
        .post(&webhook.url.0)
        .timeout(webhook.timeout)
        .json(body);
    if let Some(Secret(token)) = &webhook.token {
        request = request.bearer_auth(token);
    }
    // The address may be a secret.
    let sent = request.send().await;
    let sent = sent.map_err(|e| ErrorReport::line(&e.without_url()))?;
    match sent.status() {
        status if status.is_success() => Ok(()),
        status => Err(format!("the webhook answered with status {status}")),
    }
}
