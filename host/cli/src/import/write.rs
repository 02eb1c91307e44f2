//! Script hooks in hooks.toml.

use anyhow::Context as _;
use portcullis_dialects::script::ClaudeEvent;
use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

use super::found::CommandHook;

/// The timeout that Claude Code uses for a hook without one, in milliseconds.
const TIMEOUT_MS: i64 = 600_000;
/// The same timeout for a hook on a prompt.
const PROMPT_TIMEOUT_MS: i64 = 30_000;

/// Returns the text with these hooks added, except those that it already has.
pub fn with(text: &str, hooks: &[CommandHook]) -> anyhow::Result<String> {
    let mut document: DocumentMut = text.parse().context("hooks.toml cannot be read")?;
    let program = std::env::current_exe().context("the path of this program is not known")?;
    let program = program
        .to_str()
        .context("the path of this program is not text")?;
    let scripts = document.entry("scripts").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let scripts = scripts.as_table_mut();
    let scripts = scripts.context("`scripts` in hooks.toml is not a table")?;
    for hook in hooks {
        let table = script(program, hook);
        let command = table.get("command").map(ToString::to_string);
        let same = |(_, item): (&str, &Item)| {
            item.get("command")
                .map(|item| item.to_string().trim().to_owned())
                == command.as_ref().map(|command| command.trim().to_owned())
        };
        if scripts.iter().any(same) {
            continue;
        }
        let name = kebab(hook.event.name());
        let id = (1..).map(|number| format!("claude-{name}-{number}"));
        let id = id.into_iter().find(|id| !scripts.contains_key(id));
        scripts.insert(&id.unwrap_or(name), Item::Table(table));
    }
    Ok(document.to_string())
}

fn script(program: &str, hook: &CommandHook) -> Table {
    let mut command = vec![program, "script", "--event", hook.event.name()];
    if !hook.matcher.is_empty() {
        command.extend(["--matcher", &hook.matcher]);
    }
    command.push("--");
    command.extend(hook.command.iter().map(String::as_str));
    let timeout = match (hook.timeout, hook.event) {
        (Some(timeout), _) => i64::try_from(timeout.as_millis())
            .unwrap_or(i64::MAX)
            .clamp(1, 24 * 60 * 60 * 1_000),
        (None, ClaudeEvent::UserPromptSubmit) => PROMPT_TIMEOUT_MS,
        (None, _) => TIMEOUT_MS,
    };
    let failure = match hook.blocks {
        true => "fail-closed",
        false => "fail-open",
    };
    let mut table = Table::new();
    table.decor_mut().set_prefix("\n");
    table.insert("command", list(&command));
    table.insert("points", list(&[hook.event.point().name()]));
    table.insert("views", list(&["content", "tool-data", "session"]));
    table.insert("role", value("transform"));
    table.insert("failure", value(failure));
    table.insert("timeout-ms", value(timeout));
    table
}

fn list(texts: &[&str]) -> Item {
    let values: Array = texts.iter().map(|text| Value::from(*text)).collect();
    value(values)
}

fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(c.to_ascii_lowercase());
    }
    kebab
}
