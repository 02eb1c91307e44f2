//! `list_dir`

use std::fs;

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use super::args::{blocking, parse};
use super::paths::{failed, resolve};
use crate::tool::{Replay, Tool, ToolError, ToolOutput, ToolRun};

/// The maximum number of listed entries. More would not fit into a model's context.
const MOST: usize = 1_000;

/// Lists a directory.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListDir;

#[derive(Deserialize)]
struct Arguments {
    #[serde(default)]
    path: Option<String>,
}

#[async_trait]
impl Tool for ListDir {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "list_dir".into(),
            description: "Lists a directory by name, at most 1,000 entries. Directories end with \
                          `/`."
                .into(),
            schema: json!({
                "type": "object",
                "properties": {
                    "path": { "type": "string", "description": "The directory, relative to the working directory, which it is if left out." }
                },
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
        blocking(move || list(arguments.path.as_deref().unwrap_or("."), &run)).await
    }
}

fn list(path: &str, run: &ToolRun) -> Result<ToolOutput, ToolError> {
    let place = resolve(&run.grant, path)?;
    let mut names = Vec::new();
    for entry in fs::read_dir(&place).map_err(|e| failed(path, &e))? {
        let entry = entry.map_err(|e| failed(path, &e))?;
        let mut name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            name.push('/');
        }
        names.push(name);
    }
    names.sort();
    let left_out = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    if left_out > 0 {
        names.push(format!("[… {left_out} more …]"));
    }
    Ok(ToolOutput::ok(if names.is_empty() {
        "[empty]".to_owned()
    } else {
        names.join("\n")
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::builtin::write_file::tests::{in_dir, says};

    #[tokio::test]
    async fn lists_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let list = |args| in_dir(&ListDir, dir.path(), args);
        assert_eq!(says(list(json!({})).await), "[empty]");
        fs::create_dir(dir.path().join("b")).unwrap();
        fs::write(dir.path().join("a"), "").unwrap();
        assert_eq!(says(list(json!({})).await), "a\nb/");
        for n in 0..MOST {
            fs::write(dir.path().join("b").join(n.to_string()), "").unwrap();
        }
        fs::write(dir.path().join("b/z"), "").unwrap();
        assert!(says(list(json!({"path": "b"})).await).ends_with("[… 1 more …]"));
        assert!(list(json!({"path": ".."})).await.is_err());
    }
}
