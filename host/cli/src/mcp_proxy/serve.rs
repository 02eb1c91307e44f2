//! The proxy for clients over streamable HTTP.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use portcullis::Hooks;
use portcullis_access::{ConnectionLimits, Token};
use portcullis_mcp_proxy::listen::{ListenOptions, PATH, listen};
use portcullis_mcp_proxy::relay;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::DRAIN;
use super::kept::Kept;
use super::{McpProxyArgs, connect};
use crate::terminal::Out;
use crate::terminal::signals::Signals;

/// The most sessions at once. Each has a connection to the server or, if the server is a command, a process.
const MOST_SESSIONS: usize = 64;

/// Listens until a signal comes. Each client session has its own connection to the server.
pub async fn serve(
    args: McpProxyArgs,
    address: SocketAddr,
    hooks: &Hooks,
    kept: &Kept,
) -> anyhow::Result<ExitCode> {
    let stop = CancellationToken::new();
    let options = ListenOptions {
        address,
        token: token(args.listen_token_env.as_deref())?,
        remote: args.listen_remote,
        most_bytes: args.max_message_bytes,
        most_sessions: MOST_SESSIONS,
        limits: ConnectionLimits::default(),
    };
    let mut listener = listen(options, stop.clone()).await?;
    let mut signals = Signals::default();
    // Signals are received before the message that the proxy is ready.
    signals.listen();
    Out::stderr().line(format!("listening on http://{}{PATH}", listener.address))?;
    let args = Arc::new(args);
    let mut relays = JoinSet::new();
    let signal = loop {
        let client = tokio::select! {
            client = listener.accepted.recv() => client,
            signal = signals.next() => break Some(signal),
        };
        let Some(client) = client else { break None };
        while relays.try_join_next().is_some() {}
        let options = kept.options(hooks, args.server.clone()).await;
        let (server, options) = match connect(&args).and_then(|server| Ok((server, options?))) {
            Ok(opened) => opened,
            // The session and the client's request end.
            Err(error) => {
                tracing::error!("{error:#}");
                continue;
            }
        };
        let (hooks, stop) = (hooks.clone(), stop.clone());
        relays.spawn(async move { relay(client, server, &hooks, options, stop).await });
    };
    stop.cancel();
    while relays.join_next().await.is_some() {}
    listener.ended(DRAIN).await;
    let signal = signal.context("the proxy listens no more")?;
    Ok(ExitCode::from(signal.exit_code()))
}

/// Returns the token in the named variable, or a new token, which is shown.
fn token(variable: Option<&str>) -> anyhow::Result<Token> {
    let Some(name) = variable else {
        let (token, text) = Token::random()?;
        Out::stderr().line(format!("bearer token: {text}"))?;
        return Ok(token);
    };
    let text = std::env::var(name)
        .with_context(|| format!("the variable `{name}` of the environment holds no token"))?;
    Token::new(&text).with_context(|| format!("the variable `{name}` of the environment"))
}
