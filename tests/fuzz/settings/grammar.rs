//! Texts that have the words of `hooks.toml`.

use std::fmt::Write as _;

use arbitrary::{Result, Unstructured};

/// Tables that there are, and some that are not.
const TABLES: &[&str] = &[
    "engine",
    "turn",
    "quarantine",
    "integrity",
    "defaults",
    "defaults.limits",
    "unnamed",
    "hooks.tiny",
    "hooks.canned-answer",
    "hooks.tiny.limits",
    "hooks.canned-answer.limits",
    "hooks.tiny.grants",
    "hooks.canned-answer.grants",
    "hooks.canned-answer.config",
    "scripts.a",
    "scripts.tiny",
    "scripts.a.env",
    "secrets",
    "secrets.KEY",
    "hooks",
    "hooks.tinny",
    "hooks.\"\"",
    "hooks.\"\\u001b[2J\"",
    "engin",
    "[hooks]",
];

/// Keys that there are, and some that are not.
const KEYS: &[&str] = &[
    "tick-ms",
    "fuel",
    "compile-ms",
    "compile-memory-bytes",
    "component-bytes",
    "concurrent-calls",
    "queued-calls",
    "hooks-ms",
    "failures",
    "seconds",
    "lock",
    "load",
    "on-mismatch",
    "symlinks",
    "views",
    "enabled",
    "priority",
    "after",
    "role",
    "failure",
    "execution",
    "isolation",
    "mode",
    "state",
    "shared-state",
    "events",
    "secrets",
    "read",
    "write",
    "contribute",
    "deadline-ms",
    "wall-ms",
    "memory-bytes",
    "host-calls",
    "table-elements",
    "instances",
    "handles",
    "output-bytes",
    "log-bytes",
    "log-lines",
    "event-bytes",
    "contributions",
    "state-bytes",
    "state-keys",
    "command",
    "points",
    "timeout-ms",
    "max-output-bytes",
    "env",
    "file",
    "answers",
    "\"\"",
    "\"\\u001b[2J\"",
    "deadline_ms",
    "a.b",
];

const VALUES: &[&str] = &[
    "0",
    "1",
    "2",
    "20",
    "1000",
    "100000",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "4294967296",
    "4294967297",
    "1.5",
    "nan",
    "true",
    "false",
    "\"\"",
    "\"observe\"",
    "\"gate\"",
    "\"transform\"",
    "\"fail-open\"",
    "\"fail-closed\"",
    "\"background\"",
    "\"deadline\"",
    "\"call\"",
    "\"shared\"",
    "\"audit\"",
    "\"required\"",
    "\"optional\"",
    "\"report\"",
    "\"trusted\"",
    "\"refuse\"",
    "[\"reject\", \"replace\"]",
    "\"HOME\"",
    "\"/dev/null\"",
    "\"/dev/zero\"",
    "\"..\"",
    "\"\\u001b]0;x\\u0007\"",
    "[]",
    "[\"tiny\"]",
    "[\"canned-answer\"]",
    "[\"tiny\", \"canned-answer\"]",
    "[\"content\", \"conversation\"]",
    "[\"pre-tool-call\"]",
    "[\"policy\", \"job\"]",
    "[\"KEY\"]",
    "[\".\"]",
    "[\"data\"]",
    "[\"true\"]",
    "[1]",
    "[[]]",
    "{}",
    "{ env = \"HOME\" }",
    "{ file = \"none\" }",
    "1979-05-27T07:32:00Z",
    "'''\n'''",
    "{ help = \"Ask.\" }",
    "\"continue\"",
];

/// A text of some tables.
pub fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    for _ in 0..u.int_in_range(0..=5)? {
        // Writing to a string does not fail.
        let _ = writeln!(text, "[{}]", u.choose(TABLES)?);
        for _ in 0..u.int_in_range(0..=4)? {
            line(&mut text, u)?;
        }
    }
    Ok(text)
}

fn line(text: &mut String, u: &mut Unstructured<'_>) -> Result<()> {
    let key = u.choose(KEYS)?;
    let value = match u.ratio(1, 8)? {
        true => u.arbitrary::<i64>()?.to_string(),
        false => (*u.choose(VALUES)?).to_owned(),
    };
    let _ = writeln!(text, "{key} = {value}");
    Ok(())
}

/// A text with some lines changed.
pub fn changed(example: &str, u: &mut Unstructured<'_>) -> Result<String> {
    let mut lines: Vec<String> = example.lines().map(str::to_owned).collect();
    for _ in 0..u.int_in_range(1..=4)? {
        let at = u.choose_index(lines.len().max(1))?;
        match u.int_in_range(0..=5)? {
            0 if at < lines.len() => drop(lines.remove(at)),
            1 => {
                let mut line = String::new();
                self::line(&mut line, u)?;
                lines.insert(at, line);
            }
            2 => lines.insert(at, format!("[{}]", u.choose(TABLES)?)),
            3 => {
                if let Some((key, _)) = lines.get(at).and_then(|line| line.split_once(" = ")) {
                    lines[at] = format!("{key} = {}", u.choose(VALUES)?);
                }
            }
            4 => {
                let line = lines.get(at).cloned().unwrap_or_default();
                lines.insert(at, line);
            }
            _ => {
                if let Some(line) = lines.get_mut(at) {
                    let cut = u.choose_index(line.len().max(1))?;
                    line.truncate(line.floor_char_boundary(cut));
                }
            }
        }
    }
    Ok(lines.join("\n"))
}
