//! `portcullis script`: a command hook of Claude Code as a script hook.

use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use portcullis_dialects::script::{ClaudeEvent, ClaudeScript, Ended, Matcher};
use serde_json::Value;

use crate::terminal::{Out, Printable, json};

/// The most bytes of the document, and of the command's output.
const MOST_BYTES: u64 = 64 << 20;

/// Run a command hook of Claude Code as a script hook.
///
/// `portcullis import` writes this command into hooks.toml. The document of the point comes on the
/// standard input. The command gets the corresponding event of Claude Code, in the agent's working
/// directory, and its answer becomes an outcome. A command that fails is a script hook that fails.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  portcullis script --event PreToolUse --matcher 'Bash|Write' -- sh -c ./check.sh"
)]
pub struct ScriptArgs {
    /// The event of Claude Code that the command expects.
    #[arg(long, value_name = "EVENT", value_parser = events())]
    event: ClaudeEvent,
    /// The matcher, as in Claude Code's settings: names, or a regular expression. Default:
    /// everything.
    #[arg(long, value_name = "MATCHER", default_value = "")]
    matcher: String,
    /// The command and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<String>,
}

fn events() -> impl clap::builder::TypedValueParser<Value = ClaudeEvent> {
    let names = PossibleValuesParser::new(ClaudeEvent::ALL.map(ClaudeEvent::name));
    names.try_map(|name: String| ClaudeEvent::from_name(&name).ok_or("there is no such event"))
}

/// Runs the command.
pub fn run(args: &ScriptArgs) -> anyhow::Result<ExitCode> {
    let document = bounded(io::stdin().lock()).context("the document cannot be read")?;
    let document: Value = serde_json::from_slice(&document).context("the document is not JSON")?;
    let script = ClaudeScript::new(args.event, Matcher::read(&args.matcher)?);
    let Some(event) = script.event(&document)? else {
        return Ok(ExitCode::SUCCESS);
    };
    let dir = event.get("cwd").and_then(Value::as_str).map(Path::new);
    let ended = execute(&args.command, dir, &event)?;
    let answer = script.answer(&document, &ended)?;
    for note in &answer.notes {
        Out::stderr().line(Printable::prose(note))?;
    }
    match answer.outcome {
        Ok(outcome) => {
            json::line(&outcome)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(why) => bail!("the command failed: {}", why),
    }
}

fn execute(command: &[String], dir: Option<&Path>, event: &Value) -> anyhow::Result<Ended> {
    let [program, arguments @ ..] = command else {
        bail!("there is no command");
    };
    let mut process = Command::new(program);
    process
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(dir) = dir.filter(|dir| dir.is_dir()) {
        process.current_dir(dir).env("CLAUDE_PROJECT_DIR", dir);
    }
    let mut child = process.spawn();
    let child = child.as_mut();
    let child = child.map_err(|error| anyhow::anyhow!("`{program}` cannot be started: {error}"))?;
    let talked = talk(child, event.to_string());
    let (stdout, stderr) = talked.inspect_err(|_| {
        // This fails if the process has ended.
        let _ = child.kill();
    })?;
    Ok(Ended {
        code: child.wait()?.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    })
}

/// Writes to the command and reads from it at the same time, so that neither waits for the other
/// forever.
fn talk(child: &mut Child, event: String) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
    let thread = std::thread::Builder::new;
    let feed = thread().spawn(move || {
        // The command need not read the event.
        stdin.map(|mut stdin| stdin.write_all(event.as_bytes()))
    })?;
    let errors = thread().spawn(move || stderr.map_or_else(|| Ok(Vec::new()), bounded))?;
    let stdout = child
        .stdout
        .take()
        .map_or_else(|| Ok(Vec::new()), bounded)?;
    let stderr = errors.join().unwrap_or_else(|_| Ok(Vec::new()))?;
    drop(feed);
    Ok((stdout, stderr))
}

fn bounded(from: impl Read) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST_BYTES {
        true => bail!("there are more than {MOST_BYTES} bytes"),
        false => Ok(bytes),
    }
}
