//! Runs a script: writes its input, reads its output, and ensures that it ends.

use std::io::ErrorKind;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::Notify;

use super::ScriptCommand;
use super::group::Group;
use crate::model::failure::Failure;

/// The time in which processes that a script started, such as a `tee`, may still write output after
/// the script has ended. Processes that hold the pipes open for longer are stopped.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// A script that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Runs a script to its end. Afterwards no process of its group runs, whatever the result.
pub(super) async fn run<'a>(
    command: &ScriptCommand,
    variables: impl IntoIterator<Item = (&'a str, String)>,
    payload: Vec<u8>,
) -> Result<Ended, Failure> {
    let mut process = command.to_process(variables);
    process
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut group = Group::spawn(process).map_err(|e| not_started(command, &e))?;
    tokio::time::timeout(command.timeout, follow(&mut group, command, payload))
        .await
        .map_err(|_| Failure::WallClock(command.timeout))?
}

/// Writes the input and reads the output at the same time, so that neither side waits for the other
/// forever.
async fn follow(
    group: &mut Group,
    command: &ScriptCommand,
    payload: Vec<u8>,
) -> Result<Ended, Failure> {
    let (stdin, stdout, stderr) = group.take_pipes();
    let most = command.max_output_bytes;
    let closed = Notify::new();
    let output = async {
        let output = tokio::try_join!(read(stdout, "stdout", most), read(stderr, "stderr", most));
        closed.notify_one();
        output
    };
    let (status, (stdout, stderr)) =
        tokio::try_join!(end(group, feed(stdin, payload), &closed), output)?;
    Ok(Ended {
        status,
        stdout,
        stderr,
    })
}

/// Waits for the script's end, and stops the processes that it left running. The script's own
/// output is in the pipes by then.
async fn end(
    group: &mut Group,
    feed: impl Future<Output = ()>,
    closed: &Notify,
) -> Result<ExitStatus, Failure> {
    let ended = tokio::select! {
        ended = group.wait() => ended,
        () = feed => group.wait().await,
    };
    let _ = tokio::time::timeout(LAST_OUTPUT, closed.notified()).await;
    group.stop();
    ended.map_err(|e| Failure::Host(format!("the script was lost: {e}")))
}

/// Writes the payload and closes the pipe. A script need not read it.
async fn feed(stdin: Option<impl AsyncWrite + Unpin>, payload: Vec<u8>) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(&payload).await;
        let _ = stdin.shutdown().await;
    }
}

async fn read(
    pipe: Option<impl AsyncRead + Unpin>,
    stream: &'static str,
    most: usize,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        let one_more = (most as u64).saturating_add(1);
        pipe.take(one_more)
            .read_to_end(&mut bytes)
            .await
            .map_err(|e| Failure::Host(format!("the script's {stream} cannot be read: {e}")))?;
    }
    match bytes.len() > most {
        true => Err(Failure::TooMuchOutput { stream, most }),
        false => Ok(bytes),
    }
}

fn not_started(command: &ScriptCommand, error: &std::io::Error) -> Failure {
    let fix = match error.kind() {
        ErrorKind::NotFound if command.cwd.as_ref().is_some_and(|dir| !dir.is_dir()) => {
            "; the directory it is to run in does not exist"
        }
        ErrorKind::NotFound => "; it, or the interpreter its first line names, does not exist",
        ErrorKind::PermissionDenied => "; make it executable (chmod +x)",
        _ => "",
    };
    Failure::Spawn(format!("`{}`: {error}{fix}", command.program.display()))
}
