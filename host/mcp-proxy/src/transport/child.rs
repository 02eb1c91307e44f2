//! A server that is a child process.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use portcullis_agent::child::{Group, in_own_group};
use tokio::io::BufReader;
use tokio::process::Command;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Connection, WAITING, lines};

/// The time limit for a server to end after its input is closed. Clients give a server about two
/// seconds; this limit is shorter, so that the server ends before the client gives up.
const CLOSING: Duration = Duration::from_secs(1);

/// Starts a server that communicates over its standard streams. Its standard error is that of this
/// program. When the connection is closed, or the server ends, its whole process group is
/// terminated.
///
/// # Errors
///
/// The server cannot be started.
pub fn spawn(mut command: Command, most: usize) -> io::Result<Connection> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    let mut group = Group(in_own_group(command).spawn()?);
    let streams = (group.0.stdin().take(), group.0.stdout().take());
    let (Some(stdin), Some(stdout)) = streams else {
        return Err(io::Error::other("it has no standard streams"));
    };
    let (frames, incoming) = mpsc::channel(WAITING);
    let (outgoing, queue) = mpsc::channel(WAITING);
    let closing = CancellationToken::new();
    let ending = closing.child_token();
    tokio::spawn(lines::read(BufReader::new(stdout), most, frames));
    let writing = tokio::spawn(lines::write(stdin, queue, closing.clone(), ending.clone()));
    let is_closing = closing.clone();
    let ended = tokio::spawn(async move {
        let limit = async {
            is_closing.cancelled().await;
            let _ = tokio::time::timeout(CLOSING, writing).await;
            tokio::time::sleep(CLOSING).await;
        };
        tokio::select! {
            ended = group.0.wait() => {
                if let Ok(status) = ended && !status.success() {
                    tracing::warn!("the MCP server ended with {status}");
                }
            }
            () = limit => tracing::warn!("the MCP server did not end by itself, and is stopped"),
        }
        drop(group);
    });
    Ok(Connection {
        incoming,
        outgoing,
        ending,
        closing,
        ended,
    })
}
