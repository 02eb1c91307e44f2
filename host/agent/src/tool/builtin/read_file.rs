//! `read_file`

use std::fs::File;
use std::io::Read as _;

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use super::args::{blocking, parse};
use super::paths::{failed, resolve};
use crate::tool::{Replay, Tool, ToolError, ToolOutput, ToolRun};

/// The most bytes read at once. More would not fit into a model's context.
const MOST: u64 = 256 * 1024;

/// Reads a text file, or some of its lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadFile;

#[derive(Deserialize)]
struct Arguments {
    path: String,
    #[serde(default)]
    first_line: Option<usize>,
    #[serde(default)]
    lines: Option<usize>,
}

#[async_trait]
impl Tool for ReadFile {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "read_file".into(),
            description: "Reads a text file and returns its content, at most 256 KiB at once."
                .into(),
            schema: json!({
                "type": "object",
                "properties": {
                    "path": { "type": "string", "description": "The file, relative to the working directory." },
                    "first_line": { "type": "integer", "minimum": 1, "description": "The first line to return; 1 if left out." },
                    "lines": { "type": "integer", "minimum": 1, "description": "How many lines to return; all if left out." }
                },
                "required": ["path"],
                "additionalProperties": false
            })
            .to_string(),
        }
    }

    fn replay(&self) -> Replay {
        Replay::Safe
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let arguments: Arguments = parse(arguments)?;
        blocking(move || read(&arguments, &run)).await
    }
}

fn read(arguments: &Arguments, run: &ToolRun) -> Result<ToolOutput, ToolError> {
    let path = &arguments.path;
    let place = resolve(&run.grant, path)?;
    let meta = std::fs::metadata(&place).map_err(|e| failed(path, &e))?;
    // A pipe or a device may never end.
    if !meta.is_file() {
        return Err(ToolError::Failed(format!("`{path}` is not a file")));
    }
    let mut bytes = Vec::new();
    File::open(&place)
        .and_then(|file| file.take(MOST).read_to_end(&mut bytes))
        .map_err(|e| failed(path, &e))?;
    let whole = bytes.len() as u64 >= meta.len();
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        // The limit may be inside a character.
        Err(e) if !whole && e.error_len().is_none() => bytes
            .get(..e.valid_up_to())
            .and_then(|valid| std::str::from_utf8(valid).ok())
            .unwrap_or_default(),
        Err(_) => return Err(ToolError::Failed(format!("`{path}` is not text"))),
    };
    let mut content = lines(text, arguments.first_line, arguments.lines);
    if !whole {
        content.push_str(&format!(
            "\n[… only the first {MOST} of {} bytes were read …]",
            meta.len()
        ));
    }
    Ok(ToolOutput::ok(content))
}

fn lines(text: &str, first: Option<usize>, count: Option<usize>) -> String {
    if first.is_none() && count.is_none() {
        return text.to_owned();
    }
    text.split_inclusive('\n')
        .skip(first.unwrap_or(1).saturating_sub(1))
        .take(count.unwrap_or(usize::MAX))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::builtin::write_file::tests::{in_dir, says};

    #[tokio::test]
    async fn reads_text_and_only_text() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "one\ntwo\nthree\n").unwrap();
        std::fs::write(dir.path().join("binary"), [0xff, 0xfe]).unwrap();
        std::fs::write(dir.path().join("big"), "ü".repeat(200_000)).unwrap();
        let read = |args| in_dir(&ReadFile, dir.path(), args);

        assert_eq!(says(read(json!({"path": "a"})).await), "one\ntwo\nthree\n");
        assert_eq!(
            says(read(json!({"path": "a", "first_line": 2, "lines": 1})).await),
            "two\n"
        );
        assert_eq!(says(read(json!({"path": "a", "first_line": 9})).await), "");
        assert!(says(read(json!({"path": "big"})).await).ends_with("of 400000 bytes were read …]"));
        for (path, why) in [
            ("binary", "not text"),
            (".", "not a file"),
            ("none", "`none`"),
            ("../a", "outside"),
        ] {
            let error = read(json!({"path": path})).await.unwrap_err().to_string();
            assert!(error.contains(why), "{path}: {error}");
        }
    }
}
