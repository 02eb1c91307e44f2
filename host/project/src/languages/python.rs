//! Python: CPython, which `componentize-py` puts into the component.

use std::path::{Path, PathBuf};
use std::process::Command;

use include_dir::{Dir, include_dir};

use super::{Toolchain, embedded};
use crate::Project;
use crate::build::{BuildError, Work};

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/python");
static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/python");

/// What makes the component, what unpacks a part of that to change it, and the time zones of a hook that imports
/// `zoneinfo`.
const PACKAGES: &[&str] = &[
    "componentize-py==0.25.1",
    "zstandard==0.25.0",
    "tzdata==2026.6",
];

/// The module of the hook.
const ENTRY: &str = "src/hook.py";

/// The language.
pub(super) struct Python;

impl Toolchain for Python {
    fn templates(&self) -> &'static Dir<'static> {
        &TEMPLATES
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = embedded(&SDK).into_iter();
        let is_source = |path: &Path| {
            let mut parts = path.components();
            !path.starts_with("tests") && !parts.any(|part| part.as_os_str() == "__pycache__")
        };
        files
            .filter(|(path, _)| is_source(path))
            .map(|(path, bytes)| (PathBuf::from("python").join(path), bytes.to_owned()))
            .collect()
    }

    fn packages(&self) -> &'static [&'static str] {
        PACKAGES
    }

    fn reads(&self, project: &Project) -> Option<Vec<PathBuf>> {
        let source = project.dir().join(ENTRY).parent()?.to_owned();
        Some(vec![
            source,
            project.sdk_dir().join("python"),
            project.wit_dir(),
        ])
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let project = work.project();
        if !project.dir().join(ENTRY).is_file() {
            return Err(BuildError::NoSource {
                dir: project.dir().to_owned(),
                what: "src/hook.py, the module of the hook's class",
            });
        }
        let python = work.python(PACKAGES)?;
        work.step("componentize-py makes the component; this takes some seconds");
        let sdk = project.sdk_dir().join("python");
        let mut tool = Command::new(&python);
        tool.arg(sdk.join("tools/main.py"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(project.dir());
        super::with_tool(work, tool, ENTRY)
    }
}
