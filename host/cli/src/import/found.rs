//! The command hooks in Claude Code's settings.

use std::path::Path;

use anyhow::{Context as _, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;
use portcullis_dialects::script::{ClaudeEvent, Matcher};
use serde_json::Value;

use crate::files;

/// What Claude Code's settings have.
#[derive(Debug, Default)]
pub struct Found {
    /// The hooks that can be imported.
    pub hooks: Vec<CommandHook>,
    /// Those that cannot: where they are, and why.
    pub left: Vec<(String, String)>,
}

/// A command hook.
#[derive(Debug)]
pub struct CommandHook {
    pub event: ClaudeEvent,
    pub matcher: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How many seconds it may take, if the settings say so.
    pub timeout: Option<u64>,
    /// Whether its failure blocks.
    pub blocks: bool,
}

impl Found {
    /// Reads settings.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = files::text(path)?;
        if text.is_empty() {
            bail!(
                "there are no settings in {}; name others with --from",
                path.display()
            );
        }
        let root = CstRootNode::parse(&text, &ParseOptions::default());
        let root = root.with_context(|| format!("{} is not JSON", path.display()))?;
        let settings = root.to_serde_value().unwrap_or_default();
        let events = settings.get("hooks").and_then(Value::as_object);
        let mut found = Self::default();
        for (name, groups) in events.into_iter().flatten() {
            let groups = groups.as_array().into_iter().flatten();
            for (at, group) in groups.enumerate() {
                let hooks = group.get("hooks").and_then(Value::as_array);
                for (of, hook) in hooks.into_iter().flatten().enumerate() {
                    let place = format!("hooks.{name}[{at}].hooks[{of}]");
                    match command_hook(name, group, hook) {
                        Ok(hook) => found.hooks.push(hook),
                        Err(why) => found.left.push((place, why)),
                    }
                }
            }
        }
        Ok(found)
    }
}

/// A hook, or why it cannot be imported.
fn command_hook(event: &str, group: &Value, hook: &Value) -> Result<CommandHook, String> {
    let text = |key: &str| hook.get(key).and_then(Value::as_str);
    let event = ClaudeEvent::from_name(event)
        .ok_or_else(|| format!("was left: no lifecycle point stands for {event}"))?;
    match text("type") {
        Some("command") => {}
        kind => {
            return Err(format!(
                "was left: it is a {} hook, and no command",
                kind.unwrap_or("strange")
            ));
        }
    }
    for key in ["if", "async", "asyncRewake", "once", "shell"] {
        if hook
            .get(key)
            .is_some_and(|value| value != &Value::Bool(false))
        {
            return Err(format!("was left: a script hook has nothing like `{key}`"));
        }
    }
    let command = text("command").ok_or("was left: it has no `command`")?;
    if command.contains("hook --dialect") {
        return Err("was left: it is `portcullis hook`".into());
    }
    let matcher = group
        .get("matcher")
        .and_then(Value::as_str)
        .unwrap_or_default();
    Matcher::read(matcher).map_err(|error| format!("was left: {error}"))?;
    let arguments = hook.get("args").and_then(Value::as_array);
    let command = match arguments {
        Some(arguments) => {
            let arguments = arguments
                .iter()
                .map(|argument| argument.as_str().map(str::to_owned));
            let arguments: Option<Vec<String>> = arguments.collect();
            let arguments = arguments.ok_or("was left: its `args` are not texts")?;
            [vec![command.to_owned()], arguments].concat()
        }
        None => vec!["sh".into(), "-c".into(), command.to_owned()],
    };
    Ok(CommandHook {
        event,
        matcher: matcher.to_owned(),
        command,
        timeout: hook.get("timeout").and_then(Value::as_u64),
        blocks: text("onFailure") == Some("block"),
    })
}
