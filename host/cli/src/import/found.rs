//! The command hooks in Claude Code's settings.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;
use portcullis_agent_file::BuiltIn;
use portcullis_dialects::script::{ClaudeEvent, Matcher};
use serde_json::Value;

use crate::files;

/// The command hooks in Claude Code's settings.
#[derive(Debug, Default)]
pub struct Found {
    /// The hooks that can be imported.
    pub hooks: Vec<CommandHook>,
    /// The hooks that cannot be imported, each with its place and the reason.
    pub left: Vec<(String, String)>,
}

/// A command hook.
#[derive(Debug)]
pub struct CommandHook {
    /// The place in the settings.
    pub place: String,
    pub event: ClaudeEvent,
    pub matcher: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The timeout, if the settings have one.
    pub timeout: Option<Duration>,
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
        let mut found = Self::default();
        let events = settings.get("hooks");
        if events.is_some_and(|events| !events.is_object()) {
            found.leave("hooks", "it is no table of events");
        }
        let events = events.and_then(Value::as_object);
        for (name, groups) in events.into_iter().flatten() {
            let place = format!("hooks.{name}");
            let Some(groups) = groups.as_array() else {
                found.leave(&place, "it is no list");
                continue;
            };
            for (at, group) in groups.iter().enumerate() {
                let place = format!("{place}[{at}]");
                let Some(hooks) = group.get("hooks").and_then(Value::as_array) else {
                    found.leave(&place, "it has no list `hooks`");
                    continue;
                };
                for (of, hook) in hooks.iter().enumerate() {
                    let place = format!("{place}.hooks[{of}]");
                    match command_hook(&place, name, group, hook) {
                        Ok(hook) => found.hooks.push(hook),
                        Err(why) => found.left.push((place, why)),
                    }
                }
            }
        }
        Ok(found)
    }

    fn leave(&mut self, place: &str, why: &str) {
        self.left
            .push((place.to_owned(), format!("was left: {why}")));
    }
}

impl CommandHook {
    /// Returns a note, if the matcher matches no tool that comes with `portcullis run`.
    pub fn matches_no_built_in_tool(&self) -> Option<String> {
        let is_of_tools = matches!(
            self.event,
            ClaudeEvent::PreToolUse | ClaudeEvent::PostToolUse | ClaudeEvent::PostToolUseFailure
        );
        // A matcher that cannot be read was left.
        let matcher = Matcher::read(&self.matcher).ok().filter(|_| is_of_tools)?;
        let tools = BuiltIn::ALL.map(BuiltIn::name);
        if tools.iter().any(|tool| matcher.matches(tool)) {
            return None;
        }
        Some(format!(
            "its matcher `{}` matches no tool that comes with `portcullis run` ({}); to use the hook there, add the \
             names to `--matcher` in hooks.toml, such as `run_command` for `Bash`",
            self.matcher,
            tools.join(", ")
        ))
    }
}

/// Returns a command hook. The error says why it cannot be imported.
fn command_hook(
    place: &str,
    event: &str,
    group: &Value,
    hook: &Value,
) -> Result<CommandHook, String> {
    let text = |key: &str| hook.get(key).and_then(Value::as_str);
    let event = ClaudeEvent::from_name(event)
        .ok_or_else(|| format!("was left: no lifecycle point stands for {event}"))?;
    match text("type") {
        Some("command") => {}
        Some(kind) => {
            return Err(format!("was left: it is a {kind} hook, and no command"));
        }
        None => return Err("was left: it has no `type`".into()),
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
    let matcher = match group.get("matcher") {
        None | Some(Value::Null) => "",
        Some(Value::String(matcher)) => matcher.as_str(),
        Some(_) => return Err("was left: its `matcher` is no text".into()),
    };
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
    let timeout = match hook.get("timeout") {
        None | Some(Value::Null) => None,
        Some(seconds) => {
            let seconds = seconds.as_f64();
            let timeout = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            Some(timeout.ok_or("was left: its `timeout` is no number of seconds")?)
        }
    };
    Ok(CommandHook {
        place: place.to_owned(),
        event,
        matcher: matcher.to_owned(),
        command,
        timeout,
        blocks: text("onFailure") == Some("block"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(hooks: &Value) -> Found {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("settings.json");
        std::fs::write(&path, json!({"hooks": hooks}).to_string()).expect("the settings");
        Found::read(&path).expect("settings")
    }

    #[test]
    fn what_cannot_be_read_is_left_with_a_reason() {
        let hook = json!({"type": "command", "command": "true"});
        let with = |key: &str, value: Value| {
            let mut hook = hook.clone();
            hook[key] = value;
            json!([{"hooks": [hook]}])
        };
        for (hooks, place, why) in [
            (json!([]), "hooks", "it is no table of events"),
            (json!({"Stop": hook}), "hooks.Stop", "it is no list"),
            (
                json!({"Stop": [hook]}),
                "hooks.Stop[0]",
                "it has no list `hooks`",
            ),
            (
                json!({"Stop": [{"matcher": ["Bash"], "hooks": [hook]}]}),
                "hooks.Stop[0].hooks[0]",
                "its `matcher` is no text",
            ),
            (
                json!({"Stop": with("timeout", "60".into())}),
                "hooks.Stop[0].hooks[0]",
                "its `timeout` is no number of seconds",
            ),
            (
                json!({"Stop": with("timeout", (-1).into())}),
                "hooks.Stop[0].hooks[0]",
                "its `timeout` is no number of seconds",
            ),
            (
                json!({"Stop": with("type", Value::Null)}),
                "hooks.Stop[0].hooks[0]",
                "it has no `type`",
            ),
        ] {
            let found = found(&hooks);
            assert!(found.hooks.is_empty(), "{hooks}: {found:?}");
            let left = (place.to_owned(), format!("was left: {why}"));
            assert_eq!(found.left, [left], "{hooks}");
        }
    }

    #[test]
    fn a_matcher_that_matches_no_built_in_tool_is_noted() {
        let hook = json!({"type": "command", "command": "true"});
        for (event, matcher, is_noted) in [
            ("PreToolUse", "Bash", true),
            ("PostToolUse", "Edit|Write", true),
            ("PreToolUse", "^mcp__.*", true),
            ("PreToolUse", "Bash|run_command", false),
            ("PreToolUse", "run_.*", false),
            ("PreToolUse", "*", false),
            ("PreToolUse", "", false),
            ("SubagentStart", "Explore", false),
        ] {
            let found = found(&json!({event: [{"matcher": matcher, "hooks": [hook]}]}));
            let note = found.hooks[0].matches_no_built_in_tool();
            assert_eq!(note.is_some(), is_noted, "{event} {matcher}: {note:?}");
        }
    }

    #[test]
    fn a_timeout_may_have_a_fraction() {
        let hooks = [json!(60), json!(1.5), Value::Null]
            .map(|timeout| json!({"type": "command", "command": "true", "timeout": timeout}));
        let found = found(&json!({"Stop": [{"matcher": null, "hooks": hooks}]}));
        assert!(found.left.is_empty(), "{found:?}");
        let timeouts: Vec<_> = found.hooks.iter().map(|hook| hook.timeout).collect();
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!(timeouts, [ms(60_000), ms(1_500), None]);
    }
}
