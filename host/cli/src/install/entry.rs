//! The entry of one event.

use std::path::Path;

use anyhow::Context as _;
use portcullis_dialects::Dialect;
use serde_json::{Value, json};

use crate::daemon::hook_program;

/// The time that an agent waits beyond the deadline of `portcullis hook`, in seconds.
const MARGIN: u64 = 10;

/// The entry for each event.
#[derive(Debug)]
pub struct Entry {
    agent: Dialect,
    value: Value,
}

impl Entry {
    /// Creates the entry that runs the hooks of this directory with this program and these further
    /// arguments.
    pub fn new(
        agent: Dialect,
        hooks: &Path,
        deadline: u64,
        more: &[String],
    ) -> anyhow::Result<Self> {
        let program = hook_program()?;
        let text = |path: &Path| {
            let text = path.to_str();
            let text = text.with_context(|| format!("{} is not text", path.display()));
            text.map(str::to_owned)
        };
        let words = [
            &text(&program)?,
            "hook",
            "--dialect",
            agent.name(),
            "--deadline",
            &deadline.to_string(),
            "--hooks",
            &text(hooks)?,
        ];
        let more = more.iter().map(String::as_str);
        let command = shlex::try_join(words.into_iter().chain(more))?;
        Ok(Self {
            agent,
            value: value(agent, &command, deadline),
        })
    }

    /// Returns the agent.
    pub fn agent(&self) -> Dialect {
        self.agent
    }

    /// Returns the entry, which is the same at all events.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

/// The state of an entry in an agent's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An entry of another program.
    Foreign,
    /// An entry as it was installed.
    Installed,
    /// An entry that runs `portcullis hook`, and has changed since its installation.
    Changed,
}

/// Returns an entry's state.
pub fn kind(agent: Dialect, entry: &Value) -> Kind {
    let hooks = entry.get("hooks").and_then(Value::as_array);
    let commands = hooks.into_iter().flatten();
    let mut commands = commands.filter_map(|hook| hook.get("command")?.as_str());
    let ours = commands.find_map(|command| Some((command, deadline(agent, command)?)));
    match ours {
        None => Kind::Foreign,
        Some((command, deadline)) if *entry == value(agent, command, deadline) => Kind::Installed,
        Some(_) => Kind::Changed,
    }
}

/// Returns the deadline of a command that was installed for this agent; 0 if it was changed.
fn deadline(agent: Dialect, command: &str) -> Option<u64> {
    let words = shlex::split(command)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [
            _,
            "hook",
            "--dialect",
            name,
            "--deadline",
            seconds,
            "--hooks",
            _,
            ..,
        ] if name == agent.name() => Some(seconds.parse().unwrap_or(0)),
        [program, "hook", ..]
            if Path::new(program)
                .file_stem()
                .is_some_and(|stem| stem == "portcullis" || stem == "portcullis-client") =>
        {
            Some(0)
        }
        _ => None,
    }
}

fn value(agent: Dialect, command: &str, deadline: u64) -> Value {
    let seconds = deadline.saturating_add(MARGIN);
    let hook = match agent {
        // With this key, a hook that fails blocks. Codex and Gemini CLI have no such key.
        Dialect::Claude => json!({
            "type": "command", "command": command, "timeout": seconds, "onFailure": "block",
        }),
        Dialect::Codex => json!({"type": "command", "command": command, "timeout": seconds}),
        Dialect::Gemini => json!({
            "type": "command", "name": "portcullis", "command": command,
            "timeout": seconds.saturating_mul(1_000),
        }),
    };
    json!({"hooks": [hook]})
}
