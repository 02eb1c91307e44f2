//! JavaScript and TypeScript: bundled by esbuild, run by QuickJS, which `componentize-qjs` puts into the
//! component.

use std::path::PathBuf;
use std::process::Command;

use include_dir::{Dir, include_dir};

use super::{Toolchain, embedded};
use crate::build::{BuildError, Work};
use crate::tools;

static JAVASCRIPT: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/javascript");
static TYPESCRIPT: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/typescript");
static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/javascript");

/// What builds the component and checks its types, and the libraries behind `URL` and other globals, with all that is
/// in a component at an exact version.
const PACKAGES: &[&str] = &[
    "esbuild@0.28.2",
    "componentize-qjs@0.4.5",
    "typescript@5.9.3",
    "whatwg-url@15.1.0",
    "tr46@6.0.0",
    "punycode@2.3.1",
    "webidl-conversions@8.0.1",
    "@exodus/bytes@1.16.0",
    "@ungap/structured-clone@1.4.0",
];

/// JavaScript.
pub(super) struct JavaScript;

/// TypeScript.
pub(super) struct TypeScript;

impl Toolchain for JavaScript {
    fn templates(&self) -> &'static Dir<'static> {
        &JAVASCRIPT
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        sdk()
    }

    fn packages(&self) -> &'static [&'static str] {
        PACKAGES
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let modules = work.node(PACKAGES)?;
        componentize(work, "src/hook.js", modules)
    }
}

impl Toolchain for TypeScript {
    fn templates(&self) -> &'static Dir<'static> {
        &TYPESCRIPT
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        sdk()
    }

    fn packages(&self) -> &'static [&'static str] {
        PACKAGES
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let modules = work.node(PACKAGES)?;
        work.step("tsc checks the types");
        let mut check = node()?;
        check
            .arg(modules.join("typescript/lib/tsc.js"))
            .args(["--noEmit", "--pretty", "false", "--project", "."])
            .current_dir(work.project().dir());
        work.run(&mut check)?;
        componentize(work, "src/hook.ts", modules)
    }
}

fn sdk() -> Vec<(PathBuf, Vec<u8>)> {
    let files = embedded(&SDK).into_iter();
    let is_source = |path: &PathBuf| !path.starts_with("node_modules");
    files
        .filter(|(path, _)| is_source(path))
        .map(|(path, bytes)| (PathBuf::from("javascript").join(path), bytes.to_owned()))
        .collect()
}

fn componentize(work: &mut Work<'_>, entry: &str, modules: PathBuf) -> Result<Vec<u8>, BuildError> {
    let project = work.project();
    if !project.dir().join(entry).is_file() {
        let what = match entry {
            "src/hook.ts" => "src/hook.ts, the module whose default export is the hook",
            _ => "src/hook.js, the module whose default export is the hook",
        };
        let dir = project.dir().to_owned();
        return Err(BuildError::NoSource { dir, what });
    }
    work.step("esbuild bundles, componentize-qjs makes the component");
    let sdk = project.sdk_dir().join("javascript");
    let mut tool = node()?;
    tool.arg(sdk.join("tools/main.mjs"))
        .arg("--tools")
        .arg(modules.parent().unwrap_or(&modules))
        .current_dir(project.dir());
    super::with_tool(work, tool, entry)
}

fn node() -> Result<Command, BuildError> {
    tools::find("node")
        .map(Command::new)
        .ok_or_else(|| BuildError::Missing {
            tool: "Node 20 or newer".to_owned(),
            why: "it runs the tools that bundle the hook and make the component".to_owned(),
            fixes: vec![
                "Debian, Ubuntu: sudo apt-get install nodejs npm".to_owned(),
                "elsewhere: install Node with your system's package manager, so that `node` starts"
                    .to_owned(),
            ],
        })
}
