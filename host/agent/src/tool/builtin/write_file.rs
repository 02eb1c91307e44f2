//! `write_file`

use std::fs;

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use super::args::{blocking, parse};
use super::paths::{failed, resolve};
use crate::tool::{Replay, Tool, ToolError, ToolOutput, ToolRun};

/// Writes a text file, and creates the directories it needs.
#[derive(Debug, Clone, Copy, Default)]
pub struct WriteFile;

#[derive(Deserialize)]
struct Arguments {
    path: String,
    content: String,
}

#[async_trait]
impl Tool for WriteFile {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "write_file".into(),
            description: "Writes a text file, replacing what it held. Directories are made as \
                          needed."
                .into(),
            schema: json!({
                "type": "object",
                "properties": {
                    "path": { "type": "string", "description": "The file, relative to the working directory." },
                    "content": { "type": "string", "description": "All of its new content." }
                },
                "required": ["path", "content"],
                "additionalProperties": false
            })
            .to_string(),
        }
    }

    fn replay(&self) -> Replay {
        Replay::Safe
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let Arguments { path, content } = parse(arguments)?;
        blocking(move || {
            let place = resolve(&run.grant, &path)?;
            if let Some(parent) = place.parent() {
                fs::create_dir_all(parent).map_err(|e| failed(&path, &e))?;
            }
            fs::write(&place, &content).map_err(|e| failed(&path, &e))?;
            Ok(ToolOutput::ok(format!(
                "wrote {} bytes to `{path}`",
                content.len()
            )))
        })
        .await
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::policy::ExecutionGrant;

    pub(in crate::tool::builtin) async fn in_dir(
        tool: &dyn Tool,
        dir: &Path,
        arguments: Value,
    ) -> Result<ToolOutput, ToolError> {
        let grant = ExecutionGrant {
            working_dir: Some(dir.to_owned()),
            timeout: Duration::from_secs(10),
        };
        tool.execute(arguments, ToolRun::detached(grant)).await
    }

    pub(in crate::tool::builtin) fn says(output: Result<ToolOutput, ToolError>) -> String {
        let output = output.unwrap();
        assert!(!output.is_error, "{}", output.content);
        output.content
    }

    #[tokio::test]
    async fn writes_inside_only() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str| {
            in_dir(
                &WriteFile,
                dir.path(),
                json!({"path": path, "content": "hi"}),
            )
        };
        assert_eq!(says(write("sub/a").await), "wrote 2 bytes to `sub/a`");
        assert_eq!(fs::read_to_string(dir.path().join("sub/a")).unwrap(), "hi");
        assert!(matches!(write("../a").await, Err(ToolError::NotGranted(_))));
        assert!(write("sub").await.is_err());
    }
}
