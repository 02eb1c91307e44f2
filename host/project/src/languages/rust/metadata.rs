//! Cargo's metadata of a project.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::build::BuildError;
use crate::tools::cargo;

/// Returns the parts of the output of `cargo metadata` that are asked for.
pub(super) fn of<T: DeserializeOwned>(dir: &Path, options: &[&str]) -> Result<T, BuildError> {
    let arguments = ["metadata", "--format-version", "1"];
    let output = output(dir, &[&arguments, options].concat())?;
    serde_json::from_slice(&output).map_err(|cause| BuildError::Component {
        what: "the output of `cargo metadata` cannot be read".to_owned(),
        cause: cause.into(),
    })
}

/// Returns the platform that cargo runs on.
pub(super) fn host(dir: &Path) -> Result<String, BuildError> {
    let output = output(dir, &["-vV"])?;
    let text = String::from_utf8_lossy(&output);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| BuildError::Component {
            what: "the platform of cargo is not known".to_owned(),
            cause: anyhow::anyhow!("`cargo -vV` does not say `host: …`"),
        })
}

fn output(dir: &Path, arguments: &[&str]) -> Result<Vec<u8>, BuildError> {
    let asked = cargo::isolated(dir).args(arguments).output();
    let asked = asked.map_err(|cause| BuildError::Start {
        program: "cargo".to_owned(),
        cause,
    })?;
    match asked.status.success() {
        true => Ok(asked.stdout),
        false => Err(BuildError::Tool {
            program: format!("cargo {}", arguments.first().unwrap_or(&"")),
            status: asked.status,
            output: String::from_utf8_lossy(&asked.stderr).trim().to_owned(),
        }),
    }
}
