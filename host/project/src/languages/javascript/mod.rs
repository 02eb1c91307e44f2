//! JavaScript and TypeScript: bundled by esbuild, run by QuickJS, which `componentize-qjs` puts into the
//! component.

mod installed;
mod reads;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use include_dir::{Dir, include_dir};

use super::{SdkPackage, Toolchain, embedded, scratch};
use crate::build::{BuildContext, BuildError, Work};
use crate::{FileError, Material, Part, Project, tools};

static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/javascript");

/// Runs tsc, and writes the list of the files that it read.
const CHECK: &str = include_str!("check.mjs");

/// The variable with the path of the file into which the SDK's tool writes the list of the files
/// that it read.
const READS: &str = "PORTCULLIS_READS";

/// The packages that build the component, check its types, and implement `URL` and other globals.
/// Each package that ends up in a component has an exact version.
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

/// JavaScript or TypeScript.
pub(super) struct Script {
    templates: &'static Dir<'static>,
    /// The module whose default export is the hook.
    entry: &'static str,
    /// The name of the missing part in an error.
    what: &'static str,
    has_types: bool,
}

pub(super) static JAVASCRIPT: Script = Script {
    templates: &include_dir!("$CARGO_MANIFEST_DIR/templates/javascript"),
    entry: "src/hook.js",
    what: "src/hook.js, the module whose default export is the hook",
    has_types: false,
};

pub(super) static TYPESCRIPT: Script = Script {
    templates: &include_dir!("$CARGO_MANIFEST_DIR/templates/typescript"),
    entry: "src/hook.ts",
    what: "src/hook.ts, the module whose default export is the hook",
    has_types: true,
};

impl Toolchain for Script {
    fn templates(&self) -> &'static Dir<'static> {
        self.templates
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        sdk()
    }

    fn package(&self) -> Option<SdkPackage> {
        Some(installed::SDK)
    }

    fn prepare(&self, project: &Project, cx: &mut BuildContext<'_>) -> Result<(), BuildError> {
        match project.has_package() {
            true => installed::ensure(project, cx),
            false => Ok(()),
        }
    }

    fn packages(&self) -> &'static [&'static str] {
        PACKAGES
    }

    fn materials(&self, project: &Project, _: &[u8]) -> Vec<Material> {
        let packages = PACKAGES
            .iter()
            .filter_map(|package| package.rsplit_once('@'));
        let packages = packages.map(|(name, version)| match project.has_package() {
            true => (name, installed::version(project, name)),
            false => (name, Some(version.to_owned())),
        });
        let mut packages: Vec<_> = packages.collect();
        packages.retain(|(name, _)| self.has_types || *name != "typescript");
        if project.has_package() {
            let sdk = installed::SDK.name;
            packages.push((sdk, installed::version(project, sdk)));
        }
        let material = |(name, version): (&str, Option<String>)| {
            let part = match name {
                "componentize-qjs" => Part::Contained,
                "esbuild" | "typescript" => Part::Tool,
                _ if name == installed::SDK.name => Part::Contained,
                _ => Part::Optional,
            };
            Material::new(name, version.as_deref(), part).from("npm")
        };
        packages.into_iter().map(material).collect()
    }

    fn reads(&self, project: &Project) -> Option<Vec<PathBuf>> {
        reads::before(project)
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        if work.project().has_package() {
            if self.has_types {
                let typescript = installed::package(work.project(), "typescript")?;
                check(work, &typescript, None)?;
            }
            let sdk = installed::package(work.project(), installed::SDK.name)?;
            return componentize(work, self, &sdk, None);
        }
        let modules = work.node(PACKAGES)?;
        if self.has_types {
            check(work, &modules.join("typescript"), Some(&modules))?;
        }
        let sdk = work.project().sdk_dir().join("javascript");
        componentize(work, self, &sdk, Some(&modules))
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

/// Checks the types. `tools` are packages that are always the same.
fn check(work: &mut Work<'_>, typescript: &Path, tools: Option<&Path>) -> Result<(), BuildError> {
    work.step("tsc checks the types");
    let place = scratch()?;
    let (script, list) = (place.path().join("check.mjs"), place.path().join("reads"));
    fs::write(&script, CHECK).map_err(|cause| FileError::new("write", &script, cause))?;
    let mut check = node()?;
    check
        .arg(&script)
        .arg(typescript)
        .arg(&list)
        .args(["--noEmit", "--pretty", "false", "--project", "."])
        .current_dir(work.project().dir());
    work.run_as("tsc", &mut check)?;
    work.note_found(reads::found(&list, tools));
    Ok(())
}

fn componentize(
    work: &mut Work<'_>,
    script: &Script,
    sdk: &Path,
    tools: Option<&Path>,
) -> Result<Vec<u8>, BuildError> {
    let project = work.project();
    if !project.dir().join(script.entry).is_file() {
        return Err(BuildError::NoSource {
            dir: project.dir().to_owned(),
            what: script.what,
        });
    }
    work.step("esbuild bundles, componentize-qjs makes the component");
    let mut tool = node()?;
    tool.arg(sdk.join("tools/main.mjs"))
        .current_dir(project.dir());
    if let Some(modules) = tools {
        tool.arg("--tools").arg(modules.parent().unwrap_or(modules));
    }
    let place = scratch()?;
    let list = place.path().join("reads");
    tool.env(READS, &list);
    let component = super::with_tool(work, tool, script.entry)?;
    work.note_found(reads::found(&list, tools));
    Ok(component)
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
